"""Whether the rules speak of what a question asks at all: the guard before every answer.

The cheapest thing that works, to be beaten by a trained one: a question about bread brings words
that stand in no rule, and few that stand in the best hits. It can't see that a question uses the
words of the rules for something else ("What time does the film start?").
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Mapping, Sequence

from clausewise.retrievers.words import content_stems
from clausewise.text import FUNCTION_WORDS, stem
from clausewise.types import Dialogue, Hit, RuleText

_COURTESIES = {"hello", "hi", "hey", "thank", "thanks", "please", "help", "okay", "tell", "know"}
_SAYS_NOTHING = frozenset(stem(word) for word in FUNCTION_WORDS | _COURTESIES)


class LexicalCoverage:
    """Weighs the words that a hit knows against those that stand in no rule at all.

    Words weigh by their rarity in the rules. `even_share` is the share of known words at which
    coverage is 0.5. With its default, and that of `minimum_coverage`, the engine abstains on 0.8 %
    of the questions of OR-ShARC's development set, all of which the rules cover, on 2.5 % of those
    of the demonstration rules, and on seven of ten questions that no rule covers.
    """

    def __init__(
        self,
        rules: Sequence[RuleText],
        *,
        extra_texts: Mapping[str, Sequence[str]] | None = None,
        even_share: float = 0.65,
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
        share = max(self._known_share(text, hits=hits[: self._depth]) for text in texts)
        if share <= self._even_share:
            return 0.5 * share / self._even_share
        return 0.5 + 0.5 * (share - self._even_share) / (1 - self._even_share)

    def _known_share(self, text: str, *, hits: Sequence[Hit]) -> float:
        words = {word for word in content_stems(text) if word not in _SAYS_NOTHING}
        foreign = sum(self._rarity(word) for word in words if word not in self._rules_with)
        known = max(
            (self._weight(words & self._words[hit.rule.rule_id]) for hit in hits), default=0.0
        )
        return known / (known + foreign) if known else 0.0

    def _weight(self, words: frozenset[str] | set[str]) -> float:
        return sum(self._rarity(word) for word in sorted(words))

    def _rarity(self, word: str) -> float:
        return math.log1p(len(self._words) / (self._rules_with[word] + 0.5))
