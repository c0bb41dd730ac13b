from __future__ import annotations

import pytest

from clausewise.readers.direction import facing
from clausewise.trees.logic import format_logic, parse_logic
from clausewise.trees.tree import Outcome, RuleTree
from clausewise.trees.values import Condition, Span


def _tree(outcome: str, logic: str) -> RuleTree:
    text = f"{outcome} if: you lied, you owe us money"
    parts = {"a": "you lied", "b": "you owe us money"}
    conditions = tuple(
        Condition(
            key=key,
            span=Span(start=text.index(words), end=text.index(words) + len(words)),
            text=words,
            question=f"Is it true that {words}?",
        )
        for key, words in parts.items()
    )
    span = Span(start=0, end=len(outcome))
    return RuleTree(
        rule_id="r",
        rule_text=text,
        conditions=conditions,
        logic=parse_logic(logic),
        outcome=Outcome(span=span, text=outcome),
    )


CASES = [
    # meeting the conditions brings what is asked for
    ("You can get help", "a or b", "Can I get help?", "a or b"),
    ("Your claim will be refused", "a or b", "Will my claim be refused?", "a or b"),
    ("Your claim will be refused", "not (a or b)", "Will my claim be refused?", "a or b"),
    ("You must register", "a and b", "Do I have to register?", "a and b"),
    ("Your account is blocked", "a or b", "Is my account blocked?", "a or b"),
    # it brings the opposite
    ("You can get help", "a or b", "Am I excluded from help?", "not (a or b)"),
    ("You must register", "a and b", "Am I exempt from registering?", "not (a and b)"),
    ("Your claim will be refused", "a or b", "Can I claim?", "not (a or b)"),
    ("You can't join", "not (a or b)", "Can I join?", "not (a or b)"),
    ("You can't join", "not (a or b)", "Am I barred from joining?", "a or b"),
    ("You don't have to pay", "a or b", "Do I have to pay?", "not (a or b)"),
    ("You don't have to pay", "a or b", "Am I exempt from paying?", "a or b"),
    # nothing tells, so nothing is turned
    ("You don't have to pay", "a or b", "Can I get it free?", "a or b"),
    ("You can't join", "a and not b", "Can I join?", "a and not b"),
]


@pytest.mark.parametrize(("outcome", "logic", "question", "expected"), CASES)
def test_yes_answers_the_question_that_was_asked(
    outcome: str, logic: str, question: str, expected: str
) -> None:
    turned = facing(_tree(outcome, logic), question=question)

    assert format_logic(turned.logic) == expected


def test_what_stands_behind_the_if_of_an_outcome_does_not_count() -> None:
    tree = _tree("You can ask for help if you don't need to pay", "a or b")

    assert facing(tree, question="Do I need to ask for help?") == tree
