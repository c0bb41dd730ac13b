"""A rule text as the words that a model sees, with what the layout says of each.

Tokenizers of language models drop line breaks and list markers, which in a rule text tell as much
as the words; here every word keeps its offsets and carries a mark for where it stands.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass

from clausewise.structure.clauses import clauses
from clausewise.structure.layout import Kind, blocks
from clausewise.text import Piece
from clausewise.trees.values import Span

_WORD = re.compile(
    r"\d[\d,.]*\d|n['’]t\b|[^\W_]+?(?=n['’]t\b)|[^\W_]+|['’][^\W\d_]{1,2}\b|[^\w\s]|_",
    re.IGNORECASE,
)
_KIND = {Kind.HEADING: 1, Kind.PROSE: 2, Kind.ITEM: 3}
MARKS = 24
"""How many different marks there are: four kinds of block, begun or not, in a clause or not."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Wording:
    """A text in words; punctuation and the endings of contractions are words of their own."""

    text: str
    words: tuple[Piece, ...]
    marks: tuple[int, ...]
    """For every word, where it stands: below MARKS."""

    @classmethod
    def of(cls, text: str) -> Wording:
        """Return the words of a rule text."""
        words = split_words(text)
        return cls(text=text, words=words, marks=_marks(text, words=words))

    def place(self, span: Span) -> tuple[int, int] | None:
        """Return the words [first, last) that a span touches; None where it touches none."""
        touched = [
            place
            for place, word in enumerate(self.words)
            if word.start < span.end and word.end > span.start
        ]
        return (touched[0], touched[-1] + 1) if touched else None

    def span(self, first: int, last: int) -> Span:
        """Return the characters from the start of word `first` to the end of word `last` - 1."""
        return Span(start=self.words[first].start, end=self.words[last - 1].end)


def split_words(text: str) -> tuple[Piece, ...]:
    """Return the words and signs of a text; "don't" is two: "do" and "n't"."""
    return tuple(Piece(start=match.start(), text=match.group()) for match in _WORD.finditer(text))


def lowered(word: str) -> str:
    """Return a word as models compare it: in lower case, with a straight apostrophe."""
    return word.lower().replace("’", "'")


def _marks(text: str, *, words: tuple[Piece, ...]) -> tuple[int, ...]:
    kinds, begins, inside = [0] * len(words), [0] * len(words), [0] * len(words)
    for block in blocks(text):
        for count, place in enumerate(_within(block.span, words=words)):
            kinds[place], begins[place] = _KIND[block.kind], int(count == 0)
    for clause in clauses(text):
        for count, place in enumerate(_within(clause.span, words=words)):
            inside[place] = 1 if count == 0 else 2
    return tuple(
        6 * kind + 3 * begin + part for kind, begin, part in zip(kinds, begins, inside, strict=True)
    )


def _within(span: Span, *, words: tuple[Piece, ...]) -> Iterable[int]:
    return (
        place
        for place, word in enumerate(words)
        if span.start <= word.start and word.end <= span.end
    )
