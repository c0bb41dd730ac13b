"""The value of a logic when some conditions are unknown, in two strengths.

`kleene` takes one step at a time, so it can't see that `a or not a` is true whatever `a` is.
`exact` (supervaluation) can: a value is decided where all completions of what is known agree. The
two differ only where a key occurs twice among what is still open: in a read-once logic the
completions of one part never bind those of another, so Kleene's value is exact and nothing needs to
be enumerated. `evaluate`, which the engine uses, is exact as far as truth tables go.

All three are monotone: a decided value stays when more becomes known. Keys without a state are
unknown.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from clausewise.trees.logic import (
    And,
    AtLeast,
    Logic,
    Name,
    Not,
    Or,
    all_of,
    any_of,
    is_read_once,
    names,
)
from clausewise.trees.tables import MAX_KEYS, full, truth_table
from clausewise.trees.values import State

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping


def kleene(logic: Logic, states: Mapping[str, State]) -> State:
    """Return the logic's value in Kleene's three values."""
    left = restrict(logic, states)
    return State.of(left) if isinstance(left, bool) else State.UNKNOWN


def exact(logic: Logic, states: Mapping[str, State]) -> State:
    """Return the value on which all completions of the states agree; unknown where they don't.

    Raises ValueError where more than MAX_KEYS open conditions remain in a logic that names one of
    them twice.
    """
    left = restrict(logic, states)
    if isinstance(left, bool):
        return State.of(left)
    if is_read_once(left):
        return State.UNKNOWN
    keys = names(left)
    if len(keys) > MAX_KEYS:
        message = f"{len(keys)} open conditions; expected at most {MAX_KEYS} in an exact evaluation"
        raise ValueError(message)
    return _agreed(truth_table(left, keys=keys), count=len(keys))


def evaluate(logic: Logic, states: Mapping[str, State]) -> State:
    """Return the exact value where at most MAX_KEYS conditions are open, else Kleene's."""
    left = restrict(logic, states)
    if isinstance(left, bool):
        return State.of(left)
    if is_read_once(left) or len(names(left)) > MAX_KEYS:
        return State.UNKNOWN
    return exact(left, {})


def _agreed(table: int, *, count: int) -> State:
    if table == 0:
        return State.CONTRADICTED
    return State.ENTAILED if table == full(count) else State.UNKNOWN


def restrict(logic: Logic, states: Mapping[str, State]) -> Logic | bool:
    """Return what is left of the logic once the known conditions are put in.

    That is a truth value, or a logic over unknown conditions only, in which each of them still
    counts as far as Kleene's logic can tell.
    """
    match logic:
        case Name(key):
            state = states.get(key, State.UNKNOWN)
            return logic if state is State.UNKNOWN else state is State.ENTAILED
        case Not(part):
            left = restrict(part, states)
            return not left if isinstance(left, bool) else Not(left)
        case And(parts):
            return _left_of(len(parts), (restrict(part, states) for part in parts))
        case Or(parts):
            return _left_of(1, (restrict(part, states) for part in parts))
        case AtLeast(count, parts):
            return _left_of(count, (restrict(part, states) for part in parts))


def _left_of(count: int, parts: Iterable[Logic | bool]) -> Logic | bool:
    """Return what is left of at least `count` of the parts."""
    still_open: list[Logic] = []
    for part in parts:
        if isinstance(part, bool):
            count -= part
        else:
            still_open.append(part)
    if count <= 0:
        return True
    if count > len(still_open):
        return False
    if count == len(still_open):
        return all_of(still_open)
    return any_of(still_open) if count == 1 else AtLeast(count, tuple(still_open))
