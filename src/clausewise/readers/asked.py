"""Which condition of a tree a question is about that was asked in other words than the tree's.

Dialogues come with questions that people or other systems asked. Where nobody has reviewed a tree,
its own questions may be far from those; the words of the rule that both speak of tell.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from clausewise.readers.lexical import likeness
from clausewise.structure.matching import closest_span
from clausewise.trees.tree import RuleTree
from clausewise.trees.values import Condition, Span
from clausewise.types import Turn

_ALIKE = 0.6
"""From here on the wording alone tells which condition is meant."""
_SHARED = 0.5
"""The share of the shorter span that the two must have in common."""


def with_questions_asked(tree: RuleTree, *, turns: Sequence[Turn], text: str) -> RuleTree:
    """Return the tree with each foreign question as another wording of the condition it means.

    A condition takes at most one: a second question about the same words asks for a part of them.
    """
    conditions = list(tree.conditions)
    taken: set[int] = set()
    for turn in turns:
        place = _worded_alike(conditions, turn.question)
        if place is None:
            place = _of_the_same_words(conditions, turn.question, text=text, taken=taken)
            if place is None:
                continue
            one = conditions[place]
            conditions[place] = replace(one, paraphrases=(*one.paraphrases, turn.question))
        taken.add(place)
    return replace(tree, conditions=tuple(conditions))


def _worded_alike(conditions: Sequence[Condition], question: str) -> int | None:
    place = max(range(len(conditions)), key=lambda one: likeness(conditions[one], question))
    return place if likeness(conditions[place], question) >= _ALIKE else None


def _of_the_same_words(
    conditions: Sequence[Condition], question: str, *, text: str, taken: set[int]
) -> int | None:
    span = closest_span(question, text=text)
    free = [place for place in range(len(conditions)) if place not in taken]
    if span is None or not free:
        return None
    place = max(free, key=lambda one: _shared(conditions[one].span, span))
    return place if _shared(conditions[place].span, span) >= _SHARED else None


def _shared(one: Span, other: Span) -> float:
    common = min(one.end, other.end) - max(one.start, other.start)
    return max(0, common) / min(one.end - one.start, other.end - other.start)
