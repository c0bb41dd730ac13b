"""What a joint reader is taught of a sample: the decision, the states of conditions, the span.

Which words of the rule a turn is about is known from the tree, or guessed as the papers do, by the
least edit distance (MUDERN, section 4.2.2; EMT, section 3.1).
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from clausewise.datasets.orsharc import Sample
from clausewise.datasets.simulated import SimulatedSample
from clausewise.readers.answers import understand
from clausewise.readers.transformer.encode import Piece
from clausewise.structure.matching import closest_span
from clausewise.trees.values import Span, State
from clausewise.types import Decision, Dialogue, RuleText


@dataclass(frozen=True, slots=True, kw_only=True)
class SpanState:
    """Words of the rule text, and whether they hold as far as the dialogue tells."""

    span: Span
    state: State


@dataclass(frozen=True, slots=True, kw_only=True)
class Example:
    """A dialogue with everything that is learned from it."""

    example_id: str
    dialogue: Dialogue
    rule: RuleText
    """The one that settles the question."""
    decision: Decision
    settled: tuple[SpanState, ...]
    """Conditions that are entailed or contradicted."""
    asked: Span | None
    """What the right follow-up question is about; None where the answer is Yes or No."""
    conditions: tuple[Span, ...]
    """All that is known of the conditions of the rule."""


def tree_example(sample: SimulatedSample, *, rule: RuleText) -> Example:
    """Return what a simulated sample teaches, with the spans of its tree."""
    return Example(
        example_id=sample.sample.utterance_id,
        dialogue=sample.sample.dialogue,
        rule=rule,
        decision=decision_of(sample.sample),
        settled=tuple(
            SpanState(span=known.condition.span, state=known.state)
            for known in sample.conditions
            if known.state is not State.UNKNOWN
        ),
        asked=sample.asked.span if sample.asked else None,
        conditions=tuple(sorted(known.condition.span for known in sample.conditions)),
    )


def noisy_examples(
    samples: Sequence[Sample], *, rules: Mapping[str, RuleText]
) -> tuple[Example, ...]:
    """Return what samples teach whose spans nobody knows; `rules` by the samples' gold ids.

    What was ever asked about a rule tells its conditions.
    """
    asked: dict[str, set[str]] = defaultdict(set)
    for sample in samples:
        asked[sample.gold.rule_id].update(_questions(sample))
    return tuple(
        _noisy(sample, rule=rules[sample.gold.rule_id], asked=asked[sample.gold.rule_id])
        for sample in samples
    )


def decision_of(sample: Sample) -> Decision:
    """Return the right decision of a sample."""
    try:
        return Decision(sample.gold.answer)
    except ValueError:
        return Decision.INQUIRE


def unit_states(
    settled: Iterable[SpanState], *, units: Sequence[Piece], rule: int
) -> tuple[State, ...]:
    """Return the state of every unit: of the unit that shares most with it, that of a span.

    `rule` tells which of the rule texts the spans are from; units of the others are unknown.
    """
    states = [State.UNKNOWN] * len(units)
    for one in settled:
        shared = [_shared(one.span, unit.span) if unit.rule == rule else 0 for unit in units]
        best = max(range(len(units)), key=shared.__getitem__)
        if shared[best]:
            states[best] = one.state
    return tuple(states)


def _noisy(sample: Sample, *, rule: RuleText, asked: Iterable[str]) -> Example:
    decision = decision_of(sample)
    # Evidence counts as turns when labels are made; it is never an input.
    turns = (*sample.gold.evidence, *sample.dialogue.turns)
    found = ((closest_span(turn.question, text=rule.text), turn.answer) for turn in turns)
    wanted = sample.gold.answer if decision is Decision.INQUIRE else None
    spans = {closest_span(question, text=rule.text) for question in asked}
    return Example(
        example_id=sample.utterance_id,
        dialogue=sample.dialogue,
        rule=rule,
        decision=decision,
        settled=tuple(
            SpanState(span=span, state=state)
            for span, answer in found
            if span is not None and (state := understand(answer)) is not State.UNKNOWN
        ),
        asked=None if wanted is None else closest_span(wanted, text=rule.text),
        conditions=tuple(sorted(span for span in spans if span is not None)),
    )


def _questions(sample: Sample) -> list[str]:
    asked = [turn.question for turn in (*sample.gold.evidence, *sample.dialogue.turns)]
    return [*asked, sample.gold.answer] if decision_of(sample) is Decision.INQUIRE else asked


def _shared(left: Span, right: Span) -> int:
    return max(0, min(left.end, right.end) - max(left.start, right.start))
