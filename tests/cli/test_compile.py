from __future__ import annotations

import json
from pathlib import Path

import pytest
import typer
from typer.testing import CliRunner

from clausewise.cli import compile as compiling
from clausewise.knowledge.base import KnowledgeBase
from clausewise.knowledge.ingest import ingest

PAGE = """# Parking

## Permits

You can get a permit if you live in the street and own a car.

## Visitors

Visitors can park if they have a voucher, unless there is a market.
"""


@pytest.fixture
def rules(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    # Without the shipped models, so that the test says the same wherever they are.
    monkeypatch.setattr(compiling, "shipped_model", lambda _: None)
    folder = tmp_path / "rules"
    folder.mkdir()
    (folder / "parking.md").write_text(PAGE, "utf-8")
    return folder


def _run(*arguments: str) -> str:
    app = typer.Typer()
    app.command()(compiling.compile_)
    result = CliRunner().invoke(app, list(arguments))
    assert result.exit_code == 0, result.output
    return result.output


def test_every_rule_gets_a_file_for_review(rules: Path, tmp_path: Path) -> None:
    review = tmp_path / "review"

    report = json.loads(_run(str(rules), "--review", str(review), "--json"))

    assert report["compiled"] == 2
    assert len(report["review"]) == 2
    assert len(list(review.glob("*.yaml"))) == 2


def test_a_knowledge_base_keeps_the_trees_and_what_was_edited(rules: Path, tmp_path: Path) -> None:
    base, review = tmp_path / "kb.sqlite", tmp_path / "review"
    ingest([rules], into=base)
    _run(str(base), "--review", str(review))
    file = next(path for path in sorted(review.glob("*.yaml")) if "voucher" in path.read_text())
    file.write_text(file.read_text("utf-8").replace("have a voucher?", "hold a voucher?"), "utf-8")

    report = json.loads(_run(str(base), "--review", str(review), "--json"))

    trees = KnowledgeBase.open(base).trees
    assert (report["compiled"], report["kept"]) == (1, 1)
    assert sorted(tree.reviewed for tree in trees) == [False, True]
    assert "hold a voucher?" in next(tree.json for tree in trees if tree.reviewed)


def test_an_edited_tree_in_the_knowledge_base_survives_without_the_folder(
    rules: Path, tmp_path: Path
) -> None:
    base, review = tmp_path / "kb.sqlite", tmp_path / "review"
    ingest([rules], into=base)
    _run(str(base), "--review", str(review))
    file = next(path for path in sorted(review.glob("*.yaml")) if "voucher" in path.read_text())
    file.write_text(file.read_text("utf-8").replace("have a voucher?", "hold a voucher?"), "utf-8")
    _run(str(base), "--review", str(review))

    report = json.loads(_run(str(base), "--json"))

    assert report["kept"] == 1


def test_a_changed_rule_with_an_edited_tree_is_told_with_both_files(
    rules: Path, tmp_path: Path
) -> None:
    review = tmp_path / "review"
    _run(str(rules), "--review", str(review))
    file = next(path for path in sorted(review.glob("*.yaml")) if "voucher" in path.read_text())
    file.write_text(file.read_text("utf-8") + "\n", "utf-8")
    changed = PAGE.replace("a voucher", "a ticket")
    (rules / "parking.md").write_text(changed, "utf-8")

    output = _run(str(rules), "--review", str(review))

    assert file.name in output.replace("\n", "")
    assert "voucher" in file.read_text("utf-8")
    assert len(list(review.glob("*.yaml"))) == 3
