from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from clausewise.structure.wording import MARKS, Wording, split_words
from clausewise.trees.values import Span


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("you don't own", ["you", "do", "n't", "own"]),
        ("you’ve paid £1,200.50.", ["you", "’ve", "paid", "£", "1,200.50", "."]),
        ("part-time work", ["part", "-", "time", "work"]),
    ],
)
def test_words_signs_and_endings_are_apart(text: str, expected: list[str]) -> None:
    assert [word.text for word in split_words(text)] == expected


def test_a_span_is_found_as_words_and_back() -> None:
    wording = Wording.of("You can park if you live here.")
    span = Span(start=16, end=29)

    place = wording.place(span)

    assert place is not None
    assert wording.span(*place) == span


def test_words_of_an_item_are_marked_apart_from_prose() -> None:
    wording = Wording.of("You need both:\n\n* a card\n* a form")
    marks = dict(zip((word.text for word in wording.words), wording.marks, strict=True))

    assert marks["card"] // 6 != marks["need"] // 6


@given(st.text(max_size=120))
@settings(max_examples=60)
def test_every_word_stands_where_it_says(text: str) -> None:
    wording = Wording.of(text)

    assert all(text[word.start : word.end] == word.text for word in wording.words)
    assert all(0 <= mark < MARKS for mark in wording.marks)
