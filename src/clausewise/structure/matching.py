"""The words of a rule text that a follow-up question is about, by minimum edit distance.

The field's noisy supervision (Gao et al. 2020, EMT, section 3.1): where nobody has marked which
words a question was made from, the words nearest to it are taken.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache

from clausewise.structure.layout import blocks
from clausewise.text import Piece, sentences, words
from clausewise.trees.values import Span

_HELPERS = frozenset(["do", "did", "does", "is", "are", "was", "were", "have", "will", "would"])
"""Words that make a statement a question; they stand in no rule."""


@dataclass(frozen=True, slots=True, kw_only=True, order=True)
class Match:
    """A stretch of words and how far it is from a question; the least is nearest, then shortest."""

    distance: int
    length: int
    """In words."""
    first: int
    """Its first word."""


@lru_cache(maxsize=65536)
def closest_span(question: str, *, text: str) -> Span | None:
    """Return the nearest span within one sentence or line; None where the text has no word."""
    wanted = [word.text.lower() for word in words(question) if word.text.lower() not in _HELPERS]
    found = [
        (closest_match(wanted, [word.text.lower() for word in line]), number, line)
        for number, line in enumerate(_lines(text))
    ]
    if not found:
        return None
    match, _, line = min(found, key=lambda each: (each[0].distance, each[0].length, each[1]))
    last = line[match.first + match.length - 1]
    return Span(start=line[match.first].start, end=last.end)


def closest_match(wanted: Sequence[str], line: Sequence[str]) -> Match:
    """Return the stretch of at least one word of `line` with the least edit distance to `wanted`.

    Sellers' dynamic programming: a cell holds the distance of the best stretch that ends there and
    where, at the latest, it begins; so among equals the shorter wins.
    """
    # before[j]: the wanted words so far against a stretch that ends before word j
    before = [(0, -place) for place in range(len(line) + 1)]
    for number, word in enumerate(wanted, start=1):
        row = [(number, 0)]
        for place, other in enumerate(line):
            replaced = (before[place][0] + (word != other), before[place][1])
            dropped = (before[place + 1][0] + 1, before[place + 1][1])
            added = (row[place][0] + 1, row[place][1])
            row.append(min(replaced, dropped, added))
        before = row
    ends = (
        Match(distance=distance, length=end + start, first=-start)
        for end, (distance, start) in enumerate(before)
        if end + start > 0
    )
    # Nothing was better than no word at all: any single word is as near.
    return min(ends, default=Match(distance=max(1, len(wanted)), length=1, first=0))


def _lines(text: str) -> list[tuple[Piece, ...]]:
    """Return the words of every sentence of every paragraph, heading and list item."""
    lines = []
    for block in blocks(text):
        for sentence in sentences(block.span.cut(text)):
            start = block.span.start + sentence.start
            found = words(sentence.text)
            lines.append(tuple(Piece(start=start + word.start, text=word.text) for word in found))
    return [line for line in lines if line]
