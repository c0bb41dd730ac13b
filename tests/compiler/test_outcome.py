from __future__ import annotations

import pytest

from clausewise.compiler.outcome import remaining_outcome
from clausewise.structure.polarity import Polarity, polarity_of
from clausewise.trees.values import Span


@pytest.mark.parametrize(
    ("words", "expected"),
    [
        ("You can get a permit", Polarity.PERMITS),
        ("we will pay half of the fare", Polarity.PERMITS),
        ("You must tell us within a week", Polarity.REQUIRES),
        ("you'll be charged a late fee", Polarity.REQUIRES),
        ("You can't park in the lane", Polarity.FORBIDS),
        ("Smoking is prohibited", Polarity.FORBIDS),
        ("You're not eligible for the grant", Polarity.EXCLUDES),
        ("This does not apply", Polarity.EXCLUDES),
    ],
)
def test_the_words_of_an_outcome_tell_its_polarity(words: str, expected: Polarity) -> None:
    assert polarity_of(words) is expected


@pytest.mark.parametrize(
    ("text", "condition", "expected"),
    [
        ("If you moved, tell us within a week.", "you moved", "tell us within a week"),
        ("You can join the club if you are 18.", "you are 18", "You can join the club"),
        ("# Club\n\nMembers may vote when they have paid.", "they have paid", "Members may vote"),
    ],
)
def test_what_a_sentence_says_besides_its_condition_is_the_outcome(
    text: str, condition: str, expected: str
) -> None:
    start = text.index(condition)
    span = remaining_outcome(text, conditions=[Span(start=start, end=start + len(condition))])

    assert span is not None
    assert span.cut(text) == expected


def test_a_text_that_is_all_condition_has_no_outcome() -> None:
    assert remaining_outcome("you moved", conditions=[Span(start=0, end=9)]) is None
