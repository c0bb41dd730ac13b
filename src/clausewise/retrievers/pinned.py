"""What a person reviewed outranks what a score says.

A reviewed rule tree holds questions that people ask about its rule and the follow-up questions of
its conditions. When a dialogue repeats them word for word, the rule is known, not guessed, and a
conversation stays with the rule that it began with.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence

from clausewise.protocols import Retriever
from clausewise.text import normalised
from clausewise.trees.tree import RuleTree
from clausewise.types import Dialogue, Hit, RuleText

Trees = Mapping[str, Sequence[RuleTree]]
"""Reviewed trees by the content hash of their rule text."""


def tree_texts(rules: Sequence[RuleText], *, trees: Trees) -> dict[str, tuple[str, ...]]:
    """Return what the trees add to the words of their rules, by rule id, for an index."""
    return {
        rule.rule_id: tuple(
            text for tree in trees[rule.content_hash] for text in (tree.topic, *tree.questions)
        )
        for rule in rules
        if rule.content_hash in trees
    }


class Pinned:
    """Lifts the rules whose trees hold the very questions of the dialogue above all others.

    The user's question counts for one match, so does every follow-up question asked so far; most
    matches come first, the inner retriever breaks ties. Follow-up questions such as "Are you over
    18?" belong to many rules, so they lift only rules that the inner retriever ranks well itself.
    """

    def __init__(
        self, inner: Retriever, *, rules: Sequence[RuleText], trees: Trees, reach: int = 20
    ) -> None:
        self._inner = inner
        self._reach = reach
        self._asks: dict[str, Counter[str]] = {}
        self._by_question: dict[str, list[RuleText]] = {}
        for rule in rules:
            reviewed = trees.get(rule.content_hash, ())
            self._asks[rule.rule_id] = _follow_up_questions(reviewed)
            for question in {normalised(asked) for tree in reviewed for asked in tree.questions}:
                self._by_question.setdefault(question, []).append(rule)

    def retrieve(self, dialogue: Dialogue, *, top_k: int) -> tuple[Hit, ...]:
        """Return the hits of the inner retriever, reviewed matches first."""
        if top_k < 1:
            return ()
        hits = self._inner.retrieve(dialogue, top_k=max(top_k, self._reach))
        named = {rule.rule_id for rule in self._named(dialogue)}
        turns = Counter(normalised(turn.question) for turn in dialogue.turns)
        step = 1.0 + max((hit.score for hit in hits), default=0.0)
        step -= min(0.0, min((hit.score for hit in hits), default=0.0))
        lifted = []
        for hit in (*hits, *self._overlooked(dialogue, hits=hits)):
            rule_id = hit.rule.rule_id
            matches = (rule_id in named) + (turns & self._asks[rule_id]).total()
            lifted.append(Hit(rule=hit.rule, score=hit.score + matches * step))
        lifted.sort(key=lambda hit: -hit.score)
        return tuple(lifted[:top_k])

    def _named(self, dialogue: Dialogue) -> Sequence[RuleText]:
        return self._by_question.get(normalised(dialogue.question), ())

    def _overlooked(self, dialogue: Dialogue, *, hits: Sequence[Hit]) -> list[Hit]:
        found = {hit.rule.rule_id for hit in hits}
        lowest = min((hit.score for hit in hits), default=0.0)
        return [
            Hit(rule=rule, score=lowest)
            for rule in self._named(dialogue)
            if rule.rule_id not in found
        ]


def _follow_up_questions(trees: Sequence[RuleTree]) -> Counter[str]:
    """Return how many conditions each wording asks about, at most, in one of the trees."""
    asks: Counter[str] = Counter()
    for tree in trees:
        asks |= Counter(
            wording
            for condition in tree.conditions
            for wording in {normalised(q) for q in (condition.question, *condition.paraphrases)}
        )
    return asks
