from __future__ import annotations

import pytest

from clausewise.evaluation.compiling import compare, compiling_report
from clausewise.trees.logic import parse_logic
from clausewise.trees.tree import RuleTree
from clausewise.trees.values import Condition, Span

TEXT = "You can join if you live here, work here or don't own a home."
QUESTIONS = {
    "you live here": "Do you live here?",
    "work here": "Do you work here?",
    "don't own a home": "Do you own a home?",
}


def _tree(logic: str, *words: str, questions: dict[str, str] = QUESTIONS) -> RuleTree:
    conditions = []
    for key, part in zip("abc", words, strict=False):
        span = Span(start=TEXT.index(part), end=TEXT.index(part) + len(part))
        question = questions.get(part, "Is that so?")
        conditions.append(Condition(key=key, span=span, text=part, question=question))
    return RuleTree(
        rule_id="r", rule_text=TEXT, conditions=tuple(conditions), logic=parse_logic(logic)
    )


REVIEWED = _tree("a or b or not c", *QUESTIONS)


def test_a_tree_is_the_same_as_itself() -> None:
    compared = compare(REVIEWED, reviewed=REVIEWED)
    report = compiling_report([compared])

    assert compared.same
    assert (report.f1, report.same_logic, report.same_tree) == (100.0, 100.0, 100.0)


def test_keys_and_order_do_not_matter() -> None:
    other = _tree("not a or b or c", "don't own a home", "work here", "you live here")

    assert compare(other, reviewed=REVIEWED).same


def test_spans_match_from_half_of_their_joint_words_on() -> None:
    shorter = _tree("a or b or not c", "live here", "work here", "don't own a home")
    too_short = _tree("a or b or not c", "you", "work here", "don't own a home")

    assert len(compare(shorter, reviewed=REVIEWED).matches) == 3
    assert len(compare(too_short, reviewed=REVIEWED).matches) == 2


@pytest.mark.parametrize(("logic", "same"), [("a or b", True), ("a and b", False)])
def test_logic_is_compared_over_the_matched_conditions(logic: str, same: bool) -> None:
    partial = _tree(logic, "you live here", "work here")
    compared = compare(partial, reviewed=REVIEWED)

    assert compared.same_logic is same
    assert not compared.same


def test_a_question_that_keeps_the_negation_turns_its_key() -> None:
    kept = {**QUESTIONS, "don't own a home": "Is it true that you don't own a home?"}

    assert compare(_tree("a or b or c", *kept, questions=kept), reviewed=REVIEWED).same
    assert not compare(_tree("a or b or not c", *kept, questions=kept), reviewed=REVIEWED).same


def test_without_a_match_there_is_no_logic_to_compare() -> None:
    compared = compare(_tree("a", "You can join"), reviewed=REVIEWED)

    assert compared.same_logic is None
    assert compiling_report([compared]).f1 == 0.0
