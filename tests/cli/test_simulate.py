from __future__ import annotations

import json
from pathlib import Path

import pytest

from clausewise.cli.app import run
from clausewise.datasets.orsharc import read_samples


def test_dialogues_of_the_demonstration_rules_are_written_and_compared(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    first, second = tmp_path / "first.jsonl", tmp_path / "second.jsonl"
    assert run(["simulate", "--out", str(first), "--count", "40", "--seed", "3"]) == 0
    words = ["simulate", "--out", str(second), "--count", "40", "--seed", "3"]
    assert run([*words, "--beside", str(first)]) == 0
    assert "largest gap: 0.0 points" in capsys.readouterr().out
    assert first.read_bytes() == second.read_bytes()
    assert len(read_samples(first)) == 40


def test_statistics_are_printed_as_json(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    out = tmp_path / "samples.jsonl"
    words = ["simulate", "--out", str(out), "--count", "20", "--json"]
    assert run(words) == 0
    assert json.loads(capsys.readouterr().out) == {"out": str(out), "samples": 20}
    assert run([*words, "--seed", "1", "--beside", str(out)]) == 0
    report = json.loads(capsys.readouterr().out)["beside"]
    assert report["n"] == {"simulated": 20, "reference": 20}
    gaps = [abs(row["simulated"] - row["reference"]) for row in report["shares"].values()]
    assert report["largest_gap"] == pytest.approx(max(gaps), abs=0.11)


def test_an_unknown_weight_is_refused(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    config = tmp_path / "mix.toml"
    config.write_text("strays = 0.2\n", "utf-8")
    words = ["simulate", "--out", str(tmp_path / "x"), "--count", "1", "--config", str(config)]
    assert run(words) == 2
    assert "mix.toml: strays: unknown key" in capsys.readouterr().err
