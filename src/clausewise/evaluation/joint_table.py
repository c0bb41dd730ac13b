"""The table of the papers' systems: scores of what each seed of each system read and asked.

Training and reading leave files behind (`training.table`); here they are scored, so that it can be
done on another machine, and again without reading anew.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

import numpy as np

from clausewise.datasets.orsharc import Sample
from clausewise.datasets.records import Record, read_json, read_records
from clausewise.errors import ConfigError, DataError, Where
from clausewise.evaluation.metrics import Scores
from clausewise.evaluation.score import ScoreReport, score
from clausewise.protocols import Asker
from clausewise.trees.values import Span
from clausewise.types import RuleText

Setting = Literal["closed-book", "conversational", "tfidf"]
SETTINGS: tuple[Setting, ...] = ("closed-book", "conversational", "tfidf")
"""The right rule text given, or retrieved in one of two ways."""
SYSTEMS = ("e3", "emt", "discern", "mp", "mudern")
ABLATIONS = (
    "mudern-sentences",
    "mudern-no-layers",
    "mudern-no-entailment",
    "mudern-discern-head",
)
BASELINES = ("pattern", "lexical")
MORE = ("mudern-edit-distance", "compiled")
"""What can stand in the table besides: MUDERN from noisy labels, and our own reader."""
EVERYTHING = (*BASELINES, *SYSTEMS, *ABLATIONS)
_OF_THEIR_OWN = ("pattern", "lexical", "compiled")
_OWN_SPANS = ("e3", "emt")
_BEST_TEXT_ALONE = ("discern",)
_EDITS = ("e3",)


@dataclass(frozen=True, slots=True, kw_only=True)
class TablePlan:
    """What is in the table, and where its parts are kept."""

    systems: tuple[str, ...] = EVERYTHING
    seeds: tuple[int, ...] = (0, 1, 2)
    work: Path
    """Every seed of every system has a folder in it, with its model and what it read."""
    rules: Path
    samples: Path

    def __post_init__(self) -> None:
        known = (*EVERYTHING, *MORE)
        for name in self.systems:
            if name not in known:
                message = f"{name!r} is unknown, expected some of {', '.join(known)}"
                raise ConfigError(message, where=Where(field="systems"))
        if not self.seeds:
            raise ConfigError("no seed, expected at least one", where=Where(field="seeds"))

    @property
    def joint(self) -> tuple[str, ...]:
        """The systems that are trained."""
        return tuple(name for name in self.systems if name not in _OF_THEIR_OWN)

    @property
    def untrained(self) -> tuple[str, ...]:
        """The systems that need no training for this."""
        return tuple(name for name in self.systems if name in _OF_THEIR_OWN)

    def read(self, system: str, seed: int, setting: Setting) -> Path:
        """Return the file of what a system read."""
        return self.folder(system, seed) / f"{setting}.jsonl"

    def spans(self, system: str, seed: int, setting: Setting) -> Path | None:
        """Return the file of what a system asks about; None where that stands in `read`."""
        if system in _OWN_SPANS:
            return None
        first = "-first" if system in _BEST_TEXT_ALONE else ""
        return self.folder("span", seed) / f"{setting}{first}.jsonl"

    def editor(self, system: str, seed: int) -> Path | None:
        """Return the folder of the editor that a system asks with; None where it has none."""
        return self.folder("editor", seed) if system in _EDITS else None

    def folder(self, system: str, seed: int) -> Path:
        """Return where the model of a system is, and what it read."""
        return self.work / system / f"seed-{seed}"

    def missing(self) -> tuple[Path, ...]:
        """Return what is yet to be made before the table can be scored."""
        needed = [
            path
            for system in self.joint
            for seed in self.seeds
            for path in (
                *(self.read(system, seed, setting) for setting in SETTINGS),
                *(self.spans(system, seed, setting) for setting in SETTINGS),
                self._config_of_editor(system, seed),
            )
            if path is not None
        ]
        return tuple(path for path in dict.fromkeys(needed) if not path.is_file())

    def _config_of_editor(self, system: str, seed: int) -> Path | None:
        folder = self.editor(system, seed)
        return None if folder is None else folder / "config.json"


@dataclass(frozen=True, slots=True, kw_only=True)
class Origin:
    """What is known of a trained system."""

    backbone: str
    seconds: tuple[float, ...]
    """How long each seed was trained."""
    files: tuple[tuple[str, str], ...]
    """The name and the SHA-256 of each file that it learned from."""
    command: str
    """Trains them again."""
    samples: str = ""
    """What each seed learned from, counted: '8000 simulated dialogues'."""
    epochs: int = 0
    """How often; 0 where the manifest doesn't tell."""


@dataclass(frozen=True, slots=True, kw_only=True)
class SystemResult:
    """The figures of a system in one setting, one report a seed."""

    system: str
    setting: Setting
    reports: tuple[ScoreReport, ...]
    origin: Origin | None = None
    """None of systems that aren't trained."""


class Questions:
    """Asks with one asker, the same thing once."""

    def __init__(self, asker: Asker) -> None:
        self._asker = asker
        self._asked: dict[tuple[str, Span], str] = {}

    def ask(self, span: Span, *, rule: RuleText) -> str:
        """Return a question whose Yes means that the condition at `span` holds."""
        key = (rule.text, span)
        if key not in self._asked:
            self._asked[key] = self._asker.ask(span, rule=rule)
        return self._asked[key]


def score_joint(
    plan: TablePlan,
    samples: Sequence[Sample],
    *,
    rules: Mapping[str, RuleText],
    askers: Mapping[str, Sequence[Asker]],
) -> Iterator[SystemResult]:
    """Yield the figures of the trained systems; `askers` has one a seed for each of them."""
    for system in plan.joint:
        for setting in SETTINGS:
            reports = tuple(
                score(
                    samples,
                    answers(
                        plan.read(system, seed, setting),
                        spans=plan.spans(system, seed, setting),
                        rules=rules,
                        asker=asker,
                    ),
                )
                for seed, asker in zip(plan.seeds, askers[system], strict=True)
            )
            yield SystemResult(
                system=system, setting=setting, reports=reports, origin=_origin(plan, system)
            )


def answers(
    path: Path, *, spans: Path | None, rules: Mapping[str, RuleText], asker: Asker
) -> dict[str, str | None]:
    """Return what a system answers: Yes, No, or the question that the asker writes.

    `spans` tells what is asked about; without, the lines of `path` do so themselves.
    """
    found = {} if spans is None else {_id(record): record for record in read_records(spans)}
    said: dict[str, str | None] = {}
    for record in read_records(path):
        decision = record.text("decision")
        if decision == "Inquire":
            own = _span(record) if spans is None else found.get(_id(record))
            if own is None:
                raise record.error("utterance_id", f"has no span in {spans}")
            decision = _question(own, rules=rules, asker=asker)
        said[_id(record)] = decision
    return said


def mean_and_deviation(values: Sequence[float]) -> tuple[float, float]:
    """Return the mean and the standard deviation of a sample; of one value, that is 0."""
    deviation = float(np.std(values, ddof=1)) if len(values) > 1 else 0.0
    return float(np.mean(values)), deviation


def figures(scores: Scores) -> tuple[float, ...]:
    """Return what the table shows of some scores."""
    recalls = scores.classwise
    return (
        scores.micro,
        scores.macro,
        recalls.yes,
        recalls.no,
        recalls.inquire,
        scores.f1_bleu[0],
        scores.f1_bleu[3],
    )


def _id(record: Record) -> str:
    return record.text("utterance_id")


def _span(record: Record) -> Record:
    fields = record.fields.get("span")
    if not isinstance(fields, dict):
        raise record.error("span", "expected a span, since the decision is Inquire")
    return Record(fields=fields, file=record.file, line=record.line, prefix="span")


def _question(record: Record, *, rules: Mapping[str, RuleText], asker: Asker) -> str:
    rule_id = record.text("rule_id")
    if rule_id not in rules:
        raise record.error("rule_id", f"{rule_id!r} is no rule")
    start, end = record.number("start"), record.number("end")
    rule = rules[rule_id]
    if not 0 <= start < end <= len(rule.text):
        raise record.error("end", f"[{start}, {end}) cuts nothing out of {rule_id!r}")
    return asker.ask(Span(start=start, end=end), rule=rule)


def _origin(plan: TablePlan, system: str) -> Origin:
    manifests = [_manifest(plan.folder(system, seed) / "manifest.json") for seed in plan.seeds]
    first = manifests[0]
    notes = _notes(first)
    return Origin(
        backbone=first.text("backbone"),
        seconds=tuple(_seconds(manifest) for manifest in manifests),
        files=tuple((file.text("name"), file.text("sha256")) for file in first.records("data")),
        command=first.text("command"),
        samples=notes[0].partition(",")[0] if notes else "",
        epochs=sum(note.startswith("epoch ") for note in notes),
    )


def _manifest(path: Path) -> Record:
    fields = read_json(path)
    if not isinstance(fields, dict):
        raise DataError("is no manifest, expected one of a training", where=Where(file=str(path)))
    return Record(fields=fields, file=str(path))


def _notes(manifest: Record) -> tuple[str, ...]:
    """Return what a training noted: what it learned from first, then a line an epoch."""
    notes = manifest.fields.get("notes", [])
    if not isinstance(notes, list):
        raise manifest.error("notes", "expected a list of sentences")
    return tuple(str(note) for note in notes)


def _seconds(manifest: Record) -> float:
    seconds = manifest.fields.get("seconds")
    if not isinstance(seconds, int | float):
        raise manifest.error("seconds", "expected how long the training took")
    return float(seconds)
