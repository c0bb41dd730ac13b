from __future__ import annotations

import datetime
import hashlib
from pathlib import Path

import pytest

from clausewise.evaluation.reading import evaluate_reading
from clausewise.evaluation.results import (
    Provenance,
    ReadingResult,
    RetrievalResult,
    results_section,
    write_section,
)
from clausewise.evaluation.retrieval import evaluate_retrieval
from tests.evaluation.test_reading import SAMPLES, ZoneEngine
from tests.evaluation.test_retrieval import Shelf

pytest.importorskip("spacy")

MADE = Provenance(
    command="clausewise reproduce baselines", date=datetime.date(2025, 3, 1), files=()
)


def test_the_section_says_what_made_the_figures(tmp_path: Path) -> None:
    data = tmp_path / "dev.jsonl"
    data.write_bytes(b"{}")
    made = Provenance.of(command="clausewise x", date=MADE.date, files=[data])
    section = results_section(reading=(), retrieval=(), provenance=made)
    digest = hashlib.sha256(b"{}").hexdigest()[:12]
    assert section.splitlines() == [
        f"Made on 2025-03-01 from `dev.jsonl` (SHA-256 `{digest}`) by",
        "",
        "    clausewise x",
    ]


def test_the_section_says_which_weights_made_the_figures(tmp_path: Path) -> None:
    folder = tmp_path / "retriever"
    folder.mkdir()
    (folder / "model.onnx").write_bytes(b"weights")
    made = Provenance.of(command="clausewise x", date=MADE.date, files=(), models=[folder])
    assert made.files == (("retriever/model.onnx", hashlib.sha256(b"weights").hexdigest()),)


def test_every_slice_has_a_row() -> None:
    reading = ReadingResult(
        system="pattern", setting="end to end", report=evaluate_reading(ZoneEngine(), SAMPLES)
    )
    retrieval = RetrievalResult(
        retriever="bm25", setting="with history", report=evaluate_retrieval(Shelf("x"), SAMPLES)
    )
    section = results_section(reading=[reading], retrieval=[retrieval], provenance=MADE)
    rows = [line for line in section.splitlines() if line.startswith("|")]
    assert len({line.count("|") for line in rows[:6]}) == 1  # as many cells in every row
    assert "| bm25 | with history | first turn | 2 | 0.0 | 0.0 | 0.0 | 0.0 | 0.0 | 0.0 |" in rows
    assert any(row.startswith("| pattern | end to end | all | 3 | 66.7 |") for row in rows)
    assert len(rows) == 2 * (2 + 4)


def test_a_section_replaces_its_predecessor_and_nothing_else(tmp_path: Path) -> None:
    page = tmp_path / "docs" / "results.md"
    write_section("first \\1", name="baselines", path=page)
    write_section("other", name="readers", path=page)
    write_section("second \\1", name="baselines", path=page)
    text = page.read_text(encoding="utf-8")
    assert text.startswith("# Results\n")
    assert "first" not in text
    assert text.index("second \\1") < text.index("other")
    assert text.endswith("<!-- end readers -->\n")
