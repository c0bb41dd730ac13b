"""A rule text cut into sentences, list items and headings, so that nothing of it is left out.

Joint readers see a whole rule text, piece by piece; what is not in a piece is never read. A piece
keeps its list marker: `without_marker` takes it off where the words are shown to people.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from clausewise.structure.layout import Block, Kind, blocks
from clausewise.text import sentences
from clausewise.trees.values import Span


@dataclass(frozen=True, slots=True, kw_only=True)
class Passage:
    """A heading, or a sentence of a paragraph or of a list item."""

    kind: Kind
    span: Span


def passages(text: str) -> tuple[Passage, ...]:
    """Return the passages of a text in order: together they cover all but its white space."""
    return tuple(_passages(text))


def without_marker(span: Span, *, text: str) -> Span:
    """Return the span without the list marker or the heading signs that it begins with."""
    bare = next((block.span.start for block in blocks(span.cut(text))), 0)
    return Span(start=span.start + bare, end=span.end)


def _passages(text: str) -> Iterator[Passage]:
    end = 0
    for block in blocks(text):
        # Signs between two blocks are the marker of the second.
        marker = text[end : block.span.start]
        start = block.span.start - len(marker.lstrip())
        yield from _sentences(block, start=start, text=text)
        end = block.span.end


def _sentences(block: Block, *, start: int, text: str) -> Iterator[Passage]:
    if block.kind is Kind.HEADING:
        yield Passage(kind=block.kind, span=Span(start=start, end=block.span.end))
        return
    for place, piece in enumerate(sentences(block.span.cut(text))):
        begins = start if place == 0 else block.span.start + piece.start
        span = Span(start=begins, end=block.span.start + piece.end)
        yield Passage(kind=block.kind, span=span)
