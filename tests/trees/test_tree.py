from __future__ import annotations

import dataclasses

import pytest

from clausewise.errors import TreeError
from clausewise.trees.logic import parse_logic
from clausewise.trees.tree import Case, Outcome, RuleTree
from clausewise.trees.values import Span
from tests.trees.build import tree_of
from tests.trees.examples import GARDEN, GARDEN_TEXT


def test_conditions_are_found_by_key() -> None:
    tree = tree_of("b and a")
    assert tree.keys == ("b", "a")
    assert tree.condition("a").question == "Is it a?"
    with pytest.raises(KeyError):
        tree.condition("c")


def test_binding_a_rule_text_checks_that_the_spans_cut_their_words_out() -> None:
    tree = dataclasses.replace(tree_of("home and work"), rule_text=None)
    assert tree.bind("home work").rule_text == "home work"
    with pytest.raises(TreeError) as caught:
        tree.bind("a home, some work")
    assert str(caught.value) == (
        "conditions.home: span [0, 4] cuts out 'a ho'; expected 'home', which stands at [2, 6]"
    )
    with pytest.raises(TreeError, match="ends behind the rule text, which has 3 characters"):
        tree.bind("hom")


def test_without_its_rule_text_a_span_must_be_as_long_as_its_words() -> None:
    tree = tree_of("home")
    longer = dataclasses.replace(tree.conditions[0], span=Span(start=0, end=7))
    with pytest.raises(TreeError, match="is 7 characters long, but the text has 4"):
        dataclasses.replace(tree, conditions=(longer,), rule_text=None)


def test_a_tree_that_contradicts_itself_can_not_be_built() -> None:
    tree = tree_of("a and b")
    with pytest.raises(TreeError, match="logic: the logic names 'c', which is no condition"):
        dataclasses.replace(tree, logic=parse_logic("a and b and c"))
    with pytest.raises(TreeError, match=r"conditions\.b: the logic doesn't use this condition"):
        dataclasses.replace(tree, logic=parse_logic("a"))
    with pytest.raises(TreeError, match="condition 'a' stands there 2 times"):
        dataclasses.replace(tree, conditions=(*tree.conditions, tree.conditions[0]))
    with pytest.raises(TreeError, match="outcome: span"):
        dataclasses.replace(tree, outcome=Outcome(span=Span(start=0, end=1), text="b"))
    with pytest.raises(TreeError, match="tests: a case names 'c', which is no condition"):
        dataclasses.replace(tree, tests=(Case(expect="ask c"),))


def test_a_case_expects_a_verdict_or_the_next_question() -> None:
    assert Case(expect="ask b2").asks == "b2"
    assert Case(expect="Yes").asks is None
    assert Case(expect="abstain", question="Can I fly?").in_words
    for wrong in ("yes", "ask", "ask b c", "maybe", ""):
        with pytest.raises(TreeError, match="expected Yes, No, abstain or ask and a key"):
            Case(expect=wrong)


def test_a_case_is_given_conditions_or_asks_in_words() -> None:
    with pytest.raises(TreeError, match="not both"):
        Case(expect="Yes", given=(("a", True),), question="Can I?")
    with pytest.raises(TreeError, match="needs a question"):
        Case(expect="Yes", scenario="I am here.")
    with pytest.raises(TreeError, match="condition 'a' stands there 2 times"):
        Case(expect="Yes", given=(("a", True), ("a", False)))


def test_equal_trees_are_equal_values() -> None:
    first = RuleTree.parse(GARDEN, rule_text=GARDEN_TEXT)
    second = RuleTree.parse(GARDEN, rule_text=GARDEN_TEXT)
    assert first == second
    assert hash(first) == hash(second)
