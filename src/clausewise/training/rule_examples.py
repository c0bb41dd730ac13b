"""What a reviewed tree teaches: which words are conditions, and how they are joined."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from clausewise.compiler.literals import joined_by_or, negated_keys
from clausewise.compiler.signs import LogicSigns
from clausewise.compiler.spans import BEGINS, INSIDE, OUTSIDE
from clausewise.structure.negation import is_turned
from clausewise.structure.wording import Wording
from clausewise.trees.logic import Logic
from clausewise.trees.tree import RuleTree
from clausewise.trees.values import Condition


@dataclass(frozen=True, slots=True, kw_only=True)
class RuleExample:
    """A rule text with the answers that the compiler and the asker should give."""

    wording: Wording
    outcome_tags: tuple[int, ...] | None
    """For every word: outside, begins or inside the outcome; None where the tree names none."""
    places: tuple[tuple[int, int], ...]
    """The words [first, last) of every condition, in the order of the text."""
    negated: tuple[bool, ...]
    """Whether the text, not the question, demands that the condition does not hold."""
    signs: LogicSigns
    """What the text shows of its conditions and of every two of them."""
    joints: tuple[bool | None, ...]
    """For every pair of the signs whether the text joins it by 'or'; None where it does neither."""
    questions: tuple[str, ...]


def example_of(tree: RuleTree) -> RuleExample:
    """Return what a tree with its rule text teaches."""
    text = tree.rule_text or ""
    wording = Wording.of(text)
    placed = [(wording.place(item.span), item) for item in tree.conditions]
    found = sorted(
        ((place, item) for place, item in placed if place is not None), key=lambda pair: pair[0]
    )
    conditions = [item for _, item in found]
    places = tuple(place for place, _ in found)
    negated = _negated(conditions, logic=tree.logic)
    signs = LogicSigns.of([item.span for item in conditions], text=text)
    outcome = wording.place(tree.outcome.span) if tree.outcome else None
    return RuleExample(
        wording=wording,
        outcome_tags=_tags(len(wording.words), outcome) if outcome else None,
        places=places,
        negated=negated,
        signs=signs,
        joints=_joints(conditions, logic=tree.logic, negated=negated, pairs=signs.pairs),
        questions=tuple(item.question for item in conditions),
    )


def _tags(count: int, place: tuple[int, int]) -> tuple[int, ...]:
    first, last = place
    tags = [OUTSIDE] * count
    tags[first:last] = [BEGINS, *[INSIDE] * (last - first - 1)]
    return tuple(tags)


def _negated(conditions: Sequence[Condition], *, logic: Logic) -> tuple[bool, ...]:
    negated = negated_keys(logic)
    return tuple(
        negated[item.key] != is_turned(item.text, question=item.question) for item in conditions
    )


def _joints(
    conditions: Sequence[Condition],
    *,
    logic: Logic,
    negated: Sequence[bool],
    pairs: Sequence[tuple[int, int]],
) -> tuple[bool | None, ...]:
    by_or = joined_by_or(logic)
    joints: list[bool | None] = []
    for left, right in pairs:
        found = by_or.get((conditions[left].key, conditions[right].key))
        # In the text's own words: 'you can't if a or b', not 'you can if not a and not b'.
        turned = negated[left] and negated[right]
        joints.append(None if found is None else found != turned)
    return tuple(joints)
