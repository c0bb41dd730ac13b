from __future__ import annotations

import importlib.util
import json

import pytest

from clausewise.cli.app import run


def test_readers_of_the_engine_are_timed_side_by_side(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["bench", "reading", "--systems", "pattern,lexical", "--turns", "2", "--json"]) == 0
    report = json.loads(capsys.readouterr().out)
    assert [row["system"] for row in report["rows"]] == ["lexical", "pattern"]
    assert all(row["decide_ms"]["p95"] > 0 for row in report["rows"])
    assert report["left_out"] == []


@pytest.mark.skipif(importlib.util.find_spec("torch") is not None, reason="torch is installed")
def test_the_papers_systems_are_left_out_with_the_reason_where_torch_is_missing(
    capsys: pytest.CaptureFixture[str],
) -> None:
    assert run(["bench", "reading", "--systems", "pattern,mudern,paper", "--turns", "1"]) == 0
    output = capsys.readouterr().out
    assert "mudern, paper: needs the `train` extra (torch is missing)" in output
    assert "pattern" in output


def test_an_unknown_system_is_an_error_that_lists_the_known_ones(
    capsys: pytest.CaptureFixture[str],
) -> None:
    assert run(["bench", "reading", "--systems", "oscar"]) == 2
    assert "'oscar' is unknown, expected some of compiled, lexical" in capsys.readouterr().err
