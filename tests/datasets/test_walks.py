from __future__ import annotations

import pytest

from clausewise.datasets.walks import Ask, follow, known, paths, walk_of
from clausewise.errors import DataError
from clausewise.trees.logic import parse_logic
from clausewise.trees.tree import RuleTree
from tests.datasets.trees import ALLOTMENT, PERMIT, condition


def test_a_walk_asks_in_the_authors_order_and_stops_when_the_answer_is_certain() -> None:
    assert walk_of(ALLOTMENT) == Ask(key="a", yes=Ask(key="b", yes=False, no=True), no=False)


def test_every_path_is_found_once() -> None:
    found = [
        ("".join(key for key, _ in path.answers), path.value) for path in paths(walk_of(PERMIT))
    ]
    assert found == [("ab", True), ("abc", True), ("abc", False), ("a", False)]


def test_what_is_known_is_not_asked() -> None:
    walk = known(walk_of(PERMIT), {"a": True})
    assert follow(walk, {"b": False, "c": True}).answers == (("b", False), ("c", True))


def test_what_can_not_matter_any_more_is_not_asked() -> None:
    walk = known(walk_of(PERMIT), {"c": True})
    assert follow(walk, {"a": True}).answers == (("a", True),)


def test_known_conditions_can_settle_everything() -> None:
    assert known(walk_of(PERMIT), {"a": False}) is False


def test_a_condition_that_never_matters_is_never_asked() -> None:
    rule_text = "one two"
    conditions = tuple(condition(word[0], word, rule_text=rule_text) for word in ("one", "two"))
    tree = RuleTree(rule_id="", conditions=conditions, logic=parse_logic("o and (t or not t)"))
    assert walk_of(tree) == Ask(key="o", yes=True, no=False)


def test_a_tree_with_too_many_conditions_is_refused() -> None:
    words = [f"x{n:02}" for n in range(13)]
    rule_text = " ".join(words)
    tree = RuleTree(
        rule_id="big",
        conditions=tuple(condition(word, word, rule_text=rule_text) for word in words),
        logic=parse_logic(" and ".join(words)),
    )
    with pytest.raises(DataError, match="tree 'big': 13 conditions; at most 12"):
        walk_of(tree)
