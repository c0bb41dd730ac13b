"""How E3 finds the spans of a rule text, and how far a dialogue has dealt with each.

Zhong and Zettlemoyer 2019, sections 3.1 and 3.2: spans are extracted by their likely starts and
ends; that a span is settled isn't learned but read off the words that it shares with what was said.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from functools import lru_cache

import numpy as np

from clausewise.readers.transformer.encode import Packed
from clausewise.readers.transformer.scores import Floats
from clausewise.structure.layout import Kind, blocks
from clausewise.text import words
from clausewise.trees.values import Span
from clausewise.types import Dialogue

THRESHOLD = 0.5
Places = tuple[int, int]
"""The first and the last token of a span."""


def rule_tokens(packed: Packed) -> tuple[int, ...]:
    """Return the places of the tokens that stand for characters of a rule text."""
    return tuple(place for unit in packed.units for place in _own(unit.start, unit.end, packed))


def places_of(span: Span, packed: Packed, *, rule: int = 0) -> Places | None:
    """Return the first and the last token of a span of a rule text; None where it has none."""
    inside = [
        place
        for unit in packed.units
        if unit.rule == rule and unit.span.overlaps(span)
        for place in _own(unit.start, unit.end, packed)
        if packed.offsets[place][0] < span.end and span.start < packed.offsets[place][1]
    ]
    return (inside[0], inside[-1]) if inside else None


def span_at(places: Places, packed: Packed) -> Span:
    """Return the characters from the first to the last token."""
    return Span(start=packed.offsets[places[0]][0], end=packed.offsets[places[1]][1])


def list_items(text: str) -> tuple[Span, ...]:
    """Return the items of the lists in a rule text, which are spans in any case."""
    return tuple(block.span for block in blocks(text) if block.kind is Kind.ITEM)


def extracted(starts: Floats, ends: Floats, packed: Packed) -> list[Places]:
    """Return the spans that the scores of starts and ends name, [tokens] each.

    Every start that is likely, the likeliest at least, goes with the nearest likely end behind it.
    """
    known = np.array(rule_tokens(packed))
    if not len(known):
        return []
    first, last = _likely(starts[known]), _likely(ends[known])
    found = []
    for start in np.flatnonzero(first).tolist():
        behind = np.flatnonzero(last[start:])
        if len(behind):
            found.append((int(known[start]), int(known[start + behind[0]])))
    if not found:
        start = int(np.argmax(starts[known]))
        found.append((int(known[start]), int(known[start + int(np.argmax(ends[known[start:]]))])))
    return found


def overlaps(span: str, dialogue: Dialogue) -> tuple[float, float]:
    """Return the token F1 of a span with the most similar asked question, and with the scenario."""
    asked = max((token_f1(span, turn.question) for turn in dialogue.turns), default=0.0)
    return asked, token_f1(span, dialogue.scenario)


def token_f1(left: str, right: str) -> float:
    """Return the harmonic mean of the shares of words that either text has of the other."""
    one, other = _bag(left), _bag(right)
    shared = sum((one & other).values())
    return 2 * shared / (sum(one.values()) + sum(other.values())) if shared else 0.0


def candidates(found: Sequence[Places], packed: Packed, *, text: str) -> list[Places]:
    """Return the spans that were found and those of list items, each once, in order."""
    items = [places_of(span, packed) for span in list_items(text)]
    return sorted({*found, *(places for places in items if places is not None)})


def span_score(
    places: Places, *, tokens: Floats, overlap: Floats, shared: tuple[float, float]
) -> float:
    """Return how much a span asks to be asked about: its summary and its overlaps, weighed."""
    attention, value = tokens[places[0] : places[1] + 1, 2:].T
    weights = np.exp(attention - attention.max())
    summary = float((weights * value).sum() / weights.sum())
    return summary + float(overlap @ np.array([*shared, 1.0], np.float32))


@lru_cache(maxsize=65536)
def _bag(text: str) -> Counter[str]:
    return Counter(word.text.lower() for word in words(text))


def _likely(scores: Floats) -> np.ndarray[tuple[int], np.dtype[np.bool_]]:
    chances = 1 / (1 + np.exp(-scores))
    return np.asarray((chances >= THRESHOLD) | (chances == chances.max()))


def _own(start: int, end: int, packed: Packed) -> range:
    """Return the places of a unit's tokens without the sign before them."""
    has_sign = end > start and packed.offsets[start] == (0, 0)
    return range(start + 1 if has_sign else start, end)
