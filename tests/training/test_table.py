from __future__ import annotations

import json
from pathlib import Path

import pytest

torch = pytest.importorskip("torch", reason="training needs the train extra")
pytest.importorskip("transformers", reason="training needs the train extra")
pytest.importorskip("onnx", reason="training needs the train extra")

from clausewise.evaluation.joint_table import ABLATIONS, SETTINGS, SYSTEMS, TablePlan  # noqa: E402
from clausewise.training import reader_jobs  # noqa: E402
from clausewise.training.table import train_table  # noqa: E402
from tests.training.backbones import tiny_backbone  # noqa: E402
from tests.training.test_span import HENS, RULES, _samples, _trees  # noqa: E402

LOOP = "[loop]\nepochs = 1\nlearning_rate = 1e-3\nthreads = 1\n"
SAMPLES = (
    'max_tokens = 60\n[samples]\ntrees = ["trees.jsonl"]\ncount = 12\nheld_out = 0\n'
    '[hits]\nretriever = "tfidf"\ntop_k = 2\n'
)


def plan_in(folder: Path, *systems: str) -> TablePlan:
    _trees(folder)
    backbone = tiny_backbone()
    backbone.network.save_pretrained(folder / "backbone")  # type: ignore[operator]
    backbone.tokenizer.save(str(folder / "backbone" / "tokenizer.json"))
    name = f'backbone = "{(folder / "backbone").as_posix()}"\n'
    for system in SYSTEMS:
        own = f'system = "{system}"\nsegmenter = "sentences"\nlayers = 1\n'
        path = folder / f"train-reader-{system}.toml"
        path.write_text(f"{name}{own}{SAMPLES}{LOOP}", "utf-8")
    (folder / "train-span.toml").write_text(f"{name}{SAMPLES}{LOOP}", "utf-8")
    editor = f'{name}trees = ["trees.jsonl"]\nwidth = 8\n{LOOP}'
    (folder / "train-editor.toml").write_text(editor, "utf-8")
    return TablePlan(
        systems=systems,
        seeds=(0,),
        work=folder / "work",
        samples=_samples(folder),
        rules=folder / "rules.json",
    )


def test_the_names_of_the_table_are_those_that_can_be_trained() -> None:
    assert set(ABLATIONS) | {"mudern-edit-distance"} == set(reader_jobs.ABLATIONS)
    assert SETTINGS[0] == reader_jobs.CLOSED_BOOK
    assert reader_jobs.Measured(samples=Path(), rules=Path()).retrievers == SETTINGS[1:]


def test_everything_that_is_missing_is_made_and_what_is_there_stays(tmp_path: Path) -> None:
    plan = plan_in(tmp_path, "pattern", "e3", "discern", "mudern-no-layers")
    assert plan.missing()
    done = list(train_table(plan, data=tmp_path, configs=tmp_path))
    assert plan.missing() == ()
    assert {path.parent.name for path in done} == {
        *("e3", "discern", "mudern-no-layers", "span", "editor")
    }
    spans = plan.spans("discern", 0, "tfidf")
    assert spans is not None
    (line,) = map(json.loads, spans.read_text("utf-8").splitlines())
    by_id = {rule.rule_id: rule for rule in RULES}
    assert by_id[line["rule_id"]].text[line["start"] : line["end"]]
    own = json.loads(plan.read("e3", 0, "closed-book").read_text("utf-8"))["span"]
    assert HENS.text[own["start"] : own["end"]]

    before = {path: path.stat().st_mtime_ns for path in plan.work.rglob("*") if path.is_file()}
    list(train_table(plan, data=tmp_path, configs=tmp_path))
    after = {path: path.stat().st_mtime_ns for path in plan.work.rglob("*") if path.is_file()}
    assert after == before


def test_a_span_finder_learns_from_what_the_readers_learn_from(tmp_path: Path) -> None:
    plan = plan_in(tmp_path, "mp")
    changes = {"samples.count": 16, "loop.epochs": 2, "layers": 3}
    list(train_table(plan, data=tmp_path, configs=tmp_path, changes=changes))
    notes = json.loads((plan.folder("span", 0) / "manifest.json").read_text("utf-8"))["notes"]
    assert notes[0].startswith("16 dialogues")
    assert sum(note.startswith("epoch") for note in notes) == 2


def test_without_a_system_to_train_nothing_is_made(tmp_path: Path) -> None:
    plan = plan_in(tmp_path, "pattern")
    assert list(train_table(plan, data=tmp_path, configs=tmp_path)) == []
    assert not plan.work.exists()
