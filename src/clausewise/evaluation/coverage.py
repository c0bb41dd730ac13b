"""Measures whether the coverage probability knows what the rules don't speak of."""

from __future__ import annotations

from dataclasses import asdict, dataclass, field, replace
from typing import TYPE_CHECKING

import numpy as np

from clausewise.progress import Progress, silent
from clausewise.types import Dialogue

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from numpy.typing import NDArray

    from clausewise.datasets.uncovered import UncoveredQuestion
    from clausewise.engine import Engine

BINS = 10


@dataclass(frozen=True, slots=True, kw_only=True)
class CoverageReport:
    """How well coverage tells covered questions from others."""

    covered: int
    """How many questions the rules cover."""
    uncovered: int
    threshold: float
    """The probability below which the engine abstains."""
    area_under_curve: float
    abstains_on_uncovered: float
    """In percent, as all shares here."""
    abstains_on_covered: float
    calibration_error: float
    """The mean distance between probability and truth in ten bins, each kind counting half."""
    abstains_by_kind: Mapping[str, float] = field(default_factory=dict)
    """The share of each kind of uncovered question."""

    def to_json(self) -> Mapping[str, object]:
        """Return the report as plain values."""
        return asdict(self)


def evaluate_coverage(
    engine: Engine,
    *,
    covered: Sequence[Dialogue],
    uncovered: Sequence[UncoveredQuestion],
    progress: Progress = silent,
) -> CoverageReport:
    """Return how well an engine tells the dialogues that its rules cover from other questions."""
    dialogues = [*covered, *(Dialogue(question=other.question) for other in uncovered)]
    likely = [
        _probability(engine, dialogue)
        for dialogue in progress(dialogues, label="Judging coverage", total=len(dialogues))
    ]
    yes, no = likely[: len(covered)], likely[len(covered) :]
    kinds: dict[str, list[float]] = {}
    for other, probability in zip(uncovered, no, strict=True):
        kinds.setdefault(other.kind, []).append(probability)
    threshold = engine.minimum_coverage
    by_kind = {kind: _below(np.array(found), threshold) for kind, found in kinds.items()}
    return replace(measure(yes, no, threshold=threshold), abstains_by_kind=by_kind)


def _probability(engine: Engine, dialogue: Dialogue) -> float:
    hits = engine.retriever.retrieve(dialogue, top_k=engine.top_k)
    return engine.coverage.covers(dialogue, hits=hits) if hits else 0.0


def measure(
    covered: Sequence[float], uncovered: Sequence[float], *, threshold: float = 0.5
) -> CoverageReport:
    """Return how good the probabilities of covered and of uncovered questions are."""
    yes, no = np.array(covered), np.array(uncovered)
    # [covered, uncovered]: a tie counts half
    above = (yes[:, None] > no[None, :]).mean() + 0.5 * (yes[:, None] == no[None, :]).mean()
    return CoverageReport(
        covered=len(yes),
        uncovered=len(no),
        threshold=threshold,
        area_under_curve=round(float(above), 4),
        abstains_on_uncovered=_below(no, threshold),
        abstains_on_covered=_below(yes, threshold),
        calibration_error=round(_calibration_error(yes, no), 4),
    )


def _below(likely: NDArray[np.float64], threshold: float) -> float:
    return round(100 * float((likely < threshold).mean()), 2)


def _calibration_error(yes: NDArray[np.float64], no: NDArray[np.float64]) -> float:
    likely = np.concatenate([yes, no])
    truth = np.concatenate([np.ones(len(yes)), np.zeros(len(no))])
    weight = np.concatenate([np.full(len(yes), 0.5 / len(yes)), np.full(len(no), 0.5 / len(no))])
    bins = np.minimum((likely * BINS).astype(int), BINS - 1)
    gaps = [abs(float((weight * (likely - truth))[bins == b].sum())) for b in range(BINS)]
    return sum(gaps)
