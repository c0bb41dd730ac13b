from __future__ import annotations

import pytest

from clausewise.compiler.literals import joined_by_or, negated_keys
from clausewise.compiler.signs import PAIR_SIGNS, SPAN_SIGNS, LogicSigns
from clausewise.structure.joints import joint_signs
from clausewise.structure.layout import blocks
from clausewise.structure.negation import denies, is_turned
from clausewise.trees.logic import parse_logic
from clausewise.trees.values import Span


def _spans(text: str, *parts: str) -> list[Span]:
    return [Span(start=text.index(part), end=text.index(part) + len(part)) for part in parts]


TEXT = "You can't join if you:\n\n* live abroad\n* work abroad, unless you are a diver"


def test_there_is_a_row_for_every_span_and_every_pair() -> None:
    spans = _spans(TEXT, "live abroad", "work abroad", "you are a diver")

    signs = LogicSigns.of(spans, text=TEXT)

    assert signs.pairs == ((0, 1), (0, 2), (1, 2))
    assert {len(row) for row in signs.spans} == {SPAN_SIGNS}
    assert {len(row) for row in signs.joints} == {PAIR_SIGNS}


def test_the_items_of_one_list_are_siblings() -> None:
    first, second, exception = _spans(TEXT, "live abroad", "work abroad", "you are a diver")
    layout = blocks(TEXT)

    siblings = joint_signs(first, second, text=TEXT, layout=layout, distance=1)
    same_item = joint_signs(second, exception, text=TEXT, layout=layout, distance=1)

    assert (siblings[0], siblings[1]) == (False, True)
    assert (same_item[0], same_item[1]) == (True, False)


def test_what_stands_before_an_exception_is_noticed() -> None:
    spans = _spans(TEXT, "live abroad", "you are a diver")

    ordinary, exception = LogicSigns.of(spans, text=TEXT).spans

    assert (ordinary[-1], exception[-1]) == (False, True)


@pytest.mark.parametrize(
    ("words", "question", "expected"),
    [
        ("you don't own a home", "Do you own a home?", True),
        ("you have no job", "Do you have a job?", True),
        ("you don't own a home", "Don't you own a home?", False),
        ("you own a home", "Do you own a home?", False),
    ],
)
def test_a_question_without_the_negation_of_the_words_is_turned(
    words: str, question: str, expected: bool
) -> None:
    assert is_turned(words, question=question) is expected


@pytest.mark.parametrize("text", ["You can't join", "you cannot join", "They won't pay", "banned"])
def test_words_that_deny_are_known(text: str) -> None:
    assert denies(text)
    assert not denies("You can join")


def test_negations_and_joints_are_those_of_the_logic_with_not_at_keys_only() -> None:
    logic = parse_logic("not (a or b and not c) and d")

    assert negated_keys(logic) == {"a": True, "b": True, "c": False, "d": False}
    joints = joined_by_or(logic)
    assert joints["b", "c"]
    assert not joints["a", "b"]
    assert not joints["c", "d"]
