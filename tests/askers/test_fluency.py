from __future__ import annotations

from dataclasses import dataclass

import pytest

from clausewise.askers.fluency import CheckedAsker, is_about, is_fluent
from clausewise.askers.writing import Draft
from clausewise.trees.values import Span
from clausewise.types import RuleText


@pytest.mark.parametrize(
    "question",
    [
        "Do you live in the area?",
        "Have you been employed for 26 weeks?",
        "Are you a resident of the borough?",
        "Did your partner die before 6 April?",
        "Is there a lift in the building?",
        "Has the council refused your claim?",
        "Do you or your partner own a home?",
    ],
)
def test_questions_in_order_are_taken(question: str) -> None:
    assert is_fluent(question)


@pytest.mark.parametrize(
    "question",
    [
        "You live in the area?",
        "Are you you a resident?",
        "Did you lived in the area?",
        "Do you are a resident?",
        "Does you live here?",
        "Have you live here?",
        "Are it a home?",
        "Do you live in the?",
        "Is (the home yours?",
        "Are?",
    ],
)
def test_questions_out_of_order_are_not(question: str) -> None:
    assert not is_fluent(question)


def test_a_question_about_something_else_is_told() -> None:
    assert is_about("Do you own a home in the city?", words="own a home in the city")
    assert not is_about("Do you own a home?", words="paid rent on a houseboat for ten years")


@dataclass(frozen=True, slots=True, kw_only=True)
class Says:
    question: str

    def ask(self, span: Span, *, rule: RuleText) -> str:
        del span, rule
        return self.question

    def draft(self, span: Span, *, rule: RuleText) -> Draft:
        return Draft(question=self.ask(span, rule=rule), probability=0.9)


RULE = RuleText(rule_id="r", text="You can park if you own a car.")
SPAN = Span(start=16, end=29)


@pytest.mark.parametrize(
    ("first", "fallback", "expected"),
    [
        ("Do you own a car?", "Own you a car?", "Do you own a car?"),
        ("Do you owns a car?", "Do you own a car?", "Do you own a car?"),
        ("Do you like tea and cake?", "Do you own a car?", "Do you own a car?"),
        ("Do you own the car or van?", "Own you a car?", "Do you own the car or van?"),
    ],
)
def test_the_fallback_asks_where_the_first_question_is_out_of_order(
    first: str, fallback: str, expected: str
) -> None:
    asker = CheckedAsker(first=Says(question=first), fallback=Says(question=fallback))

    assert asker.ask(SPAN, rule=RULE) == expected
