"""Retrieval by words and by meaning at once, over every part of a dialogue.

Words find the benefit by its name, vectors find the rule whose conditions the person speaks of,
and the follow-up questions asked so far, worded after the rule itself, find it by both. The parts
are encoded apart, because a long scenario would drown a short question, and each is standardised
over the rules before the weighted sum, so that weights compare what a part can tell apart.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from clausewise.retrievers.dense import Dense, nearest, says_anything
from clausewise.retrievers.parts import FusionWeights
from clausewise.retrievers.query import Scorer

if TYPE_CHECKING:
    from clausewise.types import Dialogue, Hit

Floats = NDArray[np.float64]
_WEIGHTS = FusionWeights()


class Hybrid:
    """Finds rules by the weighted sum of what each part of the dialogue says, in words and vectors.

    A score of 0 is that of an average rule.
    """

    def __init__(
        self,
        *,
        words: Scorer,
        dense: Dense,
        weights: FusionWeights = _WEIGHTS,
    ) -> None:
        self._words = words
        self._dense = dense
        self._weights = weights

    def retrieve(self, dialogue: Dialogue, *, top_k: int) -> tuple[Hit, ...]:
        """Return the best rules for the dialogue as it stands."""
        if not self._dense.rules or not says_anything(dialogue):
            return ()
        return nearest(self.scores(dialogue), rules=self._dense.rules, top_k=top_k)

    def scores(self, dialogue: Dialogue) -> Floats:
        """Return the score of each rule."""
        total = np.zeros(len(self._dense.rules))
        for words in self._weights.word_parts(dialogue):
            total += words.weight * standardised(self._words.scores(words.texts))
        parts = self._weights.vector_parts(dialogue)
        # All texts at once: an encoder may take them side by side.
        near = self._dense.similarities([text for part in parts for text in part.texts])
        begin = 0
        for part in parts:
            end = begin + len(part.texts)
            # [texts] @ [texts, rules]
            total += part.weight * standardised(np.array(part.shares) @ near[begin:end])
            begin = end
        return total


def standardised(scores: Floats) -> Floats:
    """Return the scores with mean 0 and deviation 1; all 0 where they don't differ."""
    spread = float(scores.std())
    return (scores - scores.mean()) / spread if spread > 1e-12 else np.zeros(len(scores))
