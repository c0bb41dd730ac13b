from __future__ import annotations

import itertools
from collections.abc import Iterator, Mapping

from hypothesis import assume, given, settings

from clausewise.trees.explain import because, flips, states_after
from clausewise.trees.logic import Logic, names
from clausewise.trees.values import State
from tests.properties.logics import KNOWN, agreed, logics_with_states


@settings(max_examples=80, deadline=None)
@given(found=logics_with_states(keys=6))
def test_the_reason_is_the_first_of_the_smallest_sets_that_force_the_value(
    found: tuple[Logic, dict[str, State]],
) -> None:
    logic, states = found
    value = agreed(logic, states)
    assume(value is not State.UNKNOWN)
    known = [key for key in names(logic) if states[key] is not State.UNKNOWN]
    forcing = (
        chosen
        for size in range(len(known) + 1)
        for chosen in itertools.combinations(known, size)
        if agreed(logic, {key: states[key] for key in chosen}) is value
    )
    assert because(logic, states=states) == next(forcing)


@settings(max_examples=60, deadline=None)
@given(found=logics_with_states(keys=5))
def test_changes_are_all_the_smallest_that_flip_the_answer(
    found: tuple[Logic, dict[str, State]],
) -> None:
    logic, states = found
    value = agreed(logic, states)
    assume(value is not State.UNKNOWN)
    changes = flips(logic, states=states)
    assert changes == _smallest_flips(logic, states=states, other=~value)
    for change in changes:
        after = states_after(logic, states=states, change=change)
        assert after is not None
        assert agreed(logic, after) is ~value
        assert {key for key in states if after[key] is not states[key]} == set(change)


def _smallest_flips(
    logic: Logic, *, states: Mapping[str, State], other: State
) -> tuple[tuple[str, ...], ...]:
    keys = names(logic)
    for size in range(1, len(keys) + 1):
        found = tuple(
            chosen
            for chosen in itertools.combinations(keys, size)
            if any(agreed(logic, after) is other for after in _changed(states, chosen))
        )
        if found:
            return found
    return ()


def _changed(states: Mapping[str, State], chosen: tuple[str, ...]) -> Iterator[dict[str, State]]:
    choices = [[state for state in KNOWN if state is not states[key]] for key in chosen]
    for values in itertools.product(*choices):
        yield {**states, **dict(zip(chosen, values, strict=True))}
