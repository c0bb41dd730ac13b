from __future__ import annotations

import pytest

from clausewise.datasets.reversal import gerund, reverse


@pytest.mark.parametrize(
    ("question", "reversed_question"),
    [
        ("Can I get a permit?", "Am I barred from getting a permit?"),
        ("May I share an allotment?", "Am I barred from sharing an allotment?"),
        ("Am I allowed to use the pool?", "Am I barred from using the pool?"),
        ("Do I have to pay the fee?", "Am I exempt from having to pay the fee?"),
        ("Must I register my dog?", "Am I exempt from having to register my dog?"),
        ("Do I need to renew it each year?", "Am I exempt from having to renew it each year?"),
        ("Am I eligible for a grant?", "Am I ineligible for a grant?"),
        ("Am I eligible to apply for a grant?", "Am I ineligible to apply for a grant?"),
        ("Do I qualify for a grant?", "Am I ineligible for a grant?"),
    ],
)
def test_a_question_is_turned_round(question: str, reversed_question: str) -> None:
    assert reverse(question) == reversed_question


@pytest.mark.parametrize(
    "question",
    [
        "Is my dog welcome?",
        "Can I legally park here?",
        "Can I be fined?",
        "Can I work?",
        "Can I apply and get a grant?",
        "Can I get any money?",
        "Do I have to be a resident?",
        "Can my wife get a permit?",
        "Can I get a permit",
        "As a tenant, can I get a permit?",
    ],
)
def test_a_wording_that_might_come_out_wrong_is_left_alone(question: str) -> None:
    assert reverse(question) is None


@pytest.mark.parametrize(
    ("verb", "form"),
    [("get", "getting"), ("use", "using"), ("visit", "visiting"), ("pay", "paying")],
)
def test_gerunds_are_spelled_right(verb: str, form: str) -> None:
    assert gerund(verb) == form
