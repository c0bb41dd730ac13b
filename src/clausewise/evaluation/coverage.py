"""Measures whether the coverage probability knows what the rules don't speak of."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING

import numpy as np

from clausewise.progress import Progress, silent

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from numpy.typing import NDArray

    from clausewise.protocols import Coverage, Retriever
    from clausewise.types import Dialogue

BINS = 10


def evaluate_coverage(
    retriever: Retriever,
    coverage: Coverage,
    *,
    covered: Sequence[Dialogue],
    uncovered: Sequence[Dialogue],
    top_k: int = 5,
    progress: Progress = silent,
) -> CoverageReport:
    """Return how well coverage tells the dialogues that the rules cover from the others."""
    dialogues = [*covered, *uncovered]
    likely = []
    for dialogue in progress(dialogues, label="Judging coverage", total=len(dialogues)):
        hits = retriever.retrieve(dialogue, top_k=top_k)
        likely.append(coverage.covers(dialogue, hits=hits) if hits else 0.0)
    return measure(likely[: len(covered)], likely[len(covered) :])


@dataclass(frozen=True, slots=True, kw_only=True)
class CoverageReport:
    """How well coverage tells covered questions from others."""

    area_under_curve: float
    abstains_on_uncovered: float
    """In percent, at a probability of 0.5."""
    abstains_on_covered: float
    calibration_error: float
    """The mean distance between probability and truth in ten bins, each kind counting half."""

    def to_json(self) -> Mapping[str, object]:
        """Return the report as plain values."""
        return asdict(self)


def measure(covered: Sequence[float], uncovered: Sequence[float]) -> CoverageReport:
    """Return how good the probabilities of covered and of uncovered questions are."""
    yes, no = np.array(covered), np.array(uncovered)
    # [covered, uncovered]: a tie counts half
    above = (yes[:, None] > no[None, :]).mean() + 0.5 * (yes[:, None] == no[None, :]).mean()
    return CoverageReport(
        area_under_curve=round(float(above), 4),
        abstains_on_uncovered=round(100 * float((no < 0.5).mean()), 2),
        abstains_on_covered=round(100 * float((yes < 0.5).mean()), 2),
        calibration_error=round(_calibration_error(yes, no), 4),
    )


def _calibration_error(yes: NDArray[np.float64], no: NDArray[np.float64]) -> float:
    likely = np.concatenate([yes, no])
    truth = np.concatenate([np.ones(len(yes)), np.zeros(len(no))])
    weight = np.concatenate([np.full(len(yes), 0.5 / len(yes)), np.full(len(no), 0.5 / len(no))])
    bins = np.minimum((likely * BINS).astype(int), BINS - 1)
    gaps = [abs(float((weight * (likely - truth))[bins == b].sum())) for b in range(BINS)]
    return sum(gaps)
