"""DPR++: dense retrieval and TF-IDF together, as OSCAR (Zhang et al. 2022) does.

The score is tf-idf + weight * inner product. The scales of the two differ by model, so the weight
goes with the model and was chosen on the development set.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from clausewise.retrievers.dense import Dense, nearest, question_and_scenario, says_anything
from clausewise.retrievers.query import PartWeights

if TYPE_CHECKING:
    from clausewise.retrievers.tfidf import Tfidf
    from clausewise.types import Dialogue, Hit

WEIGHT = 600.0
_PARTS = PartWeights(question=1.0, scenario=1.0)


class DprPlusPlus:
    """Finds rules by the linear combination of TF-IDF and vectors of question and scenario."""

    def __init__(self, *, tfidf: Tfidf, dense: Dense, weight: float = WEIGHT) -> None:
        self._tfidf = tfidf
        self._dense = dense
        self._weight = weight

    def retrieve(self, dialogue: Dialogue, *, top_k: int) -> tuple[Hit, ...]:
        """Return the best rules for question and scenario."""
        if not says_anything(dialogue):
            return ()
        (near,) = self._dense.similarities([question_and_scenario(dialogue)])
        scores = self._tfidf.scores(_PARTS.parts(dialogue)) + self._weight * near
        return nearest(scores, rules=self._dense.rules, top_k=top_k)
