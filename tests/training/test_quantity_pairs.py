from __future__ import annotations

import random

import pytest

from clausewise.training.number_words import in_words
from clausewise.training.quantity_pairs import OPERATORS, quantity_pairs
from clausewise.trees.values import State


def test_pairs_are_the_same_for_the_same_lot() -> None:
    assert quantity_pairs(50, lot=random.Random(1)) == quantity_pairs(50, lot=random.Random(1))


def test_all_three_states_come_about_as_often_as_meant() -> None:
    states = [pair.state for pair in quantity_pairs(3000, lot=random.Random(2))]
    shares = {state: states.count(state) / len(states) for state in State}
    assert 0.15 < shares[State.UNKNOWN] < 0.25
    assert shares[State.ENTAILED] > 0.3
    assert shares[State.CONTRADICTED] > 0.3


@pytest.mark.parametrize(
    ("operator", "value", "holds"),
    [
        ("over", 65, False),
        ("at least", 65, True),
        ("under", 65, False),
        ("at most", 65, True),
        ("between", 70, True),
        ("between", 71, False),
    ],
)
def test_thresholds_hold_to_the_letter(operator: str, value: int, holds: bool) -> None:
    assert OPERATORS[operator](value, 65, 70) is holds


def test_ages_are_labelled_by_arithmetic() -> None:
    pairs = quantity_pairs(40_000, lot=random.Random(3))
    ages = [
        (int(pair.question.split()[-1].rstrip("?")), int(pair.said[4:-1]), pair.state)
        for pair in pairs
        if pair.question.startswith("Are you over ")
        and pair.question.split()[-1].rstrip("?").isdigit()
        and pair.said.startswith("I'm ")
        and pair.said[4:-1].isdigit()
    ]
    assert len(ages) > 5
    assert all(state is State.of(age > limit) for limit, age, state in ages)


@pytest.mark.parametrize(("number", "words"), [(7, "seven"), (20, "twenty"), (43, "forty-three")])
def test_small_numbers_are_written_in_words(number: int, words: str) -> None:
    assert in_words(number) == words
