"""The words of a rule text that say what follows when its conditions are met."""

from __future__ import annotations

import re
from collections.abc import Sequence

from clausewise.compiler.spans import Found, best_spans
from clausewise.encoder.rules import EncodedRule
from clausewise.structure.layout import Kind, blocks
from clausewise.text import sentences
from clausewise.trees.values import Span

_LETTER = re.compile(r"\w")


def found_outcome(encoded: EncodedRule) -> Found | None:
    """Return the surest outcome that the network tags; None where it tags none."""
    found = best_spans(encoded.tags[:, 3:])
    return max(found, key=lambda one: one.probability, default=None)


def remaining_outcome(text: str, *, conditions: Sequence[Span]) -> Span | None:
    """Return what the first sentence with a condition says besides it; None where that is nothing.

    For 'If you moved, tell us within a week.' with the condition 'you moved' that is 'tell us
    within a week'; a list's outcome stands in the line above it.
    """
    layout = blocks(text)
    for block in layout:
        if block.kind is Kind.HEADING or (block.kind is Kind.ITEM and block.parent is not None):
            continue
        for piece in sentences(block.span.cut(text)):
            whole = Span(start=block.span.start + piece.start, end=block.span.start + piece.end)
            left = _longest_rest(whole, conditions=conditions, text=text)
            if left:
                return left
    return None


def _longest_rest(sentence: Span, *, conditions: Sequence[Span], text: str) -> Span | None:
    """Return the longest stretch of a sentence that no condition covers."""
    rests, start = [], sentence.start
    for span in sorted(span for span in conditions if span.overlaps(sentence)):
        rests.append((start, min(span.start, sentence.end)))
        start = max(start, span.end)
    rests.append((start, sentence.end))
    trimmed = [_trimmed(*rest, text=text) for rest in rests if rest[0] < rest[1]]
    return max((rest for rest in trimmed if rest), key=lambda s: s.end - s.start, default=None)


_EDGE = re.compile(
    r"^(?:\W|(?:if|when|unless|and|or|then|but|only)\b)+|(?:\W|\b(?:if|when|unless|and|or|only))+$",
    re.IGNORECASE,
)


def _trimmed(start: int, end: int, *, text: str) -> Span | None:
    words = text[start:end]
    ends = list(_EDGE.finditer(words))
    first = next((match.end() for match in ends if match.start() == 0), 0)
    last = next((match.start() for match in ends if match.end() == len(words)), len(words))
    if first >= last or not _LETTER.search(words, first, last):
        return None
    return Span(start=start + first, end=start + last)
