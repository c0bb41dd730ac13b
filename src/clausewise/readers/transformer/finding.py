"""From the scores of a network to what they say: decision, states, and the span to ask about."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from clausewise.readers.transformer.encode import Packed
from clausewise.readers.transformer.extraction import (
    Places,
    candidates,
    extracted,
    overlaps,
    rule_tokens,
    span_at,
    span_score,
)
from clausewise.readers.transformer.scores import DECISIONS, STATES, Scores, softmax
from clausewise.structure.passages import without_marker
from clausewise.trees.values import Span, State
from clausewise.types import Decision, Dialogue, FoundSpan, RuleText

MAX_SPAN = 60
"""Tokens that a span of EMT may have at most."""
TOP_ENDS = 20
"""How many of EMT's best starts and ends are paired."""


@dataclass(frozen=True, slots=True, kw_only=True)
class UnitState:
    """What a network makes of one unit of a rule text."""

    rule: int
    """Which of the rule texts it is from, counted from 0."""
    span: Span
    state: State
    probability: float


@dataclass(frozen=True, slots=True, kw_only=True)
class Findings:
    """What a network says of a dialogue and some rule texts."""

    decision: Decision
    probability: float
    """Of the decision."""
    units: tuple[UnitState, ...]
    """Empty where the system has no states."""
    span: FoundSpan | None
    """What to ask about, in systems that choose that themselves, whatever they decide."""


def findings(
    scores: Scores, packed: Packed, *, dialogue: Dialogue, rules: Sequence[RuleText]
) -> Findings:
    """Return what the scores of a sequence say; `rules` are those that it was packed from."""
    chances = softmax(scores.decision)
    best = int(np.argmax(chances))
    return Findings(
        decision=DECISIONS[best],
        probability=float(chances[best]),
        units=_units(scores, packed),
        span=_span(scores, packed, dialogue=dialogue, rules=rules),
    )


def _units(scores: Scores, packed: Packed) -> tuple[UnitState, ...]:
    if scores.states is None:
        return ()
    chances = softmax(scores.states)
    return tuple(
        UnitState(
            rule=unit.rule,
            span=unit.span,
            state=STATES[int(np.argmax(row))],
            probability=float(row.max()),
        )
        for unit, row in zip(packed.units, chances, strict=True)
    )


def _span(
    scores: Scores, packed: Packed, *, dialogue: Dialogue, rules: Sequence[RuleText]
) -> FoundSpan | None:
    if scores.tokens is None or not rule_tokens(packed):
        return None
    if scores.overlap is None:
        places = _within_a_unit(scores, packed)
    else:
        places = _of_candidates(scores, packed, dialogue=dialogue, text=rules[0].text)
    span = without_marker(span_at(places, packed), text=rules[0].text)
    return FoundSpan(rule=rules[0], span=span)


def _within_a_unit(scores: Scores, packed: Packed) -> Places:
    """Return the best pair of a likely start and a likely end inside one unit (EMT)."""
    assert scores.tokens is not None
    known = np.array(rule_tokens(packed))
    starts, ends = (known[np.argsort(-scores.tokens[known, side])[:TOP_ENDS]] for side in (0, 1))
    unit = {
        place: number
        for number, piece in enumerate(packed.units)
        for place in range(piece.start, piece.end)
    }
    pairs = [
        (int(start), int(end))
        for start in starts
        for end in ends
        if start <= end < start + MAX_SPAN and unit[int(start)] == unit[int(end)]
    ] or [(int(starts[0]), int(starts[0]))]
    tokens = scores.tokens
    return max(pairs, key=lambda pair: tokens[pair[0], 0] + tokens[pair[1], 1])


def _of_candidates(scores: Scores, packed: Packed, *, dialogue: Dialogue, text: str) -> Places:
    """Return the extracted span or list item that most asks to be asked about (E3)."""
    assert scores.tokens is not None
    assert scores.overlap is not None
    tokens, overlap = scores.tokens, scores.overlap
    found = extracted(tokens[:, 0], tokens[:, 1], packed)
    return max(
        candidates(found, packed, text=text),
        key=lambda places: span_score(
            places,
            tokens=tokens,
            overlap=overlap,
            shared=overlaps(span_at(places, packed).cut(text), dialogue),
        ),
    )
