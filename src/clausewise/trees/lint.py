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
from clausewise.trees.evaluate import exact
from clausewise.trees.tree import RuleTree
from clausewise.trees.values import State

_SHARED_CONDITIONS_AT_MOST = 12
"""Two trees over more shared conditions than this are not compared case by case."""


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
    """Say whether a condition can change the answer in any case at all."""
    others = [other for other in tree.keys if other != key]
    for values in itertools.product(_DECIDED, repeat=len(others)):
        states = dict(zip(others, values, strict=True))
        if exact(tree.logic, states) is State.UNKNOWN:
            return True
    return False


_DECIDED = (State.ENTAILED, State.CONTRADICTED)


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
            if pair not in seen and _always_disagree(first, second):
                yield Finding(
                    severity=Severity.ERROR,
                    kind="contradictory trees",
                    rule_ids=(first.rule_id, second.rule_id),
                    message=f"the trees of {first.rule_id} and {second.rule_id} answer the same "
                    "question and give opposite answers in every case",
                )
            seen.add(pair)


def _always_disagree(first: RuleTree, second: RuleTree) -> bool:
    """Say whether the trees ask the same conditions and differ on every assignment."""
    names = {normalised(item.question): item.key for item in first.conditions}
    pairs = {normalised(item.question): item.key for item in second.conditions}
    if names.keys() != pairs.keys() or len(names) > _SHARED_CONDITIONS_AT_MOST:
        return False
    for values in itertools.product(_DECIDED, repeat=len(names)):
        case = dict(zip(names, values, strict=True))
        left = exact(first.logic, {names[question]: state for question, state in case.items()})
        right = exact(second.logic, {pairs[question]: state for question, state in case.items()})
        if left is right:
            return False
    return True


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
