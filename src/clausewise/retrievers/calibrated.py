"""How likely it is that the rules cover a question, as a probability that means what it says.

Two things tell: how near the best hit is to the question in meaning, and how much of what the
question speaks of the best hit names. Their weights are fitted on questions whose rules are there
and questions whose rules are not (`clausewise train coverage`), and stand beside the encoder that
they belong to: similarities of another encoder mean something else.
"""

from __future__ import annotations

import json
import math
from collections import Counter
from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING

from clausewise.errors import ConfigError, Where
from clausewise.retrievers.dense import question_and_scenario
from clausewise.retrievers.words import content_stems
from clausewise.text import FUNCTION_WORDS, stem

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence
    from pathlib import Path

    from clausewise.retrievers.dense import Dense
    from clausewise.types import Dialogue, Hit, RuleText

FILE_NAME = "coverage.json"
_COURTESIES = {"hello", "hi", "hey", "thank", "thanks", "please", "help", "okay", "tell", "know"}
_SAYS_NOTHING = frozenset(stem(word) for word in FUNCTION_WORDS | _COURTESIES)


@dataclass(frozen=True, slots=True, kw_only=True)
class CoverageSigns:
    """What coverage is judged by."""

    similarity: float
    """Of the best hit to the question, or to question and scenario if that is higher."""
    known_share: float
    """The share of the question's words, by their rarity, that the best hit has."""


@dataclass(frozen=True, slots=True, kw_only=True)
class CoverageWeights:
    """A logistic regression over the signs."""

    intercept: float
    similarity: float
    known_share: float
    encoder: str = ""
    """The name of the encoder whose similarities were fitted."""

    def probability(self, signs: CoverageSigns) -> float:
        """Return how likely it is that a question with these signs is covered."""
        logit = (
            self.intercept
            + self.similarity * signs.similarity
            + self.known_share * signs.known_share
        )
        return 1 / (1 + math.exp(-max(-60.0, min(60.0, logit))))

    @classmethod
    def read(cls, folder: Path, *, encoder: str | None = None) -> CoverageWeights:
        """Return the weights in an encoder's folder.

        ConfigError where there are none, and where they were fitted for another than `encoder`.
        """
        path = folder / FILE_NAME
        try:
            weights = cls(**json.loads(path.read_text("utf-8")))
        except (OSError, ValueError, TypeError) as error:
            message = f"holds no coverage weights ({error}), expected what `train coverage` writes"
            raise ConfigError(message, where=Where(file=str(path))) from error
        if encoder is not None and weights.encoder != encoder:
            message = "was fitted for another encoder, expected what `train coverage` writes for it"
            raise ConfigError(message, where=Where(file=str(path)))
        return weights

    def write(self, folder: Path) -> None:
        """Write the weights into an encoder's folder."""
        (folder / FILE_NAME).write_text(json.dumps(asdict(self), indent=2) + "\n", "utf-8")


class CalibratedCoverage:
    """Judges coverage by meaning and by words, over the first hits."""

    def __init__(
        self,
        *,
        dense: Dense,
        weights: CoverageWeights,
        extra_texts: Mapping[str, Sequence[str]] | None = None,
        depth: int = 5,
    ) -> None:
        self._dense = dense
        self._weights = weights
        self._depth = depth
        self._words = _WordsOfRules(dense.rules, extra_texts=extra_texts or {})

    def covers(self, dialogue: Dialogue, *, hits: Sequence[Hit]) -> float:
        """Return the probability that one of the hits settles the question; 0 without hits."""
        signs = self.signs(dialogue, hits=hits)
        return self._weights.probability(signs) if signs else 0.0

    def signs(self, dialogue: Dialogue, *, hits: Sequence[Hit]) -> CoverageSigns | None:
        """Return what the dialogue and its hits show; None without hits."""
        rule_ids = [hit.rule.rule_id for hit in hits[: self._depth]]
        if not rule_ids:
            return None
        near = self._dense.similarities_to(
            rule_ids, texts=[dialogue.question, question_and_scenario(dialogue)]
        )
        return CoverageSigns(
            similarity=float(near.max()),
            known_share=self._words.known_share(dialogue.question, rule_ids=rule_ids),
        )


class _WordsOfRules:
    """Which words stand in which rules, and how rare each is."""

    def __init__(
        self, rules: Sequence[RuleText], *, extra_texts: Mapping[str, Sequence[str]]
    ) -> None:
        self._words = {
            rule.rule_id: frozenset(
                content_stems(
                    "\n".join((rule.title, rule.text, *extra_texts.get(rule.rule_id, ())))
                )
            )
            for rule in rules
        }
        self._rules_with = Counter(word for words in self._words.values() for word in words)

    def known_share(self, text: str, *, rule_ids: Iterable[str]) -> float:
        """Return the most of a text's words, by rarity, that one of the rules has; 1 is all."""
        words = {word for word in content_stems(text) if word not in _SAYS_NOTHING}
        total = self._weight(words)
        best = max((self._weight(words & self._words[rule_id]) for rule_id in rule_ids), default=0)
        return best / total if total else 0.0

    def _weight(self, words: Iterable[str]) -> float:
        return sum(
            math.log1p(len(self._words) / (self._rules_with[word] + 0.5)) for word in sorted(words)
        )
