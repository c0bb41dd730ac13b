"""OR-ShARC's samples, with what a system may know kept apart from what it must find out.

A `Sample` holds the dialogue and, in a part of its own, the gold: nothing that predicts is ever
handed the whole sample.
"""

from __future__ import annotations

from collections.abc import Container, Iterable
from dataclasses import dataclass
from pathlib import Path

from clausewise.datasets.records import Record, read_records
from clausewise.errors import DataError, Where
from clausewise.types import Dialogue, Turn


@dataclass(frozen=True, slots=True, kw_only=True)
class Gold:
    """What the annotators say: never an input of a prediction."""

    answer: str
    """'Yes', 'No', or the next follow-up question."""
    rule_id: str
    """The rule text that settles the question."""
    evidence: tuple[Turn, ...] = ()
    """What the scenario settles, as follow-up questions and their answers."""
    seen: bool | None = None
    """Whether OR-ShARC's training part uses the rule text; None where the data don't say."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Sample:
    """One turn of one dialogue: the input of a prediction, and its gold."""

    utterance_id: str
    dialogue: Dialogue
    gold: Gold
    tree_id: str | None = None
    """Shared by the samples of one rule and question."""


def read_samples(path: Path) -> tuple[Sample, ...]:
    """Return the samples of a file of JSON lines (or one JSON array), in its order."""
    samples: dict[str, Sample] = {}
    for record in read_records(path):
        sample = _sample(record)
        if sample.utterance_id in samples:
            raise record.error("utterance_id", f"{sample.utterance_id!r} stands here twice")
        samples[sample.utterance_id] = sample
    if not samples:
        raise DataError("holds no samples", where=Where(file=str(path)))
    return tuple(samples.values())


def need_gold(samples: Iterable[Sample], *, rule_ids: Container[str]) -> None:
    """Raise DataError where the rule that settles a sample is none of the rules at hand."""
    for sample in samples:
        if sample.gold.rule_id not in rule_ids:
            problem = f"no rule has the id {sample.gold.rule_id!r} (sample {sample.utterance_id})"
            raise DataError(problem, where=Where(field="gold_snippet_id"))


def _sample(record: Record) -> Sample:
    dialogue = Dialogue(
        question=record.text("question"),
        scenario=record.text("scenario"),
        turns=_turns(record, "history"),
    )
    gold = Gold(
        answer=record.text("answer"),
        rule_id=record.text("gold_snippet_id"),
        evidence=_turns(record, "evidence") if record.fields.get("evidence") is not None else (),
        seen=record.optional_flag("snippet_seen"),
    )
    return Sample(
        utterance_id=record.text("utterance_id"),
        tree_id=record.optional_text("tree_id"),
        dialogue=dialogue,
        gold=gold,
    )


def _turns(record: Record, name: str) -> tuple[Turn, ...]:
    return tuple(
        Turn(question=turn.text("follow_up_question"), answer=turn.text("follow_up_answer"))
        for turn in record.records(name)
    )
