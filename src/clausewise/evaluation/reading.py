"""Measures an engine on whole dialogues: what it decides, and what it asks.

End to end, the engine retrieves for itself. Closed book, it is handed the rule text that settles
the question, which shows what is left to gain from reading alone.
"""

from __future__ import annotations

import json
import time
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol, assert_never

from clausewise.datasets.orsharc import Sample, need_gold
from clausewise.evaluation.latency import Latency
from clausewise.evaluation.score import ABSTAIN, ScoreReport, score
from clausewise.files import write_whole
from clausewise.progress import Progress, silent
from clausewise.trees.values import Span, State
from clausewise.types import (
    Abstention,
    Answer,
    Dialogue,
    Hit,
    Inquiry,
    JudgedRule,
    Reply,
    RuleText,
)


class Replies(Protocol):
    """What is measured: an `Engine`, or anything that replies like one."""

    def reply(self, dialogue: Dialogue) -> Reply:
        """Return the reply to a dialogue."""
        ...

    def reply_to(self, dialogue: Dialogue, *, hits: Sequence[Hit]) -> Reply:
        """Return the reply that the given rule texts lead to."""
        ...


@dataclass(frozen=True, slots=True, kw_only=True)
class PredictedCondition:
    """What the engine took for a condition, and made of it."""

    text: str
    span: Span
    state: State


@dataclass(frozen=True, slots=True, kw_only=True)
class Prediction:
    """What the engine said to one sample: a line of the file of predictions."""

    utterance_id: str
    decision: str
    """Yes, No, Inquire or Abstain."""
    question: str | None
    rule_ids: tuple[str, ...]
    conditions: tuple[PredictedCondition, ...]

    @property
    def answer(self) -> str | None:
        """The prediction as the metrics take it: Yes, No or the question; None: abstained."""
        match self.decision:
            case "Inquire":
                return self.question
            case "Yes" | "No":
                return self.decision
            case _:
                return None

    def to_json(self) -> Mapping[str, object]:
        """Return the line's object under the names of the command-line contract."""
        return {
            "utterance_id": self.utterance_id,
            "decision": self.decision,
            "question": self.question,
            "rule_ids": list(self.rule_ids),
            "conditions": [
                {
                    "text": condition.text,
                    "span": [condition.span.start, condition.span.end],
                    "state": condition.state.value,
                }
                for condition in self.conditions
            ],
        }


@dataclass(frozen=True, slots=True, kw_only=True)
class ReadingReport:
    """The figures of an engine, how fast it was, and all that it said."""

    scores: ScoreReport
    latency: Latency
    predictions: tuple[Prediction, ...]

    def to_json(self) -> Mapping[str, object]:
        """Return the figures in the form of the command-line contract."""
        return {**self.scores.to_json(), "latency_ms": self.latency.to_json()}


def evaluate_reading(
    engine: Replies,
    samples: Sequence[Sample],
    *,
    gold_rules: Mapping[str, RuleText] | None = None,
    progress: Progress = silent,
) -> ReadingReport:
    """Return the figures of an engine; `gold_rules`, by rule id, make it closed book."""
    predictions: list[Prediction] = []
    seconds: list[float] = []
    for sample in progress(samples, label="Reading", total=len(samples)):
        hits = None if gold_rules is None else [_gold_hit(sample, gold_rules)]
        start = time.perf_counter()
        reply = _reply(engine, sample.dialogue, hits=hits)
        seconds.append(time.perf_counter() - start)
        predictions.append(_prediction(sample.utterance_id, reply))
    return ReadingReport(
        scores=score(samples, {each.utterance_id: each.answer for each in predictions}),
        latency=Latency.of(seconds),
        predictions=tuple(predictions),
    )


def write_predictions(predictions: Iterable[Prediction], *, path: Path) -> None:
    """Write one JSON object a line; `read_predictions` reads them back."""
    lines = (json.dumps(each.to_json(), ensure_ascii=False) + "\n" for each in predictions)
    write_whole(path, lines)


def _reply(engine: Replies, dialogue: Dialogue, *, hits: Sequence[Hit] | None) -> Reply:
    return engine.reply(dialogue) if hits is None else engine.reply_to(dialogue, hits=hits)


def _gold_hit(sample: Sample, gold_rules: Mapping[str, RuleText]) -> Hit:
    need_gold([sample], rule_ids=gold_rules)
    return Hit(rule=gold_rules[sample.gold.rule_id], score=1.0)


def _prediction(utterance_id: str, reply: Reply) -> Prediction:
    return Prediction(
        utterance_id=utterance_id,
        decision=_decision(reply),
        question=reply.question if isinstance(reply, Inquiry) else None,
        rule_ids=tuple(rule.rule_id for rule in _rules(reply)),
        conditions=_conditions(reply.reading),
    )


def _decision(reply: Reply) -> str:
    match reply:
        case Answer():
            return "Yes" if reply.verdict else "No"
        case Inquiry():
            return "Inquire"
        case Abstention():
            return ABSTAIN
        case unexpected:
            assert_never(unexpected)


def _rules(reply: Reply) -> tuple[RuleText, ...]:
    return reply.closest if isinstance(reply, Abstention) else (reply.rule,)


def _conditions(judged: JudgedRule | None) -> tuple[PredictedCondition, ...]:
    if judged is None:
        return ()
    states = judged.states
    return tuple(
        PredictedCondition(text=condition.text, span=condition.span, state=states[condition.key])
        for condition in judged.tree.conditions
    )
