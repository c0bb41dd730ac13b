from __future__ import annotations

from dataclasses import dataclass, field, replace
from pathlib import Path

import pytest

from clausewise.compiler.kept import KeepingCompiler
from clausewise.protocols import Compiler
from clausewise.trees.tree import RuleTree
from clausewise.types import RuleText
from tests.fakes import PERMIT, permit_tree


@dataclass(frozen=True, slots=True, kw_only=True)
class Counting:
    """Counts how often it is loaded, and which rules it compiles."""

    loads: list[str] = field(default_factory=list)
    compiled: list[str] = field(default_factory=list)

    def load(self) -> Compiler:
        self.loads.append("loaded")
        return self

    def compile(self, rule: RuleText) -> RuleTree:
        self.compiled.append(rule.rule_id)
        return replace(permit_tree(), rule_id=rule.rule_id)


def _keeping(counting: Counting, folder: Path) -> KeepingCompiler:
    return KeepingCompiler(load=counting.load, folder=lambda: folder)


def test_a_rule_is_compiled_once_for_all_runs(tmp_path: Path) -> None:
    first, second = Counting(), Counting()

    tree = _keeping(first, tmp_path / "cache").compile(PERMIT)
    again = _keeping(second, tmp_path / "cache").compile(PERMIT)

    assert again == tree
    assert first.compiled == [PERMIT.rule_id]
    assert not second.loads


def test_the_models_are_not_loaded_before_a_rule_needs_them(tmp_path: Path) -> None:
    counting = Counting()
    compiler = _keeping(counting, tmp_path)
    assert not counting.loads
    compiler.compile(PERMIT)
    assert counting.loads == ["loaded"]


@pytest.mark.parametrize("content", [b"", b"{", b"\xff\xfe", b'{"rule_id": "x"}'])
def test_a_broken_file_is_written_anew(tmp_path: Path, content: bytes) -> None:
    tree = _keeping(Counting(), tmp_path).compile(PERMIT)
    (kept,) = tmp_path.iterdir()
    whole = kept.read_bytes()
    kept.write_bytes(content)

    assert _keeping(Counting(), tmp_path).compile(PERMIT) == tree
    assert kept.read_bytes() == whole


def test_the_tree_of_another_text_is_not_taken(tmp_path: Path) -> None:
    _keeping(Counting(), tmp_path).compile(PERMIT)
    (kept,) = tmp_path.iterdir()
    kept.write_text(kept.read_text("utf-8").replace("own two cars", "own two vans"), "utf-8")
    counting = Counting()

    _keeping(counting, tmp_path).compile(PERMIT)

    assert counting.compiled


def test_a_folder_that_takes_no_files_costs_time_only(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("", "utf-8")
    counting = Counting()
    compiler = _keeping(counting, tmp_path / "file" / "cache")

    assert compiler.compile(PERMIT) == compiler.compile(PERMIT)
    assert counting.compiled == [PERMIT.rule_id]


def test_the_same_text_under_another_id_shares_its_tree(tmp_path: Path) -> None:
    counting = Counting()
    compiler = _keeping(counting, tmp_path)
    compiler.compile(PERMIT)

    assert compiler.compile(replace(PERMIT, rule_id="other")).rule_id == "other"
    assert counting.compiled == [PERMIT.rule_id]


def test_preparing_compiles_what_is_missing_and_shows_it(tmp_path: Path) -> None:
    other = replace(PERMIT, rule_id="other", title="Other")
    _keeping(Counting(), tmp_path).compile(PERMIT)
    counting = Counting()

    _keeping(counting, tmp_path).prepare([PERMIT, other])

    assert counting.compiled == ["other"]
