"""Tables of figures for people."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from clausewise.evaluation.coverage import CoverageReport
from clausewise.evaluation.metrics import Scores
from clausewise.evaluation.retrieval import CUTOFFS, RetrievalReport, RetrievalScores
from clausewise.evaluation.score import ScoreReport


def retrieval_table(reports: Mapping[str, RetrievalReport]) -> str:
    """Return the recall of retrievers, a row for each slice of the samples."""
    rows = [("", "samples", "n", *(f"@{cutoff}" for cutoff in CUTOFFS), "mrr")]
    for name, report in reports.items():
        slices = {
            "all": report.overall,
            "seen": report.seen,
            "unseen": report.unseen,
            "first turn": report.first_turn,
        }
        rows += [(name, label, *_recall_cells(scores)) for label, scores in slices.items()]
    latency = "\n".join(
        f"{name}: p50 {report.latency.p50_ms:.2f} ms, p95 {report.latency.p95_ms:.2f} ms a query"
        for name, report in reports.items()
    )
    return f"{aligned(rows)}\n{latency}"


def reading_table(reports: Mapping[str, ScoreReport]) -> str:
    """Return the accuracies and F1-BLEU of systems, a row for each slice of the samples."""
    head = ("", "samples", "n", "micro", "macro", "yes", "no", "inquire", "f1-bleu-1", "f1-bleu-4")
    rows: list[tuple[str, ...]] = [head]
    for name, report in reports.items():
        slices = {
            "all": report.overall,
            "seen": report.seen,
            "unseen": report.unseen,
            "first turn with scenario": report.first_turn_with_scenario,
        }
        rows += [(name, label, *_score_cells(scores)) for label, scores in slices.items()]
    return aligned(rows)


def coverage_table(report: CoverageReport) -> str:
    """Return how well covered questions are told from others, with a row for each kind."""
    rows = [
        ("abstains on", "", "%"),
        (f"{report.covered} covered", "", f"{report.abstains_on_covered:.2f}"),
        (f"{report.uncovered} uncovered", "", f"{report.abstains_on_uncovered:.2f}"),
        *((f"  {kind}", "", f"{share:.2f}") for kind, share in report.abstains_by_kind.items()),
    ]
    return (
        f"{aligned(rows)}\nthreshold {report.threshold}, "
        f"area under the ROC curve {report.area_under_curve:.4f}, "
        f"calibration error {100 * report.calibration_error:.1f} %"
    )


def aligned(rows: Sequence[Sequence[str]]) -> str:
    """Return the rows as a text table: first two columns to the left, the rest to the right."""
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    return "\n".join(
        "  ".join(
            cell.ljust(width) if index < 2 else cell.rjust(width)
            for index, (cell, width) in enumerate(zip(row, widths, strict=True))
        ).rstrip()
        for row in rows
    )


def _recall_cells(scores: RetrievalScores) -> tuple[str, ...]:
    return str(scores.n), *(f"{value:.2f}" for value in (*scores.recall, scores.mrr))


def _score_cells(scores: Scores) -> tuple[str, ...]:
    recalls = scores.classwise
    figures = (scores.micro, scores.macro, recalls.yes, recalls.no, recalls.inquire)
    bleu = scores.f1_bleu
    return str(scores.n), *(f"{value:.2f}" for value in (*figures, bleu[0], bleu[3]))
