"""Retrieval by words and by meaning among so many rules that not all of them can be compared.

The score is that of `Hybrid`: a weighted sum of standardised parts. Standardising shifts and
stretches, so all vectors of a dialogue come down to one, and one walk through the graph finds the
rules that they agree on. Words score every rule anyway. Both lists together are the shortlist, and
only there words and vectors are added up.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from itertools import islice
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from clausewise.retrievers.dense import says_anything
from clausewise.retrievers.parts import FusionWeights, WordPart
from clausewise.retrievers.query import Scorer
from clausewise.retrievers.selection import best_places
from clausewise.types import Hit

if TYPE_CHECKING:
    from collections.abc import Iterator

    from clausewise.retrievers.nearest import NearestIndex
    from clausewise.retrievers.vectors import Encoder
    from clausewise.types import Dialogue

Floats = NDArray[np.float64]
Vector = NDArray[np.float32]

_WEIGHTS = FusionWeights()
_SMALLEST = 1e-6
"""A deviation below this says that a part tells no rules apart."""


@dataclass(frozen=True, slots=True, kw_only=True)
class _Direction:
    """All vectors of a dialogue as one: inner product minus `average` is their weighted sum."""

    vector: Vector
    average: float


class ShortlistHybrid:
    """Finds rules as `Hybrid` does, up to those that neither words nor the graph bring forward."""

    def __init__(
        self,
        *,
        words: Scorer,
        nearest: NearestIndex,
        encoder: Encoder,
        weights: FusionWeights = _WEIGHTS,
        depth: int = 100,
    ) -> None:
        self._words = words
        self._nearest = nearest
        self._encoder = encoder
        self._weights = weights
        self._depth = depth

    def retrieve(self, dialogue: Dialogue, *, top_k: int) -> tuple[Hit, ...]:
        """Return the best rules for the dialogue as it stands."""
        if not says_anything(dialogue):
            return ()
        words = self._word_scores(dialogue)
        direction = self._direction(dialogue)
        depth = max(self._depth, top_k)
        by_words = best_places(words, top_k=depth)
        near = self._nearest.nearest(direction.vector, top_k=depth)
        places = np.union1d(by_words, near)
        similar = self._nearest.similarities(direction.vector, places=places)
        scores = words[places] + similar - direction.average
        return tuple(
            Hit(rule=self._words.rules[int(places[row])], score=float(scores[row]))
            for row in best_places(scores, top_k=top_k)
        )

    def _word_scores(self, dialogue: Dialogue) -> Floats:
        said, *asked = self._weights.word_parts(dialogue)
        total = self._standardised(said)
        for part in asked:
            total += self._standardised(part)
        return total

    def _standardised(self, part: WordPart) -> Floats:
        scores = self._words.scores(part.texts)
        mean = float(scores.mean())
        # One pass without a copy: a copy of a million scores costs more than adding them up.
        deviation = math.sqrt(max(float(scores @ scores) / len(scores) - mean**2, 0.0))
        factor = part.weight / deviation if deviation > _SMALLEST else 0.0
        scores *= factor
        scores -= mean * factor
        return scores

    def _direction(self, dialogue: Dialogue) -> _Direction:
        total: Vector = np.zeros(0, np.float32)
        average = 0.0
        for vector, weight in self._parts(dialogue):
            spread = self._nearest.spread(vector)
            factor = weight / spread.deviation if spread.deviation > _SMALLEST else 0.0
            part = np.float32(factor) * vector
            total = total + part if len(total) else part
            average += factor * spread.mean
        return _Direction(vector=total, average=average)

    def _parts(self, dialogue: Dialogue) -> Iterator[tuple[Vector, float]]:
        """Return the vectors of the parts of a dialogue, and how much each counts."""
        parts = self._weights.vector_parts(dialogue)
        vectors = iter(self._encoder.encode([text for part in parts for text in part.texts]))
        for part in parts:
            # [texts] @ [texts, dimensions]
            shares = np.array(part.shares, np.float32)
            yield shares @ np.stack(list(islice(vectors, len(shares)))), part.weight
