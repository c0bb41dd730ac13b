"""What the benchmark found out, engine by engine."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass

from clausewise.evaluation.latency import Latency
from clausewise.evaluation.speed.engines import Kind


@dataclass(frozen=True, slots=True, kw_only=True)
class SpeedFigures:
    """What one engine took for one number of passages."""

    build_seconds: float
    build_peak_mb: float
    """The most memory of the process that built the index."""
    disk_mb: float
    cold_start_ms: float
    """From loading the library to the first result, files in the page cache."""
    cold_start_cpu_ms: float
    """The same in processor time, which other work on the machine doesn't stretch."""
    peak_mb: float
    """The most memory of the process that searched, mapped files that it touched included."""
    queries: int
    queries_per_second: float
    """On one core, one after the other."""
    latency: Latency
    cpu: Latency
    """Latency in processor time."""
    recall: float | None = None
    """Of the exact ten nearest, the share that was found, in percent; None for exact engines."""

    def to_json(self) -> Mapping[str, object]:
        """Return the figures for programs."""
        latencies = {"latency": self.latency.to_json(), "cpu": self.cpu.to_json()}
        return {**asdict(self), **latencies}


@dataclass(frozen=True, slots=True, kw_only=True)
class Skipped:
    """Why an engine has no figures."""

    why: str

    def to_json(self) -> Mapping[str, object]:
        """Return the reason for programs."""
        return {"skipped": self.why}


@dataclass(frozen=True, slots=True, kw_only=True)
class SpeedRow:
    """One engine and one number of passages."""

    passages: int
    engine: str
    kind: Kind
    ours: bool
    outcome: SpeedFigures | Skipped

    def to_json(self) -> Mapping[str, object]:
        """Return the row for programs."""
        return {
            "passages": self.passages,
            "engine": self.engine,
            "kind": self.kind.value,
            "ours": self.ours,
            **self.outcome.to_json(),
        }


@dataclass(frozen=True, slots=True, kw_only=True)
class SpeedReport:
    """All rows, and what they were measured on."""

    rows: tuple[SpeedRow, ...]
    about: tuple[str, ...]
    """Sentences that say how passages, vectors and queries were made."""
    versions: Mapping[str, str]
    """Of the packages that were measured."""

    def to_json(self) -> Mapping[str, object]:
        """Return the report for programs."""
        rows = [row.to_json() for row in self.rows]
        return {"about": list(self.about), "versions": dict(self.versions), "rows": rows}


def recall_percent(
    found: Sequence[Sequence[int]], *, exact: Sequence[Sequence[int]]
) -> float | None:
    """Return how much of what is exact was found; None where nothing is exact."""
    pairs = [(set(mine), set(true)) for mine, true in zip(found, exact, strict=False) if true]
    if not pairs:
        return None
    total = sum(len(true) for _, true in pairs)
    return round(100 * sum(len(mine & true) for mine, true in pairs) / total, 2)
