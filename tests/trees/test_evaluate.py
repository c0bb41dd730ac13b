from __future__ import annotations

import time

import pytest

from clausewise.trees.evaluate import evaluate, exact, kleene, restrict
from clausewise.trees.logic import AtLeast, Name, format_logic, parse_logic
from clausewise.trees.values import State
from tests.trees.build import states_of


@pytest.mark.parametrize(
    ("logic", "states", "value"),
    [
        ("a and b", "a no", State.CONTRADICTED),
        ("a and b", "a yes", State.UNKNOWN),
        ("a or b", "b yes", State.ENTAILED),
        ("a and not b", "a yes, b no", State.ENTAILED),
        ("atleast(2, a, b, c)", "a yes, c yes", State.ENTAILED),
        ("atleast(2, a, b, c)", "a no, c no", State.CONTRADICTED),
        ("atleast(2, a, b, c)", "a no, c yes", State.UNKNOWN),
    ],
)
def test_known_conditions_decide_as_far_as_they_reach(
    logic: str, states: str, value: State
) -> None:
    parsed = parse_logic(logic)
    assert kleene(parsed, states_of(states)) is value
    assert exact(parsed, states_of(states)) is value
    assert evaluate(parsed, states_of(states)) is value


@pytest.mark.parametrize(
    ("logic", "value"),
    [
        ("a or not a", State.ENTAILED),
        ("a and not a", State.CONTRADICTED),
        ("(a or b) and (a or not b) or not a", State.ENTAILED),
        ("atleast(1, a, not a)", State.ENTAILED),
    ],
)
def test_kleene_is_weaker_where_a_key_occurs_twice(logic: str, value: State) -> None:
    parsed = parse_logic(logic)
    assert kleene(parsed, {}) is State.UNKNOWN
    assert exact(parsed, {}) is value
    assert evaluate(parsed, {}) is value


def test_what_is_left_names_only_open_conditions() -> None:
    logic = parse_logic("a and (b or c) and atleast(2, d, e, f)")
    left = restrict(logic, states_of("a yes, b no, d yes"))
    assert not isinstance(left, bool)
    assert format_logic(left) == "c and (e or f)"


def _twice(count: int) -> str:
    return " or ".join(f"k{n} and not k{n + 1}" for n in range(count - 1)) + f" or k{count - 1}"


def test_above_twenty_open_conditions_the_value_is_kleenes() -> None:
    tautology = "(a or not a) or " + _twice(20)
    assert evaluate(parse_logic(tautology), {}) is State.UNKNOWN
    with pytest.raises(ValueError, match="21 open conditions; expected at most 20"):
        exact(parse_logic(tautology), {})
    assert evaluate(parse_logic(tautology), states_of("k0 no")) is State.ENTAILED


def test_a_read_once_logic_of_any_size_is_evaluated_exactly() -> None:
    logic = AtLeast(500, tuple(Name(f"k{number}") for number in range(1_000)))
    known = {f"k{number}": State.ENTAILED for number in range(499)}
    assert exact(logic, known) is State.UNKNOWN
    assert exact(logic, known | states_of("k999 yes")) is State.ENTAILED


def test_twenty_open_conditions_are_evaluated_exactly_in_milliseconds() -> None:
    logic = parse_logic(_twice(20))
    began = time.perf_counter()
    assert exact(logic, {}) is State.UNKNOWN
    assert time.perf_counter() - began < 0.1
