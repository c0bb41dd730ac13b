"""Writes the tables of results, so that no figure in the docs is typed by hand.

A page holds one section a command, between two marks; a command replaces its own section and
leaves the others as they are.
"""

from __future__ import annotations

import datetime
import hashlib
import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path

from clausewise.evaluation.metrics import Scores
from clausewise.evaluation.reading import ReadingReport
from clausewise.evaluation.retrieval import CUTOFFS, RetrievalReport, RetrievalScores
from clausewise.evaluation.score import ScoreReport
from clausewise.files import write_whole


@dataclass(frozen=True, slots=True, kw_only=True)
class ReadingResult:
    """The figures of one system in one setting."""

    system: str
    setting: str
    """'closed book' or 'end to end'."""
    report: ReadingReport


@dataclass(frozen=True, slots=True, kw_only=True)
class RetrievalResult:
    """The figures of one retriever in one setting."""

    retriever: str
    setting: str
    """'with history' or 'without history'."""
    report: RetrievalReport


@dataclass(frozen=True, slots=True, kw_only=True)
class Provenance:
    """What made the figures, so that anyone can make them again."""

    command: str
    date: datetime.date
    files: tuple[tuple[str, str], ...]
    """The name and the SHA-256 of each file that went in."""

    @classmethod
    def of(
        cls,
        *,
        command: str,
        date: datetime.date,
        files: Sequence[Path],
        models: Sequence[Path] = (),
    ) -> Provenance:
        """Return the provenance of figures made from some files, which are hashed here.

        `models` are folders of models; the hash of one is that of its weights.
        """
        named = [(path.name, path) for path in files]
        named += [(f"{folder.name}/model.onnx", folder / "model.onnx") for folder in models]
        hashed = ((name, hashlib.sha256(path.read_bytes()).hexdigest()) for name, path in named)
        return cls(command=command, date=date, files=tuple(hashed))


def results_section(
    *,
    reading: Sequence[ReadingResult],
    retrieval: Sequence[RetrievalResult],
    provenance: Provenance,
) -> str:
    """Return the Markdown of one section: where the figures come from, and the tables."""
    parts = [provenance_text(provenance)]
    if retrieval:
        parts.append("### Retrieval\n\n" + _retrieval_table(retrieval))
    if reading:
        parts.append("### Reading\n\n" + _reading_table(reading))
    return "\n\n".join(parts) + "\n"


def write_section(section: str, *, name: str, path: Path) -> None:
    """Put a section into a page in place of the one of that name, or at its end."""
    begin, end = f"<!-- begin {name} -->", f"<!-- end {name} -->"
    block = f"{begin}\n{section.strip()}\n{end}"
    page = path.read_text(encoding="utf-8") if path.exists() else "# Results\n"
    old = re.compile(re.escape(begin) + ".*?" + re.escape(end), flags=re.DOTALL)
    if not old.search(page):
        page = f"{page.rstrip()}\n\n{begin}{end}\n"
    # A function, because backslashes in a plain replacement would be taken for groups.
    page = old.sub(lambda _: block, page)
    path.parent.mkdir(parents=True, exist_ok=True)
    write_whole(path, [page])


def provenance_text(provenance: Provenance) -> str:
    """Return where figures come from, in Markdown."""
    files = ", ".join(f"`{name}` (SHA-256 `{digest[:12]}`)" for name, digest in provenance.files)
    return f"Made on {provenance.date.isoformat()} from {files} by\n\n    {provenance.command}"


def _reading_table(results: Iterable[ReadingResult]) -> str:
    accuracies = ("Micro", "Macro", "Yes", "No", "Inquire")
    header = ("System", "Setting", "Samples", "n", *accuracies, "F1-BLEU-1", "F1-BLEU-4")
    rows = [
        (result.system, result.setting, name, *_reading_cells(scores))
        for result in results
        for name, scores in reading_slices(result.report.scores)
    ]
    return markdown_table(header, rows, words=3)


def reading_slices(scores: ScoreReport) -> tuple[tuple[str, Scores], ...]:
    """Return the parts of the samples that are always shown, with their names."""
    return (
        ("all", scores.overall),
        ("seen", scores.seen),
        ("unseen", scores.unseen),
        ("first turn with scenario", scores.first_turn_with_scenario),
    )


def _reading_cells(scores: Scores) -> tuple[str, ...]:
    recalls = scores.classwise
    figures = (scores.micro, scores.macro, recalls.yes, recalls.no, recalls.inquire)
    return (str(scores.n), *map(_figure, (*figures, scores.f1_bleu[0], scores.f1_bleu[3])))


def _retrieval_table(results: Iterable[RetrievalResult]) -> str:
    header = ("Retriever", "Setting", "Samples", "n", *(f"@{k}" for k in CUTOFFS), "MRR")
    rows = [
        (result.retriever, result.setting, name, *_retrieval_cells(scores))
        for result in results
        for name, scores in _retrieval_slices(result.report)
    ]
    return markdown_table(header, rows, words=3)


def _retrieval_slices(report: RetrievalReport) -> tuple[tuple[str, RetrievalScores], ...]:
    return (
        ("all", report.overall),
        ("seen", report.seen),
        ("unseen", report.unseen),
        ("first turn", report.first_turn),
    )


def _retrieval_cells(scores: RetrievalScores) -> tuple[str, ...]:
    return (str(scores.n), *map(_figure, (*scores.recall, scores.mrr)))


def _figure(value: float) -> str:
    return f"{value:.1f}"


def markdown_table(header: Sequence[str], rows: Iterable[Sequence[str]], *, words: int) -> str:
    """Return a Markdown table; the first `words` columns hold words, the others numbers."""
    rule = ["---" if column < words else "---:" for column in range(len(header))]
    return "\n".join(f"| {' | '.join(cells)} |" for cells in (header, rule, *rows))
