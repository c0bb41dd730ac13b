"""Why a decided rule has its value, and what would have to be different for the other one.

Up to MAX_KEYS conditions both are exact: one truth table, over the sets of conditions instead of
their values, holds the answer for every set at once. Conditions that can be no part of a smallest
set are put in first and don't count. Logics with more fall back on a search that is documented with
each function.
"""

from __future__ import annotations

import itertools
from typing import TYPE_CHECKING

import numpy as np

from clausewise.trees.evaluate import evaluate, restrict
from clausewise.trees.logic import Logic, Name, Not, names, parts_of
from clausewise.trees.tables import (
    MAX_KEYS,
    combine,
    for_all_first,
    full,
    of_weight,
    stride,
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
    value, pulls = _decided(logic, states=states), _pulls(logic)
    left = _without(logic, _no_part_of_a_reason(pulls, states=states, value=value))
    if left is None:
        return ()
    keys = _in_order_of(logic, left)
    known = [key for key in keys if _known(key, states)]
    if len(keys) > MAX_KEYS:
        return _irredundant(left, states={key: states[key] for key in known}, value=value)
    unknown = [key for key in keys if not _known(key, states)]
    table = _as_they_are(left, keys=[*unknown, *known], states=states, value=value)
    table = for_all_first(table, times=len(unknown), count=len(keys))
    return _first_smallest(_forcing(table, pulls=pulls, known=known), keys=known)


def _no_part_of_a_reason(
    pulls: Mapping[str, set[bool]], *, states: Mapping[str, State], value: State
) -> dict[str, State]:
    """Return the states, assumed if unknown, of the conditions that could only speak against it.

    One that pulls one way only forces nothing where it pulls the other way than the value; and
    where it is unknown, the worst that it could be is all that needs to be looked at.
    """
    worst = {key: ~state for key, state in _for(value, pulls=pulls).items()}
    return {key: state for key, state in worst.items() if states.get(key) is not ~state}


def _as_they_are(
    logic: Logic, *, keys: Sequence[str], states: Mapping[str, State], value: State
) -> int:
    """Return where the logic has the value; a known key "holds" in it where it is as it is."""
    count = len(keys)
    leaves = {key: variable(position, count=count) for position, key in enumerate(keys)}
    for key in keys:
        if states.get(key) is State.CONTRADICTED:
            leaves[key] ^= full(count)
    table = combine(logic, leaves=leaves, everywhere=full(count))
    return table if value is State.ENTAILED else full(count) ^ table


def _forcing(table: int, *, pulls: Mapping[str, set[bool]], known: Sequence[str]) -> int:
    """Return the table of the sets of conditions that force the table to be true.

    A set forces if it does whether a further condition is as it is or not. Of one that pulls one
    way only, which is towards the value, the latter is enough, and already so in the table.
    """
    count = len(known)
    for position, key in enumerate(known):
        if len(pulls[key]) == 2:
            holds, apart = variable(position, count=count), stride(position, count=count)
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
    best = _for(other, pulls=_pulls(logic))
    left = _without(logic, {key: state for key, state in best.items() if states.get(key) is state})
    if left is None:
        return ()
    keys = _in_order_of(logic, left)
    if len(keys) > MAX_KEYS:
        return _tried(logic, keys=keys, states=states, limit=limit)
    changes = _Changes(left, keys=keys, states=states, goal=other is State.ENTAILED)
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

    def __init__(
        self, logic: Logic, *, keys: Sequence[str], states: Mapping[str, State], goal: bool
    ) -> None:
        pulls = _pulls(logic)
        self._both = [key for key in keys if len(pulls[key]) == 2 and not _known(key, states)]
        self._plain = [key for key in keys if key not in self._both]
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


def _for(value: State, *, pulls: Mapping[str, set[bool]]) -> dict[str, State]:
    """Return the state that speaks for the value, of each condition that pulls one way only."""
    return {
        key: State.of((True in towards) == (value is State.ENTAILED))
        for key, towards in pulls.items()
        if len(towards) == 1
    }


def _without(logic: Logic, states: Mapping[str, State]) -> Logic | None:
    """Return the logic with these states put in; None where that leaves nothing open."""
    left = restrict(logic, states)
    return None if isinstance(left, bool) else left


def _in_order_of(logic: Logic, left: Logic) -> tuple[str, ...]:
    """Return the keys of what is left of a logic, in the order of the whole."""
    named = set(names(left))
    return tuple(key for key in names(logic) if key in named)


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
