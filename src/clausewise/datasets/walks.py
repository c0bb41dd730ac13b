"""The dialogues that a rule tree allows: which question follows which, and where it ends.

A walk asks the conditions in the author's order, leaves out those that can't change the answer any
more, and stops as soon as the answer is certain. It is the reduced decision diagram of the tree's
logic (Bryant 1986), unfolded.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from clausewise.errors import DataError, Where
from clausewise.trees.evaluate import evaluate
from clausewise.trees.tree import RuleTree
from clausewise.trees.values import State

MAX_CONDITIONS = 12
"""A walk can have two to the power of this many ends."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Ask:
    """A condition to ask about, and how the walk goes on after either answer."""

    key: str
    yes: Walk
    no: Walk


Walk = Ask | bool
"""A truth value is an end: the value of the tree's logic."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Path:
    """One way through a walk: the answers in their order, and what follows from them."""

    answers: tuple[tuple[str, bool], ...]
    value: bool


def walk_of(tree: RuleTree) -> Walk:
    """Return the walk through a tree; DataError for more than MAX_CONDITIONS conditions."""
    if len(tree.conditions) > MAX_CONDITIONS:
        problem = f"{len(tree.conditions)} conditions; at most {MAX_CONDITIONS} can be walked"
        raise DataError(problem, where=Where(field=f"tree {tree.tree_id or tree.rule_id!r}"))
    return _walk(tree, states={}, depth=0)


def known(walk: Walk, truths: Mapping[str, bool]) -> Walk:
    """Return what is left of a walk for someone of whom some conditions are known."""
    if isinstance(walk, bool):
        return walk
    if walk.key in truths:
        return known(walk.yes if truths[walk.key] else walk.no, truths)
    return _ask(walk.key, yes=known(walk.yes, truths), no=known(walk.no, truths))


def paths(walk: Walk, *, answers: tuple[tuple[str, bool], ...] = ()) -> Iterator[Path]:
    """Yield every way through a walk; `answers` are those that led to it."""
    if isinstance(walk, bool):
        yield Path(answers=answers, value=walk)
        return
    yield from paths(walk.yes, answers=(*answers, (walk.key, True)))
    yield from paths(walk.no, answers=(*answers, (walk.key, False)))


def follow(walk: Walk, truths: Mapping[str, bool]) -> Path:
    """Return the path of someone whose answers are given: all that the walk asks on its way."""
    answers: list[tuple[str, bool]] = []
    while not isinstance(walk, bool):
        answers.append((walk.key, truths[walk.key]))
        walk = walk.yes if truths[walk.key] else walk.no
    return Path(answers=tuple(answers), value=walk)


def _walk(tree: RuleTree, *, states: Mapping[str, State], depth: int) -> Walk:
    if depth == len(tree.conditions):
        return evaluate(tree.logic, states) is State.ENTAILED
    key = tree.conditions[depth].key
    yes, no = (
        _walk(tree, states={**states, key: State.of(value)}, depth=depth + 1)
        for value in (True, False)
    )
    return _ask(key, yes=yes, no=no)


def _ask(key: str, *, yes: Walk, no: Walk) -> Walk:
    """Return the question, or what follows where it makes no difference."""
    return yes if yes == no else Ask(key=key, yes=yes, no=no)
