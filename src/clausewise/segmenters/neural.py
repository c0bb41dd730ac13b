"""The segmenter that cuts sentences into elementary discourse units, as MUDERN and DISCERN read.

A small network tells at which words of a sentence a unit begins (a boundary tagger, as Segbot: Li
et al. 2018). Headings and list items are units of their own. Units too short to stand alone are
merged as in the released DISCERN.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from clausewise.structure.layout import Kind
from clausewise.structure.passages import passages
from clausewise.structure.wording import split_words
from clausewise.trees.values import Span

_STANDS_ALONE = re.compile(r"(?:if|and|or|to|unless|but|as|except)\b", re.IGNORECASE)
_CLOSES = (",", ".", ":")


class MarksUnits(Protocol):
    """Whatever tells where the discourse units of a sentence begin."""

    def begins(self, words: Sequence[str]) -> NDArray[np.float32]:
        """Return the probability that a unit begins at each word, [words]."""
        ...


@dataclass(frozen=True, slots=True, kw_only=True)
class NeuralSegmenter:
    """Cuts a rule text into elementary discourse units."""

    tagger: MarksUnits
    threshold: float = 0.5
    """A unit begins where that is at least so likely."""
    merged: bool = True
    """Whether units are merged as the papers do; else every unit that was found counts."""

    def segment(self, text: str) -> tuple[Span, ...]:
        """Return the spans of the units; they cover the text but for its white space."""
        return tuple(
            unit for part in passages(text) for unit in self._units(part.span, part.kind, text)
        )

    def units(self, sentence: str) -> tuple[Span, ...]:
        """Return the spans of the units of one sentence, as they were found, before merging."""
        words = split_words(sentence)
        likely = self.tagger.begins([word.text for word in words])
        inner = [
            word.start
            for word, chance in zip(words[1:], likely[1:].tolist(), strict=True)
            if chance >= self.threshold
        ]
        return tuple(_stretches([0, *inner], text=sentence))

    def _units(self, span: Span, kind: Kind, text: str) -> Iterator[Span]:
        if kind is not Kind.PROSE:
            yield span
            return
        sentence = span.cut(text)
        units = self.units(sentence)
        for unit in merge(units, text=sentence) if self.merged else units:
            yield Span(start=span.start + unit.start, end=span.start + unit.end)


def merge(units: Sequence[Span], *, text: str) -> tuple[Span, ...]:
    """Return the units of a sentence with those joined that don't stand alone.

    A unit joins the one before it unless it begins with a word that opens a condition, or the one
    before ends in a sign that closes one.
    """
    merged: list[Span] = []
    for unit in units:
        apart = _STANDS_ALONE.match(unit.cut(text)) or (
            merged and merged[-1].cut(text).endswith(_CLOSES)
        )
        if merged and not apart:
            merged[-1] = Span(start=merged[-1].start, end=unit.end)
        else:
            merged.append(unit)
    return tuple(merged)


def _stretches(starts: Sequence[int], *, text: str) -> Iterator[Span]:
    for start, end in zip(starts, [*starts[1:], len(text)], strict=True):
        body = text[start:end].strip()
        if body:
            first = text.index(body, start)
            yield Span(start=first, end=first + len(body))
