"""Why a decided rule has its value, and what would have to be different for the other one.

Up to MAX_KEYS conditions both are exact: one truth table, over the sets of conditions instead of
their values, holds the answer for every set at once. Logics with more fall back on a search that is
documented with each function.
"""

from __future__ import annotations

import itertools
from typing import TYPE_CHECKING

import numpy as np

from clausewise.trees.evaluate import evaluate
from clausewise.trees.logic import Logic, Name, Not, names, parts_of
from clausewise.trees.tables import (
    MAX_KEYS,
    combine,
    for_all_first,
    full,
    of_weight,
    stride,
    truth_table,
    variable,
)
from clausewise.trees.values import State

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

MAX_TRIES = 500
"""How many sets of changes are tried, smallest first, in a logic that is too large for tables."""


def because(logic: Logic, *, states: Mapping[str, State]) -> tuple[str, ...]:
    """Return a smallest set of known conditions that forces the logic's value all by themselves.

    None of them can be left out (a prime implicant), no set has fewer, and of several sets the one
    that comes first in the order of the logic is returned; empty where the logic has one value
    whatever holds. Over MAX_KEYS conditions none can be left out either, but a smaller set may
    exist. Raises ValueError where the value is open.
    """
    value = _decided(logic, states=states)
    keys = names(logic)
    known = [key for key in keys if _known(key, states)]
    if len(keys) > MAX_KEYS:
        return _irredundant(logic, states={key: states[key] for key in known}, value=value)
    unknown = [key for key in keys if not _known(key, states)]
    table = truth_table(logic, keys=[*unknown, *known])
    if value is State.CONTRADICTED:
        table ^= full(len(keys))
    table = for_all_first(table, times=len(unknown), count=len(keys))
    return _first_smallest(_forcing(table, known=known, states=states), keys=known)


def _forcing(table: int, *, known: Sequence[str], states: Mapping[str, State]) -> int:
    """Return the table of the sets of known conditions that force the table to be true.

    `table` is over values, the result over sets: a set forces if it does with each further
    condition added, the states of those outside being free.
    """
    count = len(known)
    for position, key in enumerate(known):
        holds, apart = variable(position, count=count), stride(position, count=count)
        if states[key] is State.CONTRADICTED:
            table = (table & holds) >> apart | (table << apart) & holds
        table &= (table >> apart) | holds
    return table


def _first_smallest(sets: int, *, keys: Sequence[str]) -> tuple[str, ...]:
    count = len(keys)
    for weight in range(count + 1):
        if found := sets & of_weight(weight, count=count):
            return _members(found.bit_length() - 1, keys=keys)
    message = "no set of conditions forces the value"
    raise AssertionError(message)


def _members(number: int, *, keys: Sequence[str]) -> tuple[str, ...]:
    count = len(keys)
    return tuple(key for position, key in enumerate(keys) if number & stride(position, count=count))


def _irredundant(logic: Logic, *, states: dict[str, State], value: State) -> tuple[str, ...]:
    for key in reversed(list(states)):
        fewer = {other: state for other, state in states.items() if other != key}
        if evaluate(logic, fewer) is value:
            states = fewer
    return tuple(states)


def flips(
    logic: Logic, *, states: Mapping[str, State], limit: int = 100
) -> tuple[tuple[str, ...], ...]:
    """Return the smallest sets of conditions whose change gives the logic the other value.

    A known condition changes to its opposite; an unknown one becomes known, as it suits (see
    `states_after`). All sets have the same, least number of conditions and come in the order of the
    logic; `limit` bounds them. Empty where nothing can change the value. Over MAX_KEYS conditions
    only MAX_TRIES sets are tried, smallest first. Raises ValueError where the value is open.
    """
    other = ~_decided(logic, states=states)
    keys = names(logic)
    if len(keys) > MAX_KEYS:
        return _tried(logic, keys=keys, states=states, limit=limit)
    changes = _Changes(logic, states=states, goal=other is State.ENTAILED)
    if changes.table == 0:
        return ()
    for size in range(1, len(keys) + 1):
        if found := changes.of_size(size, limit=limit):
            in_order = (tuple(key for key in keys if key in change) for change in found)
            ordered = sorted(in_order, key=lambda change: [keys.index(key) for key in change])
            return tuple(ordered[:limit])
    message = "no set of changes flips the value"
    raise AssertionError(message)


class _Changes:
    """The sets of changes after which a logic must have the value of the goal.

    A bit of the table is whether a condition changes: whether a known one is flipped, whether an
    unknown one is made what helps the goal (if not, it counts as what hurts it). Unknown conditions
    that pull both ways can't be put so: they are the first in the table, with a bit for their
    truth, and each of them is made true, made false, or left open so that both must do.
    """

    def __init__(self, logic: Logic, *, states: Mapping[str, State], goal: bool) -> None:
        pulls, named = _pulls(logic), names(logic)
        self._both = [key for key in named if len(pulls[key]) == 2 and not _known(key, states)]
        self._plain = [key for key in named if key not in self._both]
        keys = [*self._both, *self._plain]
        everywhere = full(len(keys))
        leaves = {key: variable(place, count=len(keys)) for place, key in enumerate(keys)}
        for key in self._plain:
            if states.get(key) is State.ENTAILED or (
                not _known(key, states) and goal not in pulls[key]
            ):
                leaves[key] ^= everywhere
        table = combine(logic, leaves=leaves, everywhere=everywhere)
        self.table = table if goal else everywhere ^ table

    def of_size(self, size: int, *, limit: int) -> set[frozenset[str]]:
        """Return sets of `size` changes, at most `limit` for every choice of the first ones."""
        count = len(self._plain)
        found: set[frozenset[str]] = set()
        for chosen, table in self._choices(self.table, both=self._both, size=size):
            sets = table & of_weight(size - len(chosen), count=count)
            for number in _first_bits(sets, limit):
                found.add(chosen.union(_members(number, keys=self._plain)))
        return found

    def _choices(
        self, table: int, *, both: Sequence[str], size: int
    ) -> Iterator[tuple[frozenset[str], int]]:
        """Yield each choice of at most `size` of `both`, with the table over the other keys."""
        if table == 0:
            return
        if not both:
            yield frozenset(), table
            return
        half = 1 << (len(both) - 1 + len(self._plain))
        if_true, if_false = table >> half, table & ((1 << half) - 1)
        yield from self._choices(if_true & if_false, both=both[1:], size=size)
        if size:
            for made in (if_true, if_false):
                for chosen, left in self._choices(made, both=both[1:], size=size - 1):
                    yield chosen | {both[0]}, left


def _pulls(logic: Logic) -> dict[str, set[bool]]:
    """Return for every key the values towards which its truth pulls the logic."""
    pulls: dict[str, set[bool]] = {}
    waiting: list[tuple[Logic, bool]] = [(logic, True)]
    while waiting:
        node, towards = waiting.pop()
        if isinstance(node, Name):
            pulls.setdefault(node.key, set()).add(towards)
        towards ^= isinstance(node, Not)
        waiting.extend((part, towards) for part in parts_of(node))
    return pulls


def _first_bits(number: int, limit: int) -> Iterator[int]:
    """Yield the positions of the highest bits that are set, at most `limit`, highest first."""
    content = np.frombuffer(number.to_bytes((number.bit_length() + 7) // 8, "little"), np.uint8)
    for place in np.flatnonzero(content)[::-1]:
        for bit in range(7, -1, -1):
            if content[place] >> bit & 1 and limit > 0:
                limit -= 1
                yield 8 * int(place) + bit
        if limit == 0:
            return


def _tried(
    logic: Logic, *, keys: Sequence[str], states: Mapping[str, State], limit: int
) -> tuple[tuple[str, ...], ...]:
    tries = itertools.islice(
        (
            change
            for size in range(1, len(keys) + 1)
            for change in itertools.combinations(keys, size)
        ),
        MAX_TRIES,
    )
    found: list[tuple[str, ...]] = []
    for change in tries:
        if len(found) == limit or (found and len(change) > len(found[0])):
            break
        if states_after(logic, states=states, change=change) is not None:
            found.append(change)
    return tuple(found)


def states_after(
    logic: Logic, *, states: Mapping[str, State], change: Sequence[str]
) -> dict[str, State] | None:
    """Return the states in which a change of these conditions gives the logic the other value.

    None where it can't. Unknown conditions of the change take the first values that do.
    """
    other = ~_decided(logic, states=states)
    known = {key: ~states[key] for key in change if _known(key, states)}
    unknown = [key for key in change if not _known(key, states)]
    for values in itertools.product((State.ENTAILED, State.CONTRADICTED), repeat=len(unknown)):
        after = {**states, **known, **dict(zip(unknown, values, strict=True))}
        if evaluate(logic, after) is other:
            return after
    return None


def _known(key: str, states: Mapping[str, State]) -> bool:
    return states.get(key, State.UNKNOWN) is not State.UNKNOWN


def _decided(logic: Logic, *, states: Mapping[str, State]) -> State:
    value = evaluate(logic, states)
    if value is State.UNKNOWN:
        message = "the value is open; expected states that decide it"
        raise ValueError(message)
    return value
