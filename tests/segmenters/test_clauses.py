from __future__ import annotations

import pytest

from clausewise.segmenters.clauses import ClauseSegmenter


def cut(text: str) -> list[str]:
    return [span.cut(text) for span in ClauseSegmenter().segment(text)]


CASES = {
    "You can borrow a kayak if you hold a club card.": ["you hold a club card"],
    "If you hold a club card, you can borrow a kayak.": ["you hold a club card"],
    "If you hold a club card you can borrow a kayak.": ["you hold a club card"],
    "You may moor here unless the harbour is closed.": ["the harbour is closed"],
    "You may moor here if you pay the fee, unless the harbour is closed.": [
        "you pay the fee",
        "the harbour is closed",
    ],
    "You can only moor here if you own the boat and you have insured it.": [
        "you own the boat",
        "you have insured it",
    ],
    "Moorings are let to anyone who owns a boat.": ["owns a boat"],
    "You must be 18 or over.": ["be 18 or over"],
    "You can enter provided that you wear a helmet, even if you are a visitor.": [
        "you wear a helmet"
    ],
    "You can't enter if you are barefoot (for example in sandals).": ["you are barefoot"],
    "We refund tickets when a match is cancelled because of snow.": ["a match is cancelled"],
    "Ask at the desk.": ["Ask at the desk"],
}


@pytest.mark.parametrize(("text", "expected"), CASES.items())
def test_conditions_of_a_sentence_are_cut_at_their_cues(text: str, expected: list[str]) -> None:
    assert cut(text) == expected


def test_items_lose_their_markers_and_their_connectives() -> None:
    text = "## Kayaks\n\nYou must:\n\n* hold a card; and\n* be 16 or over - ask\n* swim well, or\n"
    assert cut(text) == ["hold a card", "be 16 or over", "swim well"]


def test_the_line_above_a_list_is_no_condition_but_its_clauses_are() -> None:
    text = (
        "You qualify if you live here and one of these is true:\n\n- you rent\n- you own a boat\n"
    )
    assert cut(text) == ["you live here", "you rent", "you own a boat"]


def test_items_that_hold_lists_are_left_to_their_items() -> None:
    text = "Bring all of:\n* a card\n* one of the following:\n  * a passport\n  * a licence\n"
    assert cut(text) == ["a card", "a passport", "a licence"]


def test_wrapped_lines_are_one_condition() -> None:
    text = (
        "You can fish if you\nhold a rod licence.\n\n- Bring a bucket that\n  holds ten litres.\n"
    )
    assert cut(text) == ["you\nhold a rod licence", "Bring a bucket that\n  holds ten litres"]


def test_lists_without_markers_are_found_behind_a_colon() -> None:
    text = "The club may expel a member who:\nowes a fee;\nhas damaged a boat; or\nis banned.\n"
    assert cut(text) == ["owes a fee", "has damaged a boat", "is banned"]


def test_outcomes_and_headings_are_no_conditions() -> None:
    assert cut("# If you fish\n\nYou may fish. Tell us if you lose a net.") == ["you lose a net"]


def test_a_heading_alone_is_the_condition_of_last_resort() -> None:
    assert cut("# Fishing\n") == ["Fishing"]


def test_a_text_without_words_has_no_conditions() -> None:
    assert cut("  \n* \n") == []
