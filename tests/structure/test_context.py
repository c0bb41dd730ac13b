from __future__ import annotations

import pytest

from clausewise.structure.context import said_before
from clausewise.trees.values import Span


def before(marked: str) -> str:
    start, end = marked.index("["), marked.index("]") - 1
    text = marked.replace("[", "").replace("]", "")
    return said_before(Span(start=start, end=end), text=text)


CASES = {
    "You must have:\n\n* [a card]": "You must have",
    "You may row if your boat is:\n* [new]": "your boat is",
    "You may row if you live in Bath, Wells or [Frome]": "you live in",
    "You may row if you have one of the following:\n* [a card]": "",
    "You may row if:\n* [you hold a card]": "",
    "We lend boats to people who [row well]": "people who",
    "[You row]": "",
    "You can [row]": "",
}


@pytest.mark.parametrize(("marked", "expected"), CASES.items())
def test_the_other_half_of_a_sentence_is_found(marked: str, expected: str) -> None:
    assert before(marked) == expected
