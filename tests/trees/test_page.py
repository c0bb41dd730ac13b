"""The page for authors shows what is true; its Python runs with that of all other pages."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from clausewise.errors import TreeError
from clausewise.trees.evaluate import evaluate
from clausewise.trees.plan import plan
from clausewise.trees.schema import CONDITION, TREE
from clausewise.trees.tree import RuleTree
from clausewise.trees.values import State

PAGE = (Path(__file__).resolve().parents[2] / "docs" / "rule-trees.md").read_text("utf-8")


def _block(language: str) -> str:
    found = re.search(rf"^```{language}\n(.*?)^```$", PAGE, flags=re.MULTILINE | re.DOTALL)
    assert found is not None
    return found[1]


def _example() -> RuleTree:
    return RuleTree.parse(_block("yaml"), rule_text=_block("markdown"))


def test_the_example_can_be_read_and_written() -> None:
    tree = _example()
    assert tree.keys == ("a", "b", "c", "d")
    assert RuleTree.parse(tree.dump()) == tree


def test_the_example_passes_its_own_tests() -> None:
    tree = _example()
    cases = [case for case in tree.tests if not case.in_words]
    assert len(cases) == 3
    for case in cases:
        states = {key: State.of(holds) for key, holds in case.given}
        value = evaluate(tree.logic, states)
        if case.asks:
            planned = plan(tree, states=states)
            assert value is State.UNKNOWN
            assert planned is not None
            assert planned.key == case.asks
        else:
            assert value is State.of(case.expect == "Yes")


def test_the_errors_are_those_that_such_mistakes_get() -> None:
    words = "    text: it is insured\n"
    changes = [
        (words, f"{words}    span: [3, 9]\n"),
        ("logic: a and (b or c) and not d", "logic: a and x"),
        ("conditions:", "conditons:"),
    ]
    for (right, wrong), error in zip(changes, _block("text").splitlines(), strict=True):
        source = _block("yaml").replace(right, wrong)
        with pytest.raises(TreeError) as caught:
            RuleTree.parse(
                source, rule_text=_block("markdown"), file="rules/council/boats.trees.yaml"
            )
        assert str(caught.value) == error


def test_every_field_is_explained() -> None:
    for name in (*TREE, *CONDITION):
        assert f"`{name}`" in PAGE
