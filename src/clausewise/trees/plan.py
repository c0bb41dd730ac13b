"""Which question to ask next, so that the fewest questions are to be expected.

Only conditions that can still change the outcome are asked: one that can't is dropped first, by
truth table up to MAX_KEYS open conditions. Up to MAX_OPEN of those that matter the choice is
optimal (`policy`); with more it is a rule of thumb (`heuristic`) until enough are settled. Among
equals the author's order decides.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING

from clausewise.trees.evaluate import restrict
from clausewise.trees.heuristic import estimate
from clausewise.trees.logic import Logic, is_read_once, names
from clausewise.trees.policy import MAX_OPEN, Policy, best
from clausewise.trees.tables import MAX_KEYS, depends_on, for_all_first, full, truth_table
from clausewise.trees.values import State

if TYPE_CHECKING:
    from collections.abc import Collection, Sequence

    from clausewise.trees.tree import RuleTree

EVEN = 0.5
"""The probability of a condition of which nothing is known."""
MAX_EFFORT = 500
"""How far the longest path of the heuristic is looked for: one for every ten conditions that are
open in a state, or for every 10,000 states of knowledge where dynamic programming takes over."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Plan:
    """The next question, and how far it is to the end."""

    key: str
    """Of the condition to ask about."""
    expected_questions: float
    """From here to the end, this question included; an estimate over MAX_OPEN conditions."""
    at_most: int
    """The most questions that this way of asking can come to, this one included.

    Exact up to MAX_OPEN open conditions, and over it where no condition occurs twice; otherwise
    exact unless it takes more than MAX_EFFORT to find out, then it may be too high.
    """


def plan(
    tree: RuleTree,
    *,
    states: Mapping[str, State],
    probabilities: Mapping[str, float] | None = None,
    unanswerable: Collection[str] = (),
) -> Plan | None:
    """Return the next question; None where no question can change what comes out.

    `probabilities` say how likely open conditions are to hold (EVEN where they don't say).
    `unanswerable` are conditions that are unknown and stay so, because the person can't tell: they
    are never asked, and asking ends as well where without them nothing can be decided.
    """
    chances = {key: _chance(key, probabilities) for key in tree.keys}
    asker = _Asker(chances=chances, unanswerable=frozenset(unanswerable))
    left = asker.open(restrict(tree.logic, states))
    return None if left is None else asker.plan(left)


def _chance(key: str, probabilities: Mapping[str, float] | None) -> float:
    chance = EVEN if probabilities is None else float(probabilities.get(key, EVEN))
    if not 0 <= chance <= 1:
        message = f"the probability of {key!r} is {chance}; expected a number from 0 to 1"
        raise ValueError(message)
    return chance


@dataclass(frozen=True, slots=True, kw_only=True)
class _Open:
    """A logic over conditions of which all those that can be asked matter."""

    logic: Logic
    keys: tuple[str, ...]
    """The conditions to ask, in the author's order."""
    blocked: tuple[str, ...]
    """Those that can't be answered."""

    def tables(self) -> tuple[int, int]:
        """Return where the outcome is yes and where it is no, over the conditions to ask."""
        count, times = len(self.keys) + len(self.blocked), len(self.blocked)
        table = truth_table(self.logic, keys=[*self.blocked, *self.keys])
        negated = full(count) ^ table
        return (
            for_all_first(table, times=times, count=count),
            for_all_first(negated, times=times, count=count),
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class _Asker:
    """Plans over what is left of one tree's logic."""

    chances: Mapping[str, float]
    """How likely each condition is to hold, in the author's order."""
    unanswerable: frozenset[str]

    def open(self, logic: Logic | bool) -> _Open | None:
        """Return what is left to ask about; None where nothing is."""
        if isinstance(logic, bool):
            return None
        named = set(names(logic))
        blocked = named & self.unanswerable
        left = _Open(
            logic=logic,
            keys=tuple(key for key in self.chances if key in named and key not in blocked),
            blocked=tuple(key for key in self.chances if key in blocked),
        )
        if len(named) > MAX_KEYS or (not left.blocked and is_read_once(logic)):
            return left if left.keys else None
        return self._mattering(left)

    def _mattering(self, left: _Open) -> _Open | None:
        count, tables = len(left.keys), left.tables()
        idle = [
            key
            for position, key in enumerate(left.keys)
            if not any(depends_on(table, position, count=count) for table in tables)
        ]
        if not idle:
            return left if left.keys else None
        if len(idle) == count:
            return None
        return self.open(restrict(left.logic, dict.fromkeys(idle, State.CONTRADICTED)))

    def plan(self, left: _Open) -> Plan:
        """Return the next question about what is left."""
        if len(left.keys) <= MAX_OPEN:
            policy = self._best(left)
            return Plan(
                key=left.keys[policy.position],
                expected_questions=policy.expected_questions,
                at_most=policy.at_most,
            )
        key, expected = self._estimated(left)
        return Plan(key=key, expected_questions=expected, at_most=_Longest(self).of(left))

    def _best(self, left: _Open) -> Policy:
        return best(*left.tables(), tuple(self.chances[key] for key in left.keys))

    def _estimated(self, left: _Open) -> tuple[str, float]:
        chances = {key: self.chances[key] for key in left.keys}
        estimated = estimate(left.logic, probabilities=chances)
        return estimated.key or left.keys[0], estimated.questions

    def after(self, left: _Open) -> Sequence[_Open | None]:
        """Return what is left after each answer to the heuristic's question, the longest first."""
        key, _ = self._estimated(left)
        following = [
            self.open(restrict(left.logic, {key: state}))
            for state in (State.ENTAILED, State.CONTRADICTED)
        ]
        return sorted(following, key=lambda left: -len(left.keys) if left else 0)

    def longest_of_best(self, left: _Open) -> int:
        """Return the longest path of the optimal policy."""
        return self._best(left).at_most


class _Longest:
    """Finds the longest path that the heuristic's own policy can take.

    Depth first along the branch that leaves most conditions open; a branch is cut where it can't
    become longer than the longest path found. A logic that names nothing twice always has a path
    through all of its conditions, in whatever order they are asked: whoever answers can keep each
    gate open until the last of its parts.
    """

    def __init__(self, asker: _Asker) -> None:
        self._asker = asker
        self._found: dict[Logic, int] = {}
        self._effort = MAX_EFFORT

    def of(self, left: _Open) -> int:
        if not left.blocked and is_read_once(left.logic):
            return len(left.keys)
        if left.logic not in self._found:
            self._found[left.logic] = self._longest(left)
        return self._found[left.logic]

    def _longest(self, left: _Open) -> int:
        count = len(left.keys)
        self._effort -= count // 10 if count > MAX_OPEN else 1 + 3**count // 10_000
        if self._effort < 0:
            return count
        if count <= MAX_OPEN:
            return self._asker.longest_of_best(left)
        longest = 1
        for branch in self._asker.after(left):
            if branch is not None and 1 + len(branch.keys) > longest:
                longest = max(longest, 1 + self.of(branch))
        return longest
