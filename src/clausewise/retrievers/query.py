"""What a retriever looks for: the parts of a dialogue, each with its own weight.

The question names the benefit, the scenario mostly talks about the person, and the follow-up
questions asked so far were worded after the rule itself: they can't count the same.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from clausewise.retrievers.selection import best_places
from clausewise.types import Dialogue, Hit, RuleText


@dataclass(frozen=True, slots=True, kw_only=True)
class WeightedText:
    """A text to look for, and how much it counts."""

    text: str
    weight: float


@dataclass(frozen=True, slots=True, kw_only=True)
class PartWeights:
    """How much each part of a dialogue counts; a part with weight 0 is not looked at."""

    question: float = 1.0
    scenario: float = 0.5
    turns: float = 0.0
    """Each follow-up question asked so far."""
    answers: float = 0.0
    """What the person answered to each, beyond a yes or no."""

    def parts(self, dialogue: Dialogue) -> tuple[WeightedText, ...]:
        """Return the texts of a dialogue that count."""
        turns = dialogue.turns
        parts = (
            WeightedText(text=dialogue.question, weight=self.question),
            WeightedText(text=dialogue.scenario, weight=self.scenario),
            *(WeightedText(text=turn.question, weight=self.turns) for turn in turns),
            *(WeightedText(text=turn.answer, weight=self.answers) for turn in turns),
        )
        return tuple(part for part in parts if part.weight and part.text)


class Scorer(Protocol):
    """Scores every rule text against weighted texts; what is retrieved by can be mixed from it."""

    @property
    def rules(self) -> Sequence[RuleText]:
        """The rules that are scored."""
        ...

    def scores(self, texts: Sequence[WeightedText]) -> NDArray[np.float64]:
        """Return one score for each rule, in their order; 0 where nothing matches."""
        ...


def best_hits(
    scores: NDArray[np.float64], *, rules: Sequence[RuleText], top_k: int
) -> tuple[Hit, ...]:
    """Return the rules that score above 0, best first; ties in the order of the rules."""
    places = best_places(scores, top_k=top_k, above=0.0)
    return tuple(Hit(rule=rules[place], score=float(scores[place])) for place in places)
