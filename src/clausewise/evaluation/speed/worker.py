"""The process that measures one engine: `python -m clausewise.evaluation.speed.worker FOLDER STEP`.

A process of its own makes memory honest. Building and searching are two processes, because the
memory that building took doesn't go back; each runs on one core and writes what it measured.
"""

from __future__ import annotations

import importlib
import json
import os
import sys
import time
from dataclasses import asdict, dataclass
from pathlib import Path

import numpy as np

from clausewise.evaluation.speed.engines import ENGINES, Corpus, Engine, Query, Searcher
from clausewise.evaluation.speed.passages import PassageSource
from clausewise.evaluation.speed.vectors import PassageVectors
from clausewise.types import Dialogue

TOP_K = 10
_WARM_UP = 10
_PATIENCE_SECONDS = 30.0


@dataclass(frozen=True, slots=True, kw_only=True)
class Job:
    """What a worker is asked to do; it lies as `job.json` in the folder of the engine."""

    engine: str
    count: int
    inputs: str
    """The folder with what is the same for all engines: texts, queries, vectors."""
    seed: int

    def write(self, folder: Path) -> None:
        """Leave the job in the folder of the engine."""
        (folder / "job.json").write_text(json.dumps(asdict(self)), "utf-8")

    @classmethod
    def read(cls, folder: Path) -> Job:
        """Return the job that was left in a folder."""
        return cls(**json.loads((folder / "job.json").read_text("utf-8")))


@dataclass(frozen=True, slots=True, kw_only=True)
class Built:
    """What building an index took."""

    seconds: float
    peak_mb: float
    disk_mb: float


@dataclass(frozen=True, slots=True, kw_only=True)
class Searched:
    """What searching took."""

    cold_start_ms: float
    """Loading the library, opening the index and the first query; files were in the page cache."""
    cold_start_cpu_ms: float
    """The same in processor time, which other work on the machine doesn't stretch."""
    peak_mb: float
    seconds: tuple[float, ...]
    """Of each query."""
    cpu_seconds: tuple[float, ...]
    found: tuple[tuple[int, ...], ...]
    """The passages that each query found."""


def write_inputs(
    folder: Path, *, texts: tuple[str, ...], queries: tuple[Query, ...], sentences: object = None
) -> None:
    """Write what is the same for all engines."""
    asked = [(query.dialogue.question, query.dialogue.scenario) for query in queries]
    (folder / "texts.json").write_text(json.dumps(texts), "utf-8")
    (folder / "queries.json").write_text(json.dumps(asked), "utf-8")
    if sentences is not None:
        np.save(folder / "sentences.npy", np.asarray(sentences))
        np.save(folder / "queries.npy", np.stack([query.known_vector() for query in queries]))


def read_corpus(job: Job) -> Corpus:
    """Return the passages of a job."""
    inputs = Path(job.inputs)
    texts = json.loads((inputs / "texts.json").read_text("utf-8"))
    source = PassageSource.of(texts, seed=job.seed)
    path = inputs / "sentences.npy"
    vectors = PassageVectors(source=source, sentences=np.load(path)) if path.is_file() else None
    return Corpus(source=source, count=job.count, vectors=vectors)


def read_queries(job: Job) -> tuple[Query, ...]:
    """Return the queries of a job."""
    inputs = Path(job.inputs)
    asked = json.loads((inputs / "queries.json").read_text("utf-8"))
    path = inputs / "queries.npy"
    vectors = np.load(path) if path.is_file() else [None] * len(asked)
    return tuple(
        Query(dialogue=Dialogue(question=question, scenario=scenario), vector=vector)
        for (question, scenario), vector in zip(asked, vectors, strict=True)
    )


def build(engine: Engine, *, job: Job, folder: Path) -> Built:
    """Build the index of a job in the folder and return what it took."""
    corpus = read_corpus(job)
    start = time.perf_counter()
    engine.build(corpus, folder=folder)
    seconds = time.perf_counter() - start
    size = sum(path.stat().st_size for path in folder.rglob("*") if path.is_file())
    return Built(seconds=seconds, peak_mb=_peak_mb(), disk_mb=size / 2**20)


def search(engine: Engine, *, job: Job, folder: Path) -> Searched:
    """Ask the index in the folder all queries and return what it took."""
    queries = read_queries(job)
    watch = _Watch()
    searcher = engine.open(folder)
    searcher.search(queries[0], top_k=TOP_K)
    seconds, cpu_seconds = watch.read()
    timed = _timed(searcher, queries=queries)
    return Searched(
        cold_start_ms=1000 * seconds,
        cold_start_cpu_ms=1000 * cpu_seconds,
        peak_mb=_peak_mb(),
        seconds=tuple(one.seconds for one in timed),
        cpu_seconds=tuple(one.cpu_seconds for one in timed),
        found=tuple(one.found for one in timed),
    )


class _Watch:
    """Tells how much time has passed, on the wall and in this process."""

    def __init__(self) -> None:
        self._start, self._cpu_start = time.perf_counter(), time.process_time()

    def read(self) -> tuple[float, float]:
        return time.perf_counter() - self._start, time.process_time() - self._cpu_start


@dataclass(frozen=True, slots=True, kw_only=True)
class _Timed:
    """What one query took and found."""

    seconds: float
    cpu_seconds: float
    found: tuple[int, ...]


def _timed(searcher: Searcher, *, queries: tuple[Query, ...]) -> list[_Timed]:
    """Return how long each query took and what it found; stops when patience runs out."""
    for query in queries[:_WARM_UP]:
        searcher.search(query, top_k=TOP_K)
    timed: list[_Timed] = []
    for query in queries:
        watch = _Watch()
        places = searcher.search(query, top_k=TOP_K)
        seconds, cpu_seconds = watch.read()
        found = tuple(int(place) for place in places)
        timed.append(_Timed(seconds=seconds, cpu_seconds=cpu_seconds, found=found))
        if sum(one.seconds for one in timed) > _PATIENCE_SECONDS:
            break
    return timed


def make(name: str) -> Engine:
    """Return the engine of that name."""
    entry = {entry.name: entry for entry in ENGINES}[name]
    module, _, kind = entry.made_by.partition(":")
    engine: Engine = getattr(importlib.import_module(module), kind)()
    return engine


def _peak_mb() -> float:
    """Return the most memory this process ever had, mapped files that it touched included."""
    try:
        status = Path("/proc/self/status").read_text("ascii")
    except OSError:
        import resource

        return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    # ru_maxrss would start with what the parent had when it started this process.
    return int(status.split("VmHWM:")[1].split()[0]) / 1024


def _stay_on_one_core() -> None:
    if hasattr(os, "sched_setaffinity"):
        os.sched_setaffinity(0, {max(os.sched_getaffinity(0))})


def main(folder: Path, step: str) -> None:
    """Run one step of the job in a folder and leave what it took beside it."""
    _stay_on_one_core()
    job = Job.read(folder)
    index = folder / "index"
    index.mkdir(exist_ok=True)
    run = build if step == "build" else search
    figures: Built | Searched = run(make(job.engine), job=job, folder=index)
    (folder / f"{step}.json").write_text(json.dumps(asdict(figures)), "utf-8")


if __name__ == "__main__":
    main(Path(sys.argv[1]), sys.argv[2])
