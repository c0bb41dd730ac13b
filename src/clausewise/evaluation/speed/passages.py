"""A body of rules of any size, made of the sentences of a real one.

No public body of rules has a million texts. Recombined sentences keep what the speed of an index
depends on (how long texts are, how often each word and each pair of words stands in one), except
that the vocabulary doesn't grow: every rare word comes back, so lists of occurrences are longer
and searching is harder than in a real body of that size.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import islice

import numpy as np

from clausewise.text import sentences

_CHUNK = 4096
"""Passages are drawn in chunks of this size, each from a seed of its own."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Passage:
    """A text and which sentences of the source it is made of."""

    text: str
    sentences: tuple[int, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class PassageSource:
    """Draws passages: first the rule texts as they are, then recombinations of their sentences."""

    texts: tuple[tuple[str, ...], ...]
    """The sentences of every rule text."""
    distinct: tuple[str, ...]
    """Every sentence once, in the order of first appearance."""
    seed: int = 0

    @classmethod
    def of(cls, texts: Sequence[str], *, seed: int = 0) -> PassageSource:
        """Return the source over some rule texts."""
        cut = tuple(tuple(piece.text for piece in sentences(text)) for text in texts)
        cut = tuple(parts for parts in cut if parts)
        distinct = tuple(dict.fromkeys(sentence for parts in cut for sentence in parts))
        return cls(texts=cut, distinct=distinct, seed=seed)

    def passages(self, count: int) -> Iterator[Passage]:
        """Return the first `count` passages; the same ones whatever the count."""
        return islice(self._all(), count)

    def _all(self) -> Iterator[Passage]:
        number = {sentence: place for place, sentence in enumerate(self.distinct)}
        for parts in self.texts:
            yield Passage(text="\n".join(parts), sentences=tuple(number[part] for part in parts))
        chunk = 0
        while True:
            for picks in self._drawn(chunk, number=number):
                text = "\n".join(self.distinct[place] for place in picks)
                yield Passage(text=text, sentences=picks)
            chunk += 1

    def _drawn(self, chunk: int, *, number: dict[str, int]) -> Iterator[tuple[int, ...]]:
        """Return the sentences of a chunk of passages; common ones are drawn more often."""
        random = np.random.default_rng((self.seed, chunk))
        pool = np.array([number[part] for parts in self.texts for part in parts])
        lengths = random.choice([len(parts) for parts in self.texts], size=_CHUNK)
        drawn = random.choice(pool, size=int(lengths.sum()))
        for picks in np.split(drawn, np.cumsum(lengths)[:-1]):
            yield tuple(dict.fromkeys(picks.tolist()))
