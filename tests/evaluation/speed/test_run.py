from __future__ import annotations

import importlib
from dataclasses import replace
from pathlib import Path

import pytest

from clausewise.errors import ConfigError
from clausewise.evaluation.speed.engines import ENGINES, EngineEntry, Kind
from clausewise.evaluation.speed.report import Skipped, SpeedFigures, SpeedRow, recall_percent
from clausewise.evaluation.speed.run import Plan, chosen, measure_speed
from clausewise.types import Dialogue

TEXTS = (
    "You may keep hens. You may not keep cockerels.",
    "A stall costs £20 a day. You must pay in advance.",
    "Dogs stay outside.",
)
PLAN = Plan(
    texts=TEXTS,
    dialogues=(Dialogue(question="Can I keep hens?"), Dialogue(question="Must dogs stay out?")),
    sizes=(3, 40),
    engines=chosen(["bm25", "numpy-flat"]),
)


def entry(of: str, **changes: object) -> EngineEntry:
    (found,) = chosen([of])
    return replace(found, **changes)  # type: ignore[arg-type]


def outcomes(plan: Plan, folder: Path) -> list[SpeedRow]:
    return list(measure_speed(plan, scratch=folder).rows)


def test_every_engine_is_measured_at_every_size_and_leaves_nothing_behind(tmp_path: Path) -> None:
    rows = outcomes(PLAN, tmp_path)
    assert [(row.passages, row.engine) for row in rows] == [
        (3, "bm25"), (3, "numpy-flat"), (40, "bm25"), (40, "numpy-flat"),
    ]  # fmt: skip
    for row in rows:
        assert isinstance(row.outcome, SpeedFigures)
        assert row.outcome.queries == 2
        assert row.outcome.cold_start_cpu_ms > 0
        assert min(row.outcome.peak_mb, row.outcome.cold_start_ms, row.outcome.disk_mb + 1) > 0
    assert list(tmp_path.iterdir()) == []


def test_a_peer_that_is_not_installed_is_reported_and_no_error(tmp_path: Path) -> None:
    absent = entry("tantivy", needs=("no_such_package",))
    (row,) = outcomes(replace(PLAN, engines=(absent,), sizes=(3,)), tmp_path)
    assert row.outcome == Skipped(why="no_such_package not installed")


def test_an_engine_is_not_asked_for_more_passages_than_it_can_handle(tmp_path: Path) -> None:
    small = entry("bm25", largest=10)
    (row,) = outcomes(replace(PLAN, engines=(small,), sizes=(11,)), tmp_path)
    assert row.outcome == Skipped(why="too slow beyond 10 passages")


def test_an_engine_that_breaks_is_reported_with_its_last_words(tmp_path: Path) -> None:
    broken = entry("bm25", name="no-such-engine")
    (row,) = outcomes(replace(PLAN, engines=(broken,), sizes=(3,)), tmp_path)
    assert row.to_json()["skipped"] == "build failed: KeyError: 'no-such-engine'"


def test_the_hybrid_needs_an_encoder(tmp_path: Path) -> None:
    hybrid = entry("hybrid", needs=())
    (row,) = outcomes(replace(PLAN, engines=(hybrid,), sizes=(3,)), tmp_path)
    assert row.outcome == Skipped(why="needs an encoder")


def test_an_unknown_engine_is_refused_with_the_known_ones() -> None:
    with pytest.raises(ConfigError, match=r"'lucene' is no engine, expected one of tfidf, bm25"):
        chosen(["lucene"])


def test_recall_is_the_share_of_the_exact_hits_that_were_found() -> None:
    assert recall_percent([(1, 2), (3, 4)], exact=[(1, 2), (4, 5)]) == 75.0
    assert recall_percent([(1, 2)], exact=[]) is None


@pytest.mark.parametrize("engine", ENGINES, ids=lambda engine: engine.name)
def test_every_line_of_the_table_names_a_class_and_an_exact_engine(engine: EngineEntry) -> None:
    module, _, name = engine.made_by.partition(":")
    made = getattr(importlib.import_module(module), name)()
    assert callable(made.build)
    assert callable(made.open)
    if engine.truth:
        (exact,) = chosen([engine.truth])
        assert exact.truth is None
        assert exact.kind is engine.kind


def test_the_kinds_of_engines_are_three() -> None:
    assert {engine.kind for engine in ENGINES} == set(Kind)
