"""Whether the rules speak of what a question asks at all: the guard before every answer.

The cheapest thing that works: a question about bread brings words that no good hit knows.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Mapping, Sequence

from clausewise.retrievers.words import content_stems
from clausewise.types import Dialogue, Hit, RuleText


class LexicalCoverage:
    """Judges coverage by the share of the question's words that the best hits know.

    Words count by their rarity in the rules, unknown words most of all. `even_share` is the share
    at which coverage is 0.5, below which the engine abstains.
    """

    def __init__(
        self,
        rules: Sequence[RuleText],
        *,
        extra_texts: Mapping[str, Sequence[str]] | None = None,
        even_share: float = 0.3,
        depth: int = 5,
    ) -> None:
        self._even_share = even_share
        self._depth = depth
        extra = extra_texts or {}
        self._words = {
            rule.rule_id: frozenset(
                content_stems("\n".join((rule.title, rule.text, *extra.get(rule.rule_id, ()))))
            )
            for rule in rules
        }
        self._rules_with = Counter(word for words in self._words.values() for word in words)

    def covers(self, dialogue: Dialogue, *, hits: Sequence[Hit]) -> float:
        """Return the coverage of the part of the dialogue that the hits know best."""
        texts = (dialogue.question, *(turn.question for turn in dialogue.turns))
        known = [self._words[hit.rule.rule_id] for hit in hits[: self._depth]]
        share = max(
            (self._share(text, known=words) for text in texts for words in known), default=0.0
        )
        return _bent(share, even=self._even_share)

    def _share(self, text: str, *, known: frozenset[str]) -> float:
        weights = {word: self._rarity(word) for word in content_stems(text)}
        total = sum(weights.values())
        return sum(weights[word] for word in weights if word in known) / total if total else 0.0

    def _rarity(self, word: str) -> float:
        return math.log1p(len(self._words) / (self._rules_with[word] + 0.5))


def _bent(share: float, *, even: float) -> float:
    """Return the share stretched so that `even` comes out as 0.5; 0 and 1 stay."""
    if share <= even:
        return 0.5 * share / even
    return 0.5 + 0.5 * (share - even) / (1 - even)
