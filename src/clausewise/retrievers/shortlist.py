"""Retrieval by words and by meaning among so many rules that not all of them can be compared.

The score is that of `Hybrid`: a weighted sum of standardised parts. Standardising shifts and
stretches, so all vectors of a dialogue come down to one, and one walk through the graph finds the
rules that they agree on. Words score every rule anyway. Both lists together are the shortlist, and
only there words and vectors are added up.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from clausewise.retrievers.dense import question_and_scenario
from clausewise.retrievers.hybrid import FusionWeights
from clausewise.retrievers.query import PartWeights, Scorer, WeightedText
from clausewise.retrievers.selection import best_places
from clausewise.types import Hit

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from clausewise.retrievers.nearest import NearestIndex
    from clausewise.retrievers.vectors import Encoder
    from clausewise.types import Dialogue, Turn

Floats = NDArray[np.float64]
Vector = NDArray[np.float32]

_WORDS = PartWeights(question=1.0, scenario=0.5)
_TURN_WORDS = PartWeights(question=0.0, scenario=0.0, turns=1.0)
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
        total = self._standardised(_WORDS.parts(dialogue), weight=self._weights.words)
        if dialogue.turns:
            asked = _TURN_WORDS.parts(dialogue)
            total += self._standardised(asked, weight=self._weights.turn_words)
        return total

    def _standardised(self, texts: Sequence[WeightedText], *, weight: float) -> Floats:
        scores = self._words.scores(texts)
        mean = float(scores.mean())
        # One pass without a copy: a copy of a million scores costs more than adding them up.
        deviation = math.sqrt(max(float(scores @ scores) / len(scores) - mean**2, 0.0))
        factor = weight / deviation if deviation > _SMALLEST else 0.0
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
        texts = [dialogue.question, question_and_scenario(dialogue)]
        asked = [turn.question for turn in dialogue.turns]
        vectors = self._encoder.encode([*texts, *asked])
        yield vectors[0], self._weights.question
        yield vectors[1], self._weights.question_and_scenario
        if asked:
            each = np.array([self._of_answer(turn) for turn in dialogue.turns], np.float32)
            # [turns] @ [turns, dimensions]
            yield each @ vectors[2:] / max(float(each.sum()), 1e-12), float(each.mean())

    def _of_answer(self, turn: Turn) -> float:
        said_yes = turn.answer.strip().lower().startswith("yes")
        weights = self._weights
        return weights.turns_answered_yes if said_yes else weights.turns_answered_otherwise
