"""What the span finder learns from: sequences of tokens in which a question's words are marked."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from clausewise.readers.transformer.encode import Packed, Packer
from clausewise.readers.transformer.extraction import places_of
from clausewise.training.reader_examples import Example
from clausewise.trees.values import Span
from clausewise.types import RuleText


@dataclass(frozen=True, slots=True, kw_only=True)
class SpanExample:
    """A sequence of tokens, and where in it the right span starts and ends."""

    packed: Packed
    first: int
    last: int


def span_example(
    example: Example, *, packer: Packer, rules: Sequence[RuleText]
) -> SpanExample | None:
    """Return an example with retrieved rules and the right one, which must be among those that fit.

    None where nothing is asked, or what is asked about was cut off. A span over several sentences
    is learned as its part in the sentence that holds most of it.
    """
    if example.asked is None:
        return None
    packed, shown = packer.pack_with(example.dialogue, rules=rules, gold=example.rule)
    number = [rule.text for rule in shown].index(example.rule.text)
    units = [unit for unit in packed.units if unit.rule == number]
    unit = max(units, key=lambda one: _shared(one.span, example.asked))
    start, end = _inside(example.asked, unit.span)
    places = places_of(Span(start=start, end=end), packed, rule=number) if start < end else None
    return SpanExample(packed=packed, first=places[0], last=places[1]) if places else None


def _inside(span: Span, other: Span) -> tuple[int, int]:
    return max(span.start, other.start), min(span.end, other.end)


def _shared(one: Span, other: Span | None) -> int:
    if other is None:
        return 0
    start, end = _inside(one, other)
    return end - start
