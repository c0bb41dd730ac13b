from __future__ import annotations

import pytest

from clausewise.segmenters.neural import NeuralSegmenter, merge
from clausewise.trees.values import Span
from tests.segmenters.taggers import BeginsAt

CUES = BeginsAt(words=frozenset({"if", "that", "unless", "their", "to", "."}))


def cut(text: str, *, merged: bool = True) -> list[str]:
    spans = NeuralSegmenter(tagger=CUES, merged=merged).segment(text)
    return [span.cut(text) for span in spans]


def test_units_begin_where_the_network_says() -> None:
    text = "You may row if you hold a card, unless it rains."
    assert cut(text, merged=False) == ["You may row", "if you hold a card,", "unless it rains", "."]


def test_units_that_do_not_stand_alone_are_merged() -> None:
    text = "If it rains, their club may say that nobody rows to sea."
    assert cut(text) == ["If it rains,", "their club may say that nobody rows", "to sea."]


def test_headings_and_items_are_units_of_their_own() -> None:
    text = "# Ask if unsure\n\nYou may row if:\n\n* you swim, unless it rains\n* you rent"
    assert cut(text) == [
        "# Ask if unsure",
        "You may row",
        "if:",
        "* you swim, unless it rains",
        "* you rent",
    ]


def test_the_first_word_never_needs_to_be_marked() -> None:
    assert cut("Nobody rows.", merged=False) == ["Nobody rows", "."]


@pytest.mark.parametrize(
    ("left", "right", "apart"),
    [
        ("they may stay", "if it rains", True),
        ("they may stay", "IF it rains", True),
        ("they may stay", "iffy as it is", False),
        ("they may stay", "when it rains", False),
        ("after all,", "when it rains", True),
        ("as follows:", "when it rains", True),
        ("at noon;", "when it rains", False),
        ("at noon", "except on Sundays", True),
    ],
)
def test_the_papers_rule_of_merging(left: str, right: str, *, apart: bool) -> None:
    text = f"{left} {right}"
    units = (
        Span(start=0, end=len(left)),
        Span(start=len(left) + 1, end=len(text)),
    )
    assert len(merge(units, text=text)) == (2 if apart else 1)
