"""What a rule does when its conditions are met: permits, requires, forbids, or does not apply."""

from __future__ import annotations

import enum
import re
from collections.abc import Sequence

from clausewise.compiler.spans import Found, best_spans
from clausewise.encoder.rules import EncodedRule
from clausewise.structure.layout import Kind, blocks
from clausewise.text import sentences
from clausewise.trees.values import Span

_NOT = r"(?:not|n['’]t)"
_EXCLUDES = re.compile(
    rf"(?:\b(?:do|does|is|are|will|wo)|['’](?:re|s))\s?{_NOT} (?:\w+ )?(?:apply|eligible|entitled"
    r"|qualify|covered|count|included?|get|need|have to)\b"
    r"|\b(?:ineligible|exempt|excluded|left out)\b",
    re.IGNORECASE,
)
_FORBIDS = re.compile(
    rf"\b(?:can|may|must|shall|should|could)\s?{_NOT}\b|\bcan(?:not|['’]t)\b"
    r"|\bno \w+ (?:may|shall|can)\b"
    rf"|\b(?:is|are) {_NOT} (?:allowed|permitted)\b|\b(?:prohibited|forbidden|illegal|banned)\b"
    r"|\b(?:against the law|refused?|barred)\b",
    re.IGNORECASE,
)
_REQUIRES = re.compile(
    r"\b(?:must|shall|needs? to|ha(?:ve|s) to|required? to|be (?:fined|charged|taxed)"
    r"|pay (?:tax|a (?:fine|penalty|charge))|responsible for|liable)\b",
    re.IGNORECASE,
)
_LETTER = re.compile(r"\w")


class Polarity(enum.Enum):
    """What meeting the conditions brings."""

    PERMITS = "permits"
    """Something may be had or done."""
    REQUIRES = "requires"
    """Something must be done or borne."""
    FORBIDS = "forbids"
    """Something may not be done."""
    EXCLUDES = "does not apply"
    """A right or a duty does not exist."""


def polarity_of(words: str) -> Polarity:
    """Return what the words of an outcome say."""
    if _EXCLUDES.search(words):
        return Polarity.EXCLUDES
    if _FORBIDS.search(words):
        return Polarity.FORBIDS
    return Polarity.REQUIRES if _REQUIRES.search(words) else Polarity.PERMITS


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
