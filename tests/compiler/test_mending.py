from __future__ import annotations

from clausewise.compiler.mending import mended
from clausewise.compiler.spans import Found
from clausewise.structure.wording import Wording
from clausewise.trees.values import Span


def _mended(text: str, *parts: str) -> list[str]:
    wording = Wording.of(text)
    found = []
    for part in parts:
        start = text.index(part)
        place = wording.place(Span(start=start, end=start + len(part)))
        assert place
        found.append(Found(first=place[0], last=place[1], probability=0.9))
    return [wording.span(one.first, one.last).cut(text) for one in mended(found, wording=wording)]


def test_a_condition_ends_with_its_clause() -> None:
    text = "Go alone only if they hold the sculling badge and the water is low."
    assert _mended(text, "they hold the sculling") == ["they hold the sculling badge"]


def test_a_condition_far_from_the_end_of_its_clause_is_left_as_it_is() -> None:
    text = "You get it if you are over 65 on the last day of the month."
    assert _mended(text, "you are over 65") == ["you are over 65"]


def test_a_condition_does_not_run_into_the_next_paragraph() -> None:
    text = "You can claim if you report the loss within four years\n\nLosses on cars never count."
    assert _mended(text, "you report the loss within four years\n\nLosses") == [
        "you report the loss within four years"
    ]


def test_a_condition_begins_behind_its_if() -> None:
    text = "You can get a card if you live, work or study in the city."
    assert _mended(text, "work or study in the city") == ["you live, work or study in the city"]


def test_a_condition_does_not_reach_back_over_another() -> None:
    text = "You can get a card if you live here and work here."
    assert _mended(text, "you live here", "work here") == ["you live here", "work here"]


def test_the_item_that_was_missed_in_a_list_of_conditions_is_one() -> None:
    text = "You need not pay if:\n\n* a relative died\n* you were ill, or\n* a fire stopped you"
    assert _mended(text, "a relative died", "a fire stopped you") == [
        "a relative died",
        "you were ill",
        "a fire stopped you",
    ]


def test_a_list_of_which_little_is_a_condition_stays_as_it_is() -> None:
    text = "Bring:\n\n* a pen\n* a book\n* a permit if you drive"
    assert _mended(text, "a permit if you drive") == ["a permit if you drive"]


def test_no_two_conditions_overlap() -> None:
    text = "You may row if accompanied by a coach, or if you hold a badge.\n\n* one\n* two"
    shown = _mended(text, "accompanied by", "hold a", "one")
    assert shown == ["accompanied by a coach", "you hold a badge", "one"]


def test_a_condition_that_stops_at_its_subject_goes_on_to_the_end_of_its_clause() -> None:
    text = "You may row alone if you hold a badge, unless the river flag is red."
    shown = _mended(text, "you hold a badge", "the river flag")
    assert shown == ["you hold a badge", "the river flag is red"]
