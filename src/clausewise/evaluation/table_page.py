"""The table of the papers' systems as a section of the results page."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from clausewise.evaluation.joint_table import (
    ABLATIONS,
    SETTINGS,
    Setting,
    SystemResult,
    figures,
    mean_and_deviation,
)
from clausewise.evaluation.results import (
    Provenance,
    markdown_table,
    provenance_text,
    reading_slices,
)

_TITLES: dict[Setting, str] = {
    "closed-book": "Closed book: the right rule text is given",
    "conversational": "End to end, rule texts found by `conversational`",
    "tfidf": "End to end, rule texts found by `tfidf`, as in the papers",
}
_FIGURES = ("Micro", "Macro", "Yes", "No", "Inquire", "F1-BLEU-1", "F1-BLEU-4")
_CLAIMS = (
    ("mudern", "mp"),
    ("mp", "discern"),
    ("mp", "emt"),
    ("mp", "e3"),
    *(("mudern", ablation) for ablation in ABLATIONS),
)
"""The papers' order: the left system is the better one."""


@dataclass(frozen=True, slots=True, kw_only=True)
class TablePage:
    """Everything that the section says."""

    results: tuple[SystemResult, ...]
    provenance: Provenance
    remarks: tuple[str, ...] = ()
    """Sentences about how it was done."""

    def text(self) -> str:
        """Return the section in Markdown."""
        parts = [
            provenance_text(self.provenance),
            *self.remarks,
            self._learned_from(),
            self._training(),
            _deviations(self.results),
        ]
        for setting in SETTINGS:
            results = [each for each in self.results if each.setting == setting]
            if results:
                parts += [f"### {_TITLES[setting]}", _scores(results)]
        parts.append(_order(self.results))
        return "\n\n".join(part for part in parts if part) + "\n"

    def _learned_from(self) -> str:
        found = (each.origin.files for each in self.results if each.origin is not None)
        files = dict.fromkeys(file for files in found for file in files)
        shown = ", ".join(f"`{name}` (SHA-256 `{digest[:12]}`)" for name, digest in files)
        return f"Trained systems learned from {shown}, by\n\n{self._commands()}" if shown else ""

    def _commands(self) -> str:
        found = (each.origin.command for each in self.results if each.origin is not None)
        return "\n".join(f"    {command}" for command in dict.fromkeys(found))

    def _training(self) -> str:
        rows = [
            (
                each.system,
                each.origin.backbone,
                each.origin.samples,
                str(each.origin.epochs or ""),
                str(len(each.origin.seconds)),
                _shown([seconds / 60 for seconds in each.origin.seconds]),
            )
            for each in self.results
            if each.origin is not None and each.setting == SETTINGS[0]
        ]
        header = ("System", "Backbone", "Learned from", "Epochs", "Seeds", "Minutes a seed")
        return markdown_table(header, rows, words=3) if rows else ""


def _deviations(results: Sequence[SystemResult]) -> str:
    seeds = max((len(each.reports) for each in results), default=0)
    if seeds < 2:
        return "One seed: how much another would differ is not known."
    return "Means over seeds, and behind ± the standard deviation between them."


def _scores(results: Sequence[SystemResult]) -> str:
    header = ("System", "Samples", "n", *_FIGURES)
    return markdown_table(header, _rows(results), words=2)


def _rows(results: Sequence[SystemResult]) -> Iterator[tuple[str, ...]]:
    for result in results:
        of_seeds = [reading_slices(report) for report in result.reports]
        for slices in zip(*of_seeds, strict=True):
            name, first = slices[0]
            values = zip(*(figures(scores) for _, scores in slices), strict=True)
            yield (result.system, name, str(first.n), *(_shown(each) for each in values))


def _order(results: Sequence[SystemResult]) -> str:
    """Return by how much each system beats the one that the papers put below it."""
    micro = {
        (each.system, each.setting): [report.overall.micro for report in each.reports]
        for each in results
    }
    rows = []
    for better, worse in _CLAIMS:
        cells = [
            _difference(micro.get((better, setting)), micro.get((worse, setting)))
            for setting in SETTINGS
        ]
        if any(cells):
            rows.append((f"{better} − {worse}", *cells))
    if not rows:
        return ""
    intro = "Differences in micro accuracy over all samples; the papers say that each is above 0."
    header = ("Difference", "closed book", "conversational", "tfidf")
    return f"### The papers' order\n\n{intro}\n\n{markdown_table(header, rows, words=1)}"


def _difference(better: Sequence[float] | None, worse: Sequence[float] | None) -> str:
    if better is None or worse is None:
        return ""
    return _shown([one - other for one, other in zip(better, worse, strict=True)], signed=True)


def _shown(values: Sequence[float], *, signed: bool = False) -> str:
    mean, deviation = mean_and_deviation(values)
    shown = f"{mean:+.1f}" if signed else f"{mean:.1f}"
    return f"{shown} ± {deviation:.1f}" if len(values) > 1 else shown
