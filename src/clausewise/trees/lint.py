"""Looks for what is wrong with rules before a person asks: the lint of `clausewise check`.

A finding is an error where some answer must be wrong or can't be reached, and a warning where a
reviewer should look.
"""

from __future__ import annotations

import enum
import itertools
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from clausewise.text import content_words, normalised
from clausewise.trees.logic import is_read_once
from clausewise.trees.tables import MAX_KEYS, depends_on, full, stride, truth_table
from clausewise.trees.tree import RuleTree


@dataclass(frozen=True, slots=True, kw_only=True)
class _Disagreement:
    """Where two trees over the same conditions say Yes and No."""

    case: str
    """One such case, as in 'a yes, b no', with the keys of the first tree."""
    in_every_case: bool


class Severity(enum.Enum):
    """How bad a finding is."""

    ERROR = "error"
    WARNING = "warning"


@dataclass(frozen=True, slots=True, kw_only=True)
class Finding:
    """One thing that is wrong, and with which rules."""

    severity: Severity
    kind: str
    rule_ids: tuple[str, ...]
    message: str


def lint(trees: Sequence[RuleTree], *, rule_texts: Mapping[str, str]) -> tuple[Finding, ...]:
    """Return all findings about some rules (id -> text) and their trees."""
    return (
        *_duplicate_rules(rule_texts),
        *(finding for tree in trees for finding in _within(tree)),
        *_contradictions(trees),
        *_foreign_topics(trees),
    )


def _within(tree: RuleTree) -> Iterator[Finding]:
    yield from _conditions_without_effect(tree)
    yield from _overlapping_spans(tree)


def _duplicate_rules(rule_texts: Mapping[str, str]) -> Iterator[Finding]:
    by_text: dict[str, list[str]] = defaultdict(list)
    for rule_id, text in rule_texts.items():
        by_text[normalised(text)].append(rule_id)
    for rule_ids in by_text.values():
        if len(rule_ids) > 1:
            yield Finding(
                severity=Severity.ERROR,
                kind="duplicate rule",
                rule_ids=tuple(rule_ids),
                message=f"{' and '.join(rule_ids)} say the same, expected one of them",
            )


def _conditions_without_effect(tree: RuleTree) -> Iterator[Finding]:
    for key in tree.keys:
        if not matters(tree, key=key):
            yield Finding(
                severity=Severity.ERROR,
                kind="condition without effect",
                rule_ids=(tree.rule_id,),
                message=f"condition {key} can never change the answer",
            )


def matters(tree: RuleTree, *, key: str) -> bool:
    """Say whether a condition can change the answer in any case at all.

    One that the logic names once can, and so is taken to one of a logic that is too large to tell.
    """
    keys = tree.keys
    if is_read_once(tree.logic) or len(keys) > MAX_KEYS:
        return True
    return depends_on(truth_table(tree.logic, keys=keys), position=keys.index(key), count=len(keys))


def _overlapping_spans(tree: RuleTree) -> Iterator[Finding]:
    for first, second in itertools.combinations(tree.conditions, 2):
        if first.span.overlaps(second.span):
            yield Finding(
                severity=Severity.WARNING,
                kind="overlapping spans",
                rule_ids=(tree.rule_id,),
                message=f"conditions {first.key} and {second.key} share words of the rule text",
            )


def _contradictions(trees: Sequence[RuleTree]) -> Iterator[Finding]:
    """Find trees of one outcome that say Yes and No to the very same case."""
    by_outcome: dict[str, list[RuleTree]] = defaultdict(list)
    for tree in trees:
        for outcome in {normalised(tree.topic), *map(normalised, tree.questions)} - {""}:
            by_outcome[outcome].append(tree)
    seen: set[tuple[int, int]] = set()
    for group in by_outcome.values():
        for first, second in itertools.combinations(group, 2):
            pair = (id(first), id(second))
            if pair not in seen and (found := _disagreement(first, second)):
                yield _contradiction(first, second, found=found)
            seen.add(pair)


def _contradiction(first: RuleTree, second: RuleTree, *, found: _Disagreement) -> Finding:
    where = "in every case" if found.in_every_case else f"where {found.case}"
    return Finding(
        severity=Severity.ERROR if found.in_every_case else Severity.WARNING,
        kind="contradictory trees",
        rule_ids=(first.rule_id, second.rule_id),
        message=f"the trees of {first.rule_id} and {second.rule_id} answer the same question from "
        f"the same conditions and give opposite answers {where}",
    )


def _disagreement(first: RuleTree, second: RuleTree) -> _Disagreement | None:
    """Return where trees that ask the same conditions differ; None where they never do."""
    ours = {normalised(item.question): item.key for item in first.conditions}
    theirs = {normalised(item.question): item.key for item in second.conditions}
    count = len(first.conditions)
    same_conditions = ours.keys() == theirs.keys() and len(ours) == len(second.conditions) == count
    if not same_conditions or count > MAX_KEYS:
        return None
    left = truth_table(first.logic, keys=tuple(ours.values()))
    right = truth_table(second.logic, keys=tuple(theirs[question] for question in ours))
    differs = left ^ right
    if not differs:
        return None
    case = differs.bit_length() - 1
    answers = (
        f"{key} {'yes' if case & stride(position, count=count) else 'no'}"
        for position, key in enumerate(ours.values())
    )
    return _Disagreement(case=", ".join(answers), in_every_case=differs == full(count))


def _foreign_topics(trees: Sequence[RuleTree]) -> Iterator[Finding]:
    """Find follow-up questions that name another rule's topic and not their own rule's words."""
    topics = [(tree, normalised(tree.topic)) for tree in trees if len(tree.topic.split()) > 1]
    for tree in trees:
        own = set(content_words(f"{tree.rule_text or ''} {tree.topic}"))
        for condition in tree.conditions:
            question = normalised(condition.question)
            for other, topic in topics:
                foreign = other.rule_id != tree.rule_id and f" {topic} " in f" {question} "
                if foreign and not own.issuperset(content_words(topic)):
                    yield Finding(
                        severity=Severity.WARNING,
                        kind="foreign topic",
                        rule_ids=(tree.rule_id, other.rule_id),
                        message=f"the question of condition {condition.key} names "
                        f"{other.topic!r}, the topic of {other.rule_id}",
                    )
