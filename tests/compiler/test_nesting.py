from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from clausewise.compiler.literals import joined_by_or, negated_keys
from clausewise.compiler.nesting import Nested, nested, outermost_not
from clausewise.trees.logic import Logic, format_logic, names, parse_logic
from clausewise.trees.tables import truth_table


@pytest.mark.parametrize(
    "text",
    [
        "a",
        "not a",
        "a and b",
        "a or b or c",
        "a and (b or c)",
        "(a and b) or (c and d)",
        "a and not b",
        "not (a or b)",
        "(a or b) and c and (d or not e)",
    ],
)
def test_a_logic_is_found_again_from_how_each_two_of_its_keys_are_joined(text: str) -> None:
    logic = parse_logic(text)

    assert _rebuilt(logic).logic == logic


def test_sure_pairs_give_a_sure_logic() -> None:
    chances = np.array([[0.5, 0.99], [0.99, 0.5]])

    best = nested(["a", "b"], negated=[False, False], chance_of_or=chances)

    assert format_logic(best.logic) == "a or b"
    assert best.probability == pytest.approx(0.99)


def test_pairs_that_contradict_each_other_give_the_likeliest_logic() -> None:
    # a-b says or, b-c says and, a-c says or, a little less surely than the others.
    chances = np.array([[0.5, 0.9, 0.6], [0.9, 0.5, 0.1], [0.6, 0.1, 0.5]])

    best = nested(["a", "b", "c"], negated=[False] * 3, chance_of_or=chances)

    assert format_logic(best.logic) == "a or b and c"


def test_many_negated_keys_become_one_not_around_them() -> None:
    assert format_logic(outermost_not(parse_logic("not a and not b"))) == "not (a or b)"


@st.composite
def logics(draw: st.DrawFn) -> Logic:
    keys = list("abcdefg")[: draw(st.integers(1, 7))]
    parts = [f"not {key}" if draw(st.booleans()) else key for key in keys]
    while len(parts) > 1:
        place = draw(st.integers(0, len(parts) - 2))
        word = draw(st.sampled_from(["and", "or"]))
        parts[place : place + 2] = [f"({parts[place]} {word} {parts[place + 1]})"]
    return parse_logic(parts[0])


@given(logics())
@settings(max_examples=60)
def test_every_logic_in_the_order_of_its_text_is_found_again(logic: Logic) -> None:
    keys = names(logic)

    found = _rebuilt(logic).logic

    assert truth_table(found, keys=keys) == truth_table(logic, keys=keys)


def _rebuilt(logic: Logic) -> Nested:
    keys = names(logic)
    negated, by_or = negated_keys(logic), joined_by_or(logic)
    chances = np.full((len(keys), len(keys)), 0.5)
    for (left, right), joined in by_or.items():
        chances[keys.index(left), keys.index(right)] = 1.0 if joined else 0.0
    return nested(keys, negated=[negated[key] for key in keys], chance_of_or=chances)
