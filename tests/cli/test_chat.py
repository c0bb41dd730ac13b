from __future__ import annotations

import io
import sys
from collections.abc import Iterator

import pytest

from clausewise.cli.app import run
from clausewise.cli.chat import Chat, parse_turn, split_question, typed_lines
from clausewise.engine import Engine
from clausewise.errors import InputError
from clausewise.readers.compiled import CompiledReader
from clausewise.readers.lexical import LexicalJudge
from clausewise.types import Turn
from tests.fakes import FixedCompiler, FixedCoverage, FixedRetriever, permit_tree


def _chat(*, probability: float = 1.0) -> Chat:
    engine = Engine(
        retriever=FixedRetriever(),
        coverage=FixedCoverage(probability=probability),
        reader=CompiledReader(judge=LexicalJudge(), compiler=FixedCompiler(tree=permit_tree())),
        top_k=3,
        minimum_coverage=0.5,
    )
    return Chat(engine=engine)


def _said(chat: Chat, *lines: str) -> list[str]:
    shown: list[str] = []
    for line in lines:
        shown = list(chat.say(line))
    return shown


def test_a_question_is_answered_with_a_follow_up_question() -> None:
    assert _said(_chat(), "Can I get a second permit?") == [
        "Do you live in the zone?  (at most 3 left)"
    ]


def test_the_answer_shows_the_rule_the_clause_and_the_persons_words() -> None:
    assert _said(_chat(), "Can I get a second permit?", "nope") == [
        "No.",
        "  Rule: Permits > Second permit [permits#second]",
        '  ✗ "you live in the zone"',
        '      you answered "nope" to "Do you live in the zone?"',
    ]


def test_what_is_said_before_the_question_is_the_scenario() -> None:
    shown = _said(_chat(), "I do not live in the zone. Can I get a second permit?")
    assert shown[0] == "No."
    assert shown[-1] == '      you said "I do not live in the zone."'


def test_why_explains_a_question() -> None:
    shown = _said(_chat(), "Can I get a second permit?", "why?")
    assert shown == [
        'Because of "you live in the zone" (Permits > Second permit [permits#second]): '
        "if no, the answer is No."
    ]


def test_why_after_an_answer_says_what_would_change_it() -> None:
    shown = _said(_chat(), "Can I get a second permit?", "yes", "yes", "yes", "why")
    assert shown[-1] == '  It would be Yes with: not "you rent"'


def test_show_lists_every_condition_with_its_state() -> None:
    shown = _said(_chat(), "Can I get a second permit?", "yes", "show")
    assert shown[0] == "Rule: Permits > Second permit [permits#second]  (read by machine)"
    assert [line.split(":")[0] for line in shown[1:]] == ["  ✓ a", "  ? b", "  ? c"]


def test_back_takes_the_last_answer_back() -> None:
    chat = _chat()
    first = _said(chat, "Can I get a second permit?")
    assert _said(chat, "no", "back") == first
    assert _said(chat, "back") == ["Ask a new question."]
    assert _said(chat, "back") == ["There is nothing to take back."]


def test_restart_drops_the_case() -> None:
    chat = _chat()
    assert _said(chat, "Can I get a second permit?", "restart") == ["Ask a new question."]
    assert _said(chat, "show") == ["No rule is being read."]
    assert _said(chat, "why") == ["Nothing has been asked yet."]


def test_not_knowing_goes_on_to_the_next_question_and_never_means_no() -> None:
    chat = _chat()
    assert _said(chat, "Can I get a second permit?", "I don't know") == [
        "Do you own two cars?  (at most 2 left)"
    ]
    shown = _said(chat, "not sure", "no idea")
    assert shown[0] == "I can't tell without knowing more; not knowing is not a No."
    assert shown[2:] == ['  ? "you live in the zone"', '  ? "own two cars"', '  ? "you rent"']


def test_words_that_settle_nothing_are_said_to_settle_nothing() -> None:
    shown = _said(_chat(), "Can I get a second permit?", "My aunt plays the trombone on Sundays")
    assert shown[0].startswith("I can't take a yes or a no from that")


def test_a_question_in_place_of_an_answer_is_not_taken_for_one() -> None:
    chat = _chat()
    shown = _said(chat, "Can I get a second permit?", "What is the zone?")
    assert shown == ["That looks like another question: answer mine first, or type restart."]
    assert _said(chat, "yes")[0].startswith("Do you own two cars?")


def test_an_answer_to_nothing_is_not_taken_for_a_question() -> None:
    assert _said(_chat(), "yes")[0].startswith("No question of mine is open")


def test_an_empty_line_says_nothing() -> None:
    assert _said(_chat(), "  ") == []


def test_an_uncovered_question_names_the_closest_rules() -> None:
    shown = _said(_chat(probability=0.1), "Can I fly?")
    assert shown == [
        "Nothing in the rules covers this.",
        "  Closest: Permits > Second permit [permits#second]",
    ]


@pytest.mark.parametrize(
    ("typed", "question", "scenario"),
    [
        ("Can I park?", "Can I park?", ""),
        ("I am 70. Can I park?", "Can I park?", "I am 70."),
        ("Can I park? I am 70.", "Can I park?", "I am 70."),
        ("parking permit for my sister", "parking permit for my sister", ""),
        ("Is it free? I mean, can I park?", "I mean, can I park?", "Is it free?"),
    ],
)
def test_the_question_is_told_from_the_situation(typed: str, question: str, scenario: str) -> None:
    assert split_question(typed) == (question, scenario)


def test_an_answered_question_is_split_at_its_last_equals_sign() -> None:
    assert parse_turn("Is a=b?=yes") == Turn(question="Is a=b?", answer="yes")


@pytest.mark.parametrize("text", ["", "no sign", "=yes", "Is it?="])
def test_what_is_no_answered_question_is_refused(text: str) -> None:
    with pytest.raises(InputError, match="is no answered question"):
        parse_turn(text)


@pytest.fixture
def piped(monkeypatch: pytest.MonkeyPatch) -> Iterator[io.StringIO]:
    stream = io.StringIO("Can I get a resident parking permit?\r\nno\nquit\nnever read\n")
    monkeypatch.setattr(sys, "stdin", stream)
    return iter((stream,))


@pytest.mark.usefixtures("piped")
def test_typed_lines_come_without_their_ends() -> None:
    assert next(iter(typed_lines())) == "Can I get a resident parking permit?"


@pytest.mark.usefixtures("piped")
def test_chat_works_piped(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["chat"]) == 0
    output = capsys.readouterr().out
    assert "Is your home inside a controlled parking zone?" in output
    assert "No.\n  Rule: Parking > Resident parking permit" in output
    assert "\x1b" not in output
