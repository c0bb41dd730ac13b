from __future__ import annotations

from collections.abc import Mapping

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from clausewise.trees.logic import Logic, names
from clausewise.trees.plan import Plan, plan
from clausewise.trees.values import State
from tests.properties.logics import KNOWN, completions, logics, truth
from tests.trees.build import tree_of


class _Optimum:
    """The fewest questions to be expected, by trying every question in every situation."""

    def __init__(
        self, logic: Logic, *, probabilities: Mapping[str, float], unanswerable: frozenset[str]
    ) -> None:
        self._logic = logic
        self._keys = [key for key in names(logic) if key not in unanswerable]
        self._probabilities = probabilities
        self._found: dict[tuple[State, ...], float] = {}

    def outcomes(self, states: Mapping[str, State]) -> set[State]:
        """Return what can still come out; unknown where it depends on what can't be answered."""
        found: dict[tuple[bool, ...], set[bool]] = {}
        for assignment in completions(self._logic, states):
            answers = tuple(assignment[key] for key in self._keys)
            found.setdefault(answers, set()).add(truth(self._logic, assignment))
        return {
            State.of(min(values)) if len(values) == 1 else State.UNKNOWN
            for values in found.values()
        }

    def of(self, states: dict[str, State]) -> float:
        known = tuple(states.get(key, State.UNKNOWN) for key in self._keys)
        if known not in self._found:
            self._found[known] = self._least(states)
        return self._found[known]

    def _least(self, states: dict[str, State]) -> float:
        if len(self.outcomes(states)) == 1:
            return 0
        return min(self.with_first(key, states) for key in self._keys if key not in states)

    def with_first(self, key: str, states: dict[str, State]) -> float:
        """Return what is expected when this is asked first."""
        chance = self._probabilities[key]
        yes, no = (self.of({**states, key: state}) for state in KNOWN)
        return 1 + chance * yes + (1 - chance) * no


@settings(max_examples=60, deadline=None)
@given(logic=logics(keys=5, leaves=9), data=st.data())
def test_the_plan_is_optimal_and_takes_the_first_of_equals(
    logic: Logic, data: st.DataObject
) -> None:
    keys = names(logic)
    chances = st.sampled_from([0.5, 0.25, 0.0, 1.0]) | st.floats(0, 1)
    probabilities = {key: data.draw(chances) for key in keys}
    unanswerable = frozenset(key for key in keys if data.draw(st.integers(0, 4)) == 0)
    tree = tree_of(logic)
    optimum = _Optimum(logic, probabilities=probabilities, unanswerable=unanswerable)
    planned = plan(tree, states={}, probabilities=probabilities, unanswerable=unanswerable)
    if len(optimum.outcomes({})) == 1:
        assert planned is None
        return
    assert planned is not None
    assert planned.expected_questions == pytest.approx(optimum.of({}))
    equals = [
        key
        for key in keys
        if key not in unanswerable and optimum.with_first(key, {}) <= optimum.of({}) + 1e-9
    ]
    assert planned.key in equals
    if all(0 < chance < 1 for chance in probabilities.values()):
        assert planned.key == equals[0]


@settings(max_examples=40, deadline=None)
@given(logic=logics(keys=7, leaves=12), data=st.data())
def test_a_conversation_asks_what_matters_once_and_as_often_as_foretold(
    logic: Logic, data: st.DataObject
) -> None:
    keys = names(logic)
    probabilities = {key: data.draw(st.floats(0.05, 0.95)) for key in keys}
    unanswerable = frozenset(key for key in keys if data.draw(st.integers(0, 5)) == 0)
    optimum = _Optimum(logic, probabilities=probabilities, unanswerable=unanswerable)
    tree = tree_of(logic)

    def walk(states: dict[str, State]) -> tuple[float, int]:
        planned = plan(tree, states=states, probabilities=probabilities, unanswerable=unanswerable)
        if planned is None:
            assert len(optimum.outcomes(states)) == 1
            return 0, 0
        _asks_well(planned, logic=logic, states=states, unanswerable=unanswerable)
        chance = probabilities[planned.key]
        yes, no = (walk({**states, planned.key: state}) for state in KNOWN)
        expected, longest = 1 + chance * yes[0] + (1 - chance) * no[0], 1 + max(yes[1], no[1])
        assert planned.expected_questions == pytest.approx(expected)
        assert planned.at_most == longest
        return expected, longest

    walk({})


def _asks_well(
    planned: Plan, *, logic: Logic, states: Mapping[str, State], unanswerable: frozenset[str]
) -> None:
    assert planned.key not in states
    assert planned.key not in unanswerable
    assert any(
        truth(logic, {**assignment, planned.key: True})
        != truth(logic, {**assignment, planned.key: False})
        for assignment in completions(logic, states)
    )
