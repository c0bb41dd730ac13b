from __future__ import annotations

import pytest

from clausewise.trees.heuristic import estimate
from clausewise.trees.logic import parse_logic

PROBABILITIES = {"a": 0.5, "b": 0.2, "c": 0.9, "d": 0.5}


@pytest.mark.parametrize(
    ("logic", "key", "questions", "holds"),
    [
        ("a", "a", 1, 0.5),
        ("not c", "c", 1, 0.1),
        ("a and b and c", "b", 1 + 0.2 + 0.1, 0.09),
        ("a or b or c", "c", 1 + 0.1 + 0.05, 0.96),
        ("not (a and b)", "b", 1.2, 0.9),
        ("a and d", "a", 1.5, 0.25),
        ("b and (a or c)", "b", 1 + 0.2 * 1.1, 0.19),
        ("atleast(2, a, b, d)", "a", 2.5, 0.35),
    ],
)
def test_estimates_are_exact_for_single_conditions_and_add_up(
    logic: str, key: str, questions: float, holds: float
) -> None:
    estimated = estimate(parse_logic(logic), probabilities=PROBABILITIES)
    assert estimated.key == key
    assert estimated.questions == pytest.approx(questions)
    assert estimated.holds == pytest.approx(holds)


def test_what_can_not_be_asked_costs_nothing_and_comes_last() -> None:
    estimated = estimate(parse_logic("u and b and v"), probabilities={"b": 0.5})
    assert estimated.key == "b"
    assert estimated.questions == 1
