"""Runs the benchmark: one engine after the other, each in processes of its own."""

from __future__ import annotations

import importlib.metadata
import importlib.util
import json
import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from clausewise.errors import ConfigError, Where
from clausewise.evaluation.latency import Latency
from clausewise.evaluation.speed.engines import ENGINES, EngineEntry, Kind, Query
from clausewise.evaluation.speed.ours import ENCODER_VARIABLE
from clausewise.evaluation.speed.passages import PassageSource
from clausewise.evaluation.speed.report import (
    Skipped,
    SpeedFigures,
    SpeedReport,
    SpeedRow,
    recall_percent,
)
from clausewise.evaluation.speed.vectors import Vectors, word_vectors
from clausewise.evaluation.speed.worker import Built, Job, Searched, write_inputs
from clausewise.progress import Progress, silent
from clausewise.retrievers.vectors import Encoder
from clausewise.types import Dialogue

PACKAGES = (
    "numpy", "scipy", "bm25s", "rank-bm25", "tantivy", "faiss-cpu", "usearch", "onnxruntime",
)  # fmt: skip
_Found = dict[tuple[str, int], tuple[tuple[int, ...], ...]]
"""What each engine found at each size."""
_ONE_THREAD = ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS", "RAYON_NUM_THREADS")


@dataclass(frozen=True, slots=True, kw_only=True)
class Plan:
    """What is to be measured."""

    texts: tuple[str, ...]
    """The rule texts whose sentences make the passages."""
    dialogues: tuple[Dialogue, ...]
    sizes: tuple[int, ...]
    engines: tuple[EngineEntry, ...]
    seed: int = 0
    encoder: Encoder | None = None
    """Encodes sentences and questions; without it their vectors are made of their words."""
    encoder_folder: Path | None = None
    """Where the processes that encode find the same encoder."""


def chosen(names: Sequence[str]) -> tuple[EngineEntry, ...]:
    """Return the engines of those names, in the table's order; all where none is named."""
    known = {entry.name: entry for entry in ENGINES}
    for name in names:
        if name not in known:
            message = f"{name!r} is no engine, expected one of {', '.join(known)}"
            raise ConfigError(message, where=Where(field="--engine"))
    return tuple(entry for entry in ENGINES if not names or entry.name in names)


def measure_speed(
    plan: Plan, *, scratch: Path | None = None, progress: Progress = silent
) -> SpeedReport:
    """Return the figures of every engine at every size; indexes go to a folder in `scratch`."""
    with tempfile.TemporaryDirectory(prefix="clausewise-bench-", dir=scratch) as name:
        folder = Path(name)
        inputs = folder / "inputs"
        inputs.mkdir()
        _write_inputs(plan, folder=inputs)
        jobs = [(size, entry) for size in plan.sizes for entry in plan.engines]
        rows: list[SpeedRow] = []
        found: _Found = {}
        for size, entry in progress(_truth_first(jobs), label="Measuring", total=len(jobs)):
            outcome = _measured(entry, plan=plan, size=size, folder=folder, found=found)
            rows.append(
                SpeedRow(
                    passages=size,
                    engine=entry.name,
                    kind=entry.kind,
                    ours=entry.ours,
                    outcome=outcome,
                )
            )
    return SpeedReport(rows=_in_order(rows, plan=plan), about=_about(plan), versions=_versions())


def _truth_first(jobs: list[tuple[int, EngineEntry]]) -> list[tuple[int, EngineEntry]]:
    return sorted(jobs, key=lambda job: (job[0], job[1].truth is not None))


def _in_order(rows: Sequence[SpeedRow], *, plan: Plan) -> tuple[SpeedRow, ...]:
    names = [entry.name for entry in plan.engines]
    return tuple(sorted(rows, key=lambda row: (row.passages, names.index(row.engine))))


def _write_inputs(plan: Plan, *, folder: Path) -> None:
    queries = tuple(Query(dialogue=dialogue) for dialogue in plan.dialogues)
    sentences = None
    if any(entry.kind is not Kind.LEXICAL for entry in plan.engines):
        source = PassageSource.of(plan.texts, seed=plan.seed)
        sentences = _vectors(source.distinct, encoder=plan.encoder)
        asked = _vectors([query.text for query in queries], encoder=plan.encoder)
        queries = tuple(
            replace(query, vector=vector) for query, vector in zip(queries, asked, strict=True)
        )
    write_inputs(folder, texts=plan.texts, queries=queries, sentences=sentences)


def _vectors(texts: Sequence[str], *, encoder: Encoder | None) -> Vectors:
    return encoder.encode(texts) if encoder else word_vectors(texts)


def _measured(
    entry: EngineEntry, *, plan: Plan, size: int, folder: Path, found: _Found
) -> SpeedFigures | Skipped:
    why = _why_not(entry, plan=plan, size=size)
    if why:
        return Skipped(why=why)
    place = folder / f"{entry.name}-{size}"
    place.mkdir()
    job = Job(engine=entry.name, count=size, inputs=str(folder / "inputs"), seed=plan.seed)
    job.write(place)
    for step in ("build", "search"):
        failed = _run(place, step=step, plan=plan)
        if failed:
            return Skipped(why=f"{step} failed: {failed}")
    built = Built(**json.loads((place / "build.json").read_text("utf-8")))
    searched = Searched(**json.loads((place / "search.json").read_text("utf-8")))
    shutil.rmtree(place)
    found[entry.name, size] = searched.found
    truth = found.get((entry.truth, size), ()) if entry.truth else ()
    recall = recall_percent(searched.found, exact=truth)
    return _figures(built, searched=searched, recall=recall)


def _why_not(entry: EngineEntry, *, plan: Plan, size: int) -> str | None:
    missing = [name for name in entry.needs if importlib.util.find_spec(name) is None]
    if missing:
        return f"{', '.join(missing)} not installed"
    if entry.largest is not None and size > entry.largest:
        return f"too slow beyond {entry.largest:,} passages"
    if entry.kind is Kind.HYBRID and plan.encoder_folder is None:
        return "needs an encoder"
    return None


def _run(place: Path, *, step: str, plan: Plan) -> str | None:
    """Run one step in a process of its own; return what went wrong."""
    environment = {**os.environ, **dict.fromkeys(_ONE_THREAD, "1")}
    if plan.encoder_folder is not None:
        environment[ENCODER_VARIABLE] = str(plan.encoder_folder.resolve())
    command = [sys.executable, "-m", "clausewise.evaluation.speed.worker", str(place), step]
    done = subprocess.run(  # noqa: S603 - our own module
        command, env=environment, capture_output=True, text=True, check=False
    )
    if done.returncode < 0:
        return f"the process was ended by signal {-done.returncode}"
    lines = done.stderr.strip().splitlines()
    return (lines[-1] if lines else f"exit code {done.returncode}") if done.returncode else None


def _figures(built: Built, *, searched: Searched, recall: float | None) -> SpeedFigures:
    seconds = searched.seconds
    return SpeedFigures(
        build_seconds=round(built.seconds, 2),
        build_peak_mb=round(built.peak_mb),
        disk_mb=round(built.disk_mb, 1),
        cold_start_ms=round(searched.cold_start_ms, 1),
        cold_start_cpu_ms=round(searched.cold_start_cpu_ms, 1),
        peak_mb=round(searched.peak_mb),
        queries=len(seconds),
        queries_per_second=round(len(seconds) / max(sum(seconds), 1e-9), 1),
        latency=Latency.of(seconds),
        cpu=Latency.of(searched.cpu_seconds),
        recall=recall,
    )


def _about(plan: Plan) -> tuple[str, ...]:
    return tuple(_sentences_about(plan))


def _sentences_about(plan: Plan) -> Iterator[str]:
    yield (
        f"Passages: the {len(plan.texts)} rule texts, then their sentences recombined "
        f"(seed {plan.seed}); words are as frequent as in the rules, but no new ones come."
    )
    yield f"Queries: {len(plan.dialogues)}, the same for all, one after the other, one core."
    if plan.encoder is not None:
        yield "Vectors: the mean of a passage's encoded sentences and a little noise."
        yield "Dense engines get the encoded query; `hybrid` encodes it, and the time counts."
    else:
        yield "Vectors: random directions of the words (no --encoder), and a little noise."
    yield "cpu ms is processor time: what a query takes where nothing else runs on its core."
    yield "Memory is the peak of a process that only searches, mapped files included."


def _versions() -> dict[str, str]:
    versions = {}
    for package in PACKAGES:
        try:
            versions[package] = importlib.metadata.version(package)
        except importlib.metadata.PackageNotFoundError:
            continue
    return versions
