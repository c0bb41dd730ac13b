"""Logics, states and their meaning by brute force, for the properties of rule trees."""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Mapping

from hypothesis import strategies as st

from clausewise.trees.logic import And, AtLeast, Logic, Name, Not, Or, names
from clausewise.trees.values import State

KEYS = tuple("abcdefghijkl")
KNOWN = (State.ENTAILED, State.CONTRADICTED)


def _joined(parts: st.SearchStrategy[Logic]) -> st.SearchStrategy[Logic]:
    several = st.lists(parts, min_size=2, max_size=4).map(tuple)
    counted = st.lists(parts, min_size=1, max_size=4).flatmap(
        lambda found: st.integers(1, len(found)).map(lambda count: AtLeast(count, tuple(found)))
    )
    return several.map(And) | several.map(Or) | counted | parts.map(Not)


def logics(*, keys: int = 12, leaves: int = 14) -> st.SearchStrategy[Logic]:
    """Return logics over at most so many keys, each of which may occur several times."""
    leaf: st.SearchStrategy[Logic] = st.sampled_from(KEYS[:keys]).map(Name)
    return st.recursive(leaf, _joined, max_leaves=leaves)


@st.composite
def read_once_logics(draw: st.DrawFn, *, keys: int = 12) -> Logic:
    """Return logics in which no key occurs twice."""
    logic = draw(logics(keys=keys))
    fresh = iter(KEYS)
    return _renamed(logic, fresh=fresh)


def _renamed(logic: Logic, *, fresh: Iterator[str]) -> Logic:
    """Return the logic with a new key at each leaf, and fewer parts when keys run out."""
    match logic:
        case Name():
            return Name(next(fresh, KEYS[-1]))
        case Not(part):
            return Not(_renamed(part, fresh=fresh))
        case And(parts):
            return And((_renamed(parts[0], fresh=fresh), _renamed(parts[1], fresh=fresh)))
        case Or(parts):
            return Or((_renamed(parts[0], fresh=fresh), _renamed(parts[1], fresh=fresh)))
        case AtLeast(count, parts):
            return AtLeast(count, tuple(_renamed(part, fresh=fresh) for part in parts))


@st.composite
def logics_with_states(
    draw: st.DrawFn, *, keys: int = 12, leaves: int = 14
) -> tuple[Logic, dict[str, State]]:
    """Return a logic and a state for each of its keys."""
    logic = draw(logics(keys=keys, leaves=leaves))
    return logic, {key: draw(st.sampled_from(list(State))) for key in names(logic)}


def truth(logic: Logic, assignment: Mapping[str, bool]) -> bool:
    """Return the value of the logic in two-valued logic."""
    match logic:
        case Name(key):
            return assignment[key]
        case Not(part):
            return not truth(part, assignment)
        case And(parts):
            return all(truth(part, assignment) for part in parts)
        case Or(parts):
            return any(truth(part, assignment) for part in parts)
        case AtLeast(count, parts):
            return sum(truth(part, assignment) for part in parts) >= count


def completions(logic: Logic, states: Mapping[str, State]) -> Iterator[dict[str, bool]]:
    """Yield every assignment that agrees with what is known."""
    keys = names(logic)
    choices = [
        [states[key] is State.ENTAILED] if states.get(key) in KNOWN else [True, False]
        for key in keys
    ]
    for values in itertools.product(*choices):
        yield dict(zip(keys, values, strict=True))


def agreed(logic: Logic, states: Mapping[str, State]) -> State:
    """Return the value that all completions share, by looking at each."""
    values = {truth(logic, assignment) for assignment in completions(logic, states)}
    return State.of(values.pop()) if len(values) == 1 else State.UNKNOWN
