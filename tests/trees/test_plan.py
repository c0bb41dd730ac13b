from __future__ import annotations

import itertools
import time

import pytest

from clausewise.trees.logic import And, AtLeast, Logic, Name, Or
from clausewise.trees.plan import Plan, plan
from clausewise.trees.values import State
from tests.trees.build import states_of, tree_of


def test_the_question_that_settles_most_is_asked_first() -> None:
    assert plan(tree_of("a and b or c"), states={}) == Plan(
        key="c", expected_questions=1.75, at_most=3
    )


def test_probabilities_change_what_settles_most() -> None:
    likely_no = plan(tree_of("a and b"), states={}, probabilities={"a": 0.9, "b": 0.1})
    assert likely_no is not None
    assert likely_no.key == "b"
    assert likely_no.expected_questions == pytest.approx(1.1)


def test_among_equals_the_author_s_order_decides() -> None:
    first = plan(tree_of("b or a or c", keys=("a", "c", "b")), states={})
    assert first is not None
    assert first.key == "a"


def test_nothing_is_asked_when_the_value_is_decided() -> None:
    assert plan(tree_of("a and b"), states=states_of("a no")) is None
    assert plan(tree_of("a or not a"), states={}) is None


def test_what_can_not_change_the_answer_is_never_asked() -> None:
    tree = tree_of("a and b or a and not b or c", keys=("b", "a", "c"))
    assert plan(tree, states={}) == Plan(key="a", expected_questions=1.5, at_most=2)


def test_known_conditions_are_never_asked_again() -> None:
    after = plan(tree_of("a and b and c"), states=states_of("a yes"))
    assert after == Plan(key="b", expected_questions=1.5, at_most=2)


def test_what_the_person_can_not_tell_is_never_asked() -> None:
    after = plan(tree_of("a or b and c"), states={}, unanswerable={"a"})
    assert after == Plan(key="b", expected_questions=1.5, at_most=2)


def test_asking_ends_where_nothing_can_be_decided_any_more() -> None:
    tree = tree_of("a and b or c")
    assert plan(tree, states=states_of("c no"), unanswerable={"a", "b"}) is None
    assert plan(tree_of("a and b"), states=states_of("b yes"), unanswerable={"a"}) is None
    assert plan(tree_of("a"), states={}, unanswerable={"a"}) is None


def test_a_probability_must_be_one() -> None:
    for wrong in (-0.1, 1.1, float("nan")):
        with pytest.raises(ValueError, match="expected a number from 0 to 1"):
            plan(tree_of("a"), states={}, probabilities={"a": wrong})


def _pairs(count: int) -> Logic:
    keys = [Name(f"k{number}") for number in range(count)]
    return And(tuple(Or((first, second)) for first, second in itertools.pairwise(keys)))


@pytest.mark.parametrize("count", [13, 15])
def test_above_twelve_conditions_the_longest_path_is_that_of_the_plan_itself(count: int) -> None:
    tree = tree_of(_pairs(count))
    states: dict[str, State] = {}
    planned = plan(tree, states=states)
    while planned is not None:
        branches = {
            state: plan(tree, states={**states, planned.key: state})
            for state in (State.ENTAILED, State.CONTRADICTED)
        }
        lengths = {state: branch.at_most if branch else 0 for state, branch in branches.items()}
        assert planned.at_most == 1 + max(lengths.values())
        longest = max(lengths, key=lambda state: lengths[state])
        states[planned.key], planned = longest, branches[longest]


def test_above_twelve_conditions_single_ones_are_asked_in_the_best_order() -> None:
    keys = [f"k{number}" for number in range(15)]
    probabilities = {key: (1 + place) / 20 for place, key in enumerate(keys)}
    names = tuple(Name(key) for key in keys)
    all_needed = plan(tree_of(And(names)), states={}, probabilities=probabilities)
    one_needed = plan(tree_of(Or(names)), states={}, probabilities=probabilities)
    assert all_needed is not None
    assert one_needed is not None
    assert (all_needed.key, all_needed.at_most) == ("k0", 15)
    assert (one_needed.key, one_needed.at_most) == ("k14", 15)
    assert one_needed.expected_questions < 2


def test_thousands_of_conditions_are_planned_without_trouble() -> None:
    names = tuple(Name(f"k{number}") for number in range(2_000))
    planned = plan(tree_of(AtLeast(1_000, names)), states={})
    assert planned is not None
    assert planned.key == "k0"
    assert planned.at_most == 2_000
    shared = plan(tree_of(_pairs(1_000)), states={})
    assert shared is not None
    assert shared.at_most <= 1_000


def test_planning_is_fast() -> None:
    six = tree_of("a and b or c and (d or not e) or f")
    twelve = tree_of(AtLeast(6, tuple(Name(f"k{number}") for number in range(12))))
    for tree, seconds in ((six, 0.02), (twelve, 1.0)):
        plan(tree, states={})  # tables that depend on the number of conditions only are kept
        began = time.perf_counter()
        plan(tree, states={}, probabilities={tree.keys[0]: 0.123})
        assert time.perf_counter() - began < seconds
