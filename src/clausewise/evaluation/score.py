"""Scores any system's output: what it answered, by utterance id, against the gold.

`clausewise score` and `clausewise evaluate reading` share this, so a stranger's system and our
own are measured by the same lines of code.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from clausewise.datasets.orsharc import Sample
from clausewise.datasets.records import Record, read_records
from clausewise.evaluation import slices
from clausewise.evaluation.metrics import Outcome, Scores

Predictions = Mapping[str, str | None]
"""By utterance id: 'Yes', 'No' or a question; None where the system abstained."""

ABSTAIN = "Abstain"
"""How a file of predictions says that a system found nothing in the rules."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ScoreReport:
    """The figures of a system: of all samples, and of the slices that are always shown."""

    overall: Scores
    seen: Scores
    unseen: Scores
    first_turn_with_scenario: Scores
    missing: int
    """Samples without a prediction; each counts as wrong."""
    abstained: int
    """Samples for which the system said that nothing covers them; each counts as wrong."""
    unknown: int
    """Predictions whose utterance id is not in the data; they count for nothing."""

    def to_json(self) -> Mapping[str, object]:
        """Return the report in the form of the command-line contract."""
        return {
            **self.overall.to_json(),
            "seen": self.seen.to_json(),
            "unseen": self.unseen.to_json(),
            "first_turn_with_scenario": self.first_turn_with_scenario.to_json(),
            "missing": self.missing,
            "abstained": self.abstained,
            "unknown": self.unknown,
        }


def score(samples: Sequence[Sample], predictions: Predictions) -> ScoreReport:
    """Return the figures of some predictions."""
    # Normalising is the slow part: each answer once, whatever number of slices it is in.
    outcomes = [_outcome(sample, predictions) for sample in samples]

    def of_slice(is_member: Callable[[Sample], bool]) -> Scores:
        members = zip(samples, outcomes, strict=True)
        return Scores.of([outcome for sample, outcome in members if is_member(sample)])

    ids = {sample.utterance_id for sample in samples}
    return ScoreReport(
        overall=Scores.of(outcomes),
        seen=of_slice(slices.is_seen),
        unseen=of_slice(slices.is_unseen),
        first_turn_with_scenario=of_slice(slices.is_first_turn_with_scenario),
        missing=len(ids - predictions.keys()),
        abstained=sum(predictions[known] is None for known in ids & predictions.keys()),
        unknown=len(predictions.keys() - ids),
    )


def read_predictions(path: Path) -> Predictions:
    """Return the predictions of a file: JSON lines, or one JSON array.

    An object holds `utterance_id` and `answer`, or `decision` and `question` as `evaluate
    reading --predictions` writes them.
    """
    predictions: dict[str, str | None] = {}
    for record in read_records(path):
        utterance_id = record.text("utterance_id")
        if utterance_id in predictions:
            raise record.error("utterance_id", f"{utterance_id!r} has two predictions")
        predictions[utterance_id] = _answer(record)
    return predictions


def _outcome(sample: Sample, predictions: Predictions) -> Outcome:
    return Outcome.of(gold=sample.gold.answer, predicted=predictions.get(sample.utterance_id))


def _answer(record: Record) -> str | None:
    if "answer" in record.fields or "decision" not in record.fields:
        # A missing answer is a mistake in the file; null is a system that had nothing to say.
        return None if record.fields.get("answer", "") is None else record.text("answer")
    match decision := record.text("decision"):
        case "Yes" | "No":
            return decision
        case "Inquire":
            return record.text("question")
        case "Abstain":
            return None
        case _:
            expected = f"expected Yes, No, Inquire or {ABSTAIN}, not {decision!r}"
            raise record.error("decision", expected)
