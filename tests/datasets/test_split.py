from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from clausewise.datasets.split import read_trainable_ids, require_trainable, split_by_rule
from clausewise.errors import DataError
from clausewise.trees.tree import RuleTree
from tests.datasets.trees import LOCKER, TREES

MANY = tuple(
    replace(LOCKER, rule_text=f"{LOCKER.rule_text} {n}", tree_id=str(n)) for n in range(400)
)


def test_about_the_wanted_share_is_held_out() -> None:
    split = split_by_rule(MANY, held_out=0.1, seed=1)
    assert 20 <= len(split.held_out) <= 60
    assert len(split.training) + len(split.held_out) == len(MANY)


def test_two_trees_of_one_rule_stay_together() -> None:
    twins = tuple(replace(tree, tree_id="twin", topic="again") for tree in MANY)
    split = split_by_rule(MANY + twins, held_out=0.3, seed=1)
    assert not {t.rule_text for t in split.training} & {t.rule_text for t in split.held_out}


def test_more_rules_move_none_to_the_other_part() -> None:
    few, all_of_them = (split_by_rule(t, held_out=0.3, seed=1) for t in (MANY[:100], MANY))
    assert set(few.held_out) <= set(all_of_them.held_out)


def test_another_seed_holds_out_other_rules() -> None:
    first, second = (split_by_rule(MANY, held_out=0.3, seed=seed) for seed in (1, 2))
    assert first != second


def test_only_trainable_rules_pass(tmp_path: Path) -> None:
    path = tmp_path / "ids.json"
    path.write_text('["permit", "allotment"]', encoding="utf-8")
    trainable = read_trainable_ids(path)
    elsewhere = RuleTree(rule_id="", conditions=LOCKER.conditions, logic=LOCKER.logic)
    require_trainable([*TREES[:2], elsewhere], trainable_ids=trainable)
    with pytest.raises(DataError, match=r"rule_id: 1 rule\(s\) may not be trained on: locker"):
        require_trainable(TREES, trainable_ids=trainable)


def test_a_file_that_is_no_list_of_ids_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "ids.json"
    path.write_text('{"permit": true}', encoding="utf-8")
    with pytest.raises(DataError, match="expected a JSON list of rule ids"):
        read_trainable_ids(path)
