from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

torch = pytest.importorskip("torch", reason="training needs the train extra")
pytest.importorskip("transformers", reason="training needs the train extra")

from clausewise.cli.app import run  # noqa: E402
from clausewise.training.backbone import load_backbone  # noqa: E402
from clausewise.training.manifest import Manifest, today  # noqa: E402
from clausewise.training.run import save_backbone  # noqa: E402
from tests.training.backbones import tiny_backbone  # noqa: E402

RULES = {
    "hens": "You may keep hens on an allotment if your neighbours agree.",
    "card": "You can have a library card if you live in the town.",
}
TREES: tuple[dict[str, Any], ...] = (
    {
        "rule": "hens",
        "questions": ["Can I keep hens?", "May I keep hens?"],
        "condition": "your neighbours agree",
    },
    {
        "rule": "card",
        "questions": ["Can I have a library card?"],
        "condition": "you live in the town",
    },
)
CONFIG = """
backbone = "tiny"
trees = ["trees.jsonl"]
rules = "rules.json"
development = "dev.jsonl"
rules_per_batch = 2
family = 1
max_tokens = 48
kept = 0.5

[loop]
epochs = 2
learning_rate = 1e-3
threads = 1
"""


def _tree(entry: dict[str, Any]) -> dict[str, Any]:
    text, condition = RULES[entry["rule"]], entry["condition"]
    start = text.index(condition)
    span = [start, start + len(condition)]
    asked = {"span": span, "text": condition, "question": f"Do {condition}?"}
    return {
        "tree_id": entry["rule"],
        "rule_id": entry["rule"],
        "rule": text,
        "questions": entry["questions"],
        "conditions": {"a": {**asked, "yes": [f"I say {condition}."], "no": ["No."]}},
        "logic": "a",
    }


def _sample(entry: dict[str, Any]) -> dict[str, Any]:
    return {
        "utterance_id": f"u-{entry['rule']}",
        "tree_id": entry["rule"],
        "question": entry["questions"][0],
        "scenario": "I live in the town.",
        "history": [],
        "evidence": [],
        "answer": "Yes",
        "gold_snippet_id": entry["rule"],
        "snippet_seen": False,
    }


@pytest.fixture
def data(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    folder = tmp_path / "data"
    folder.mkdir()
    monkeypatch.chdir(folder)
    manifest = Manifest(
        model="retriever", backbone="none", licence="CC0", command="", date=today(), data=(),
        scores={},
    )  # fmt: skip
    save_backbone(tiny_backbone(), folder=folder / "tiny", max_tokens=48, manifest=manifest)
    (folder / "rules.json").write_text(json.dumps(RULES), "utf-8")
    lines = "".join(json.dumps(_tree(entry)) + "\n" for entry in TREES)
    (folder / "trees.jsonl").write_text(lines, "utf-8")
    samples = "".join(json.dumps(_sample(entry)) + "\n" for entry in TREES)
    (folder / "dev.jsonl").write_text(samples, "utf-8")
    (folder / "train.toml").write_text(CONFIG, "utf-8")
    return folder


def _train(data: Path, out: Path) -> int:
    config = str(data / "train.toml")
    return run(["train", "retriever", "--config", config, "--out", str(out), "--data", str(data)])


def test_a_retriever_is_trained_and_exported_from_the_command_line(
    data: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    trained, exported = tmp_path / "trained", tmp_path / "exported"
    assert _train(data, trained) == 0
    assert "saved" in capsys.readouterr().out
    assert not (trained / "checkpoint.pt").exists()
    manifest = Manifest.read(trained)
    assert [file.name for file in manifest.data] == ["trees.jsonl", "rules.json", "dev.jsonl"]
    assert manifest.command.startswith("clausewise")
    samples = ["--rules", str(data / "rules.json"), "--data", str(data / "dev.jsonl")]
    assert run(["export", str(trained), "--to", str(exported), *samples]) == 0
    output = capsys.readouterr().out
    assert "cosine to torch: mean" in output
    assert "hybrid, all @1: " in output
    assert Manifest.read(exported).data == manifest.data


def test_what_is_saved_lies_between_what_was_learned_and_what_was_there(
    data: Path, tmp_path: Path
) -> None:
    assert _train(data, tmp_path / "half") == 0
    config = (data / "train.toml").read_text("utf-8")
    (data / "train.toml").write_text(config.replace("kept = 0.5", "kept = 0.0"), "utf-8")
    assert _train(data, tmp_path / "whole") == 0
    before, half, whole = (
        load_backbone(str(folder)).network.state_dict()
        for folder in (data / "tiny", tmp_path / "half", tmp_path / "whole")
    )
    name = "embeddings.word_embeddings.weight"
    assert not torch.equal(before[name], whole[name])
    assert torch.allclose(half[name], (before[name] + whole[name]) / 2, atol=1e-6)


def test_a_backbone_that_is_not_there_is_named(
    data: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    config = (data / "train.toml").read_text("utf-8")
    (data / "train.toml").write_text(config.replace('"tiny"', '"./no-such-folder"'), "utf-8")
    assert _train(data, tmp_path / "out") == 2
    assert "backbone: './no-such-folder' is no folder" in capsys.readouterr().err
