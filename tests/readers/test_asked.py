from __future__ import annotations

from clausewise.readers.asked import with_questions_asked
from clausewise.trees.tree import RuleTree
from clausewise.types import Turn
from tests.fakes import permit_tree

TREE = permit_tree()
TEXT = TREE.rule_text or ""


def _asked(*questions: str) -> RuleTree:
    turns = [Turn(question=question, answer="yes") for question in questions]
    return with_questions_asked(TREE, turns=turns, text=TEXT)


def test_a_question_in_the_words_of_the_tree_changes_nothing() -> None:
    assert _asked(*(one.question for one in TREE.conditions)) == TREE


def test_a_foreign_question_is_another_wording_of_the_condition_whose_words_it_is_about() -> None:
    condition = TREE.conditions[0]
    foreign = f"{condition.text} or so, would anybody say?"
    assert _asked(foreign).conditions[0].paraphrases == (*condition.paraphrases, foreign)


def test_a_condition_takes_one_foreign_question_and_no_more() -> None:
    condition = TREE.conditions[0]
    first, second = f"{condition.text} roughly speaking then?", f"{condition.text}, if you will?"
    wordings = _asked(first, second).conditions[0].paraphrases
    assert wordings == (*condition.paraphrases, first)


def test_a_question_about_nothing_in_the_text_is_left_alone() -> None:
    tree = with_questions_asked(TREE, turns=[Turn(question="?", answer="no")], text=TEXT)
    assert tree == TREE
