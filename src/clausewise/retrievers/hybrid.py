"""Retrieval by words and by meaning at once, over every part of a dialogue.

Words find the benefit by its name, vectors find the rule whose conditions the person speaks of,
and the follow-up questions asked so far, worded after the rule itself, find it by both. The parts
are encoded apart, because a long scenario would drown a short question, and each is standardised
over the rules before the weighted sum, so that weights compare what a part can tell apart.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from clausewise.retrievers.dense import Dense, nearest, question_and_scenario, says_anything
from clausewise.retrievers.query import PartWeights, Scorer

if TYPE_CHECKING:
    from collections.abc import Sequence

    from clausewise.types import Dialogue, Hit, Turn

Floats = NDArray[np.float64]


@dataclass(frozen=True, slots=True, kw_only=True)
class FusionWeights:
    """How much each standardised part counts; chosen coarsely on the development set."""

    words: float = 1.0
    """BM25 of question and scenario."""
    question: float = 0.5
    """The vector of the question."""
    question_and_scenario: float = 1.0
    """The vector of both as one text."""
    turn_words: float = 2.0
    """BM25 of the follow-up questions."""
    turns_answered_yes: float = 2.0
    """The vectors of the follow-up questions that were answered with a yes."""
    turns_answered_otherwise: float = 2.0
    """The vectors of those that were not: a no may mean that another rule is meant."""


_WORDS = PartWeights(question=1.0, scenario=0.5)
_TURN_WORDS = PartWeights(question=0.0, scenario=0.0, turns=1.0)


class Hybrid:
    """Finds rules by the weighted sum of what each part of the dialogue says, in words and vectors.

    A score of 0 is that of an average rule.
    """

    def __init__(
        self,
        *,
        words: Scorer,
        dense: Dense,
        weights: FusionWeights = FusionWeights(),
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
        turns = dialogue.turns
        asked = [dialogue.question, question_and_scenario(dialogue)]
        near = self._dense.similarities([*asked, *(turn.question for turn in turns)])
        weights = self._weights
        total = weights.words * standardised(self._words.scores(_WORDS.parts(dialogue)))
        total += weights.question * standardised(near[0])
        total += weights.question_and_scenario * standardised(near[1])
        if turns:
            found = self._words.scores(_TURN_WORDS.parts(dialogue))
            total += weights.turn_words * standardised(found)
            total += self._of_turns(turns, near=near[len(asked) :])
        return total

    def _of_turns(self, turns: Sequence[Turn], *, near: Floats) -> Floats:
        """Return what the vectors of follow-up questions say: their mean, weighted by answer."""
        weights = np.array([self._of_answer(turn) for turn in turns])
        # [turns] @ [turns, rules]
        mean = weights @ near / max(float(weights.sum()), 1e-12)
        return float(weights.mean()) * standardised(mean)

    def _of_answer(self, turn: Turn) -> float:
        said_yes = turn.answer.strip().lower().startswith("yes")
        weights = self._weights
        return weights.turns_answered_yes if said_yes else weights.turns_answered_otherwise


def standardised(scores: Floats) -> Floats:
    """Return the scores with mean 0 and deviation 1; all 0 where they don't differ."""
    spread = float(scores.std())
    return (scores - scores.mean()) / spread if spread > 1e-12 else np.zeros(len(scores))
