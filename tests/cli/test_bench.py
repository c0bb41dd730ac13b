from __future__ import annotations

import json

import pytest
from typer.testing import CliRunner

from clausewise.cli.bench import app, report_lines, tree_dialogues
from clausewise.evaluation.latency import Latency
from clausewise.evaluation.speed.engines import Kind
from clausewise.evaluation.speed.report import Skipped, SpeedFigures, SpeedReport, SpeedRow
from clausewise.trees.tree import RuleTree

TREE = """
rule: hens
questions:
- Can I keep hens?
- Are hens allowed?
conditions:
  a: {span: [4, 21], text: "have a large yard", question: "Is your yard large?",
      yes: [My yard is huge.], no: [I have no yard.]}
logic: a
"""
FIGURES = SpeedFigures(
    build_seconds=1.25,
    build_peak_mb=100,
    disk_mb=3.5,
    cold_start_ms=12.0,
    cold_start_cpu_ms=11.0,
    peak_mb=40,
    queries=10,
    queries_per_second=2500.0,
    latency=Latency(p50_ms=0.25, p95_ms=0.5),
    cpu=Latency(p50_ms=0.24, p95_ms=0.31),
    recall=97.5,
)


def row(engine: str, outcome: SpeedFigures | Skipped) -> SpeedRow:
    return SpeedRow(passages=1000, engine=engine, kind=Kind.DENSE, ours=False, outcome=outcome)


def test_the_table_shows_figures_and_says_why_some_are_missing() -> None:
    rows = (row("quick", FIGURES), row("absent", Skipped(why="absent not installed")))
    lines = list(report_lines(SpeedReport(rows=rows, about=("About.",), versions={"numpy": "2"})))
    assert lines[:4] == ["About.", "numpy 2", "", "1,000 passages"]
    assert {"97.5", "0.50", "0.31"} <= set(lines[4].split())
    assert lines[-1] == "absent at 1,000: absent not installed"


def test_json_holds_a_row_for_each_engine_and_size() -> None:
    arguments = ["retrieval", "--size", "20", "--engine", "bm25", "--queries", "3", "--json"]
    result = CliRunner().invoke(app, arguments)
    report = json.loads(result.stdout)
    (measured,) = report["rows"]
    assert (measured["engine"], measured["passages"], measured["ours"]) == ("bm25", 20, True)
    assert set(measured["latency"]) == set(measured["cpu"]) == {"p50", "p95"}


def test_half_of_the_queries_have_a_scenario() -> None:
    tree = RuleTree.parse(TREE)
    with_scenario, without = tree_dialogues([tree])
    assert with_scenario.scenario == "My yard is huge. I have no yard."
    assert (without.question, without.scenario) == ("Are hens allowed?", "")


@pytest.mark.parametrize(
    "arguments", [["retrieval", "--size", "0"], ["retrieval", "--queries", "0"]]
)
def test_sizes_below_one_are_refused(arguments: list[str]) -> None:
    assert CliRunner().invoke(app, arguments).exit_code == 2
