"""From a reading to what follows from it: an answer with its proof, a question, or neither.

The logic of the rule tree decides, in three values. A reader that brings its own decision (the
pattern baseline, joint readers) is followed, and shows what states it has.
"""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass

from clausewise.text import same_wording
from clausewise.trees.evaluate import evaluate
from clausewise.trees.explain import because
from clausewise.trees.plan import plan
from clausewise.trees.values import Condition, Span, State
from clausewise.types import Decision, Dialogue, JudgedRule, Reading, SettledCondition


@dataclass(frozen=True, slots=True, kw_only=True)
class Settled:
    """The rule decides: Yes or No, and the smallest set of conditions that forces it."""

    verdict: bool
    because: tuple[SettledCondition, ...]
    span: Span


@dataclass(frozen=True, slots=True, kw_only=True)
class Open:
    """The rule doesn't decide yet, and this condition is the one to ask about."""

    condition: Condition
    why: str
    questions_left: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Stuck:
    """The rule doesn't decide, and the person has been asked all that could settle it."""

    conditions: tuple[Condition, ...]


def decide(reading: Reading, *, dialogue: Dialogue) -> Settled | Open | Stuck:
    """Return what follows from the reading."""
    judged = reading.rule
    asked = asked_keys(judged, dialogue=dialogue)
    match reading.decision:
        case Decision.YES | Decision.NO as decision:
            return _settled(judged, verdict=decision is Decision.YES)
        case Decision.INQUIRE if reading.asks is not None:
            return _chosen(reading.asks, judged=judged)
        case Decision.INQUIRE:
            return _next_question(judged, asked=asked)
        case None:
            value = evaluate(judged.tree.logic, judged.states)
            if value is State.UNKNOWN:
                return _next_question(judged, asked=asked)
            return _settled(judged, verdict=value is State.ENTAILED)


def asked_keys(judged: JudgedRule, *, dialogue: Dialogue) -> frozenset[str]:
    """Return the keys of the conditions that the person has been asked about."""
    return frozenset(
        condition.key
        for condition in judged.tree.conditions
        for turn in dialogue.turns
        if any(
            same_wording(turn.question, question)
            for question in (condition.question, *condition.paraphrases)
        )
    )


def _settled(judged: JudgedRule, *, verdict: bool) -> Settled:
    value = evaluate(judged.tree.logic, judged.states)
    forcing: tuple[str, ...] = ()
    if value is State.of(verdict):
        forcing = because(judged.tree.logic, states=judged.states)
    settled = tuple(
        SettledCondition(
            condition=judged.tree.condition(judgement.key),
            state=judgement.state,
            words=judgement.words,
        )
        for judgement in judged.judgements
        if judgement.key in forcing and judgement.words is not None
    )
    return Settled(verdict=verdict, because=settled, span=_clause(judged, settled))


def _clause(judged: JudgedRule, settled: tuple[SettledCondition, ...]) -> Span:
    """Return the span from the first to the last deciding condition; without any, the rule's."""
    spans = [item.condition.span for item in settled]
    if not spans:
        return Span(start=0, end=len(judged.rule.text))
    return Span(start=min(span.start for span in spans), end=max(span.end for span in spans))


def _chosen(condition: Condition, *, judged: JudgedRule) -> Open:
    """Return the question that a reader without logic chose: only that it matters is known."""
    return Open(
        condition=condition,
        why="the answer depends on it",
        questions_left=max(1, len(_open_conditions(judged))),
    )


def _next_question(judged: JudgedRule, *, asked: Collection[str]) -> Open | Stuck:
    planned = plan(judged.tree, states=judged.states, unanswerable=asked)
    if planned is None:
        return Stuck(conditions=_open_conditions(judged))
    condition = judged.tree.condition(planned.key)
    return Open(
        condition=condition,
        why=_why(judged, key=planned.key),
        questions_left=planned.at_most,
    )


def _open_conditions(judged: JudgedRule) -> tuple[Condition, ...]:
    return tuple(
        judged.tree.condition(judgement.key)
        for judgement in judged.judgements
        if judgement.state is State.UNKNOWN
    )


def _why(judged: JudgedRule, *, key: str) -> str:
    """Say what each answer would mean: the reason for asking that a person can check."""
    outcomes = {
        word: evaluate(judged.tree.logic, {**judged.states, key: state})
        for word, state in (("yes", State.ENTAILED), ("no", State.CONTRADICTED))
    }
    verdicts = {State.ENTAILED: "Yes", State.CONTRADICTED: "No"}
    parts = [
        f"if {word}, the answer is {verdicts[outcome]}"
        for word, outcome in outcomes.items()
        if outcome is not State.UNKNOWN
    ]
    if parts:
        return "; ".join(parts)
    return "the answer depends on it together with other conditions"
