"""Dense passage retrieval (Karpukhin et al. 2020): rules by the inner product of vectors.

Words that mean the same need not be the same: "my baby was born early" finds a rule about
premature birth. Every rule is compared, which is exact and fast up to some ten thousands.
"""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np

from clausewise.retrievers.selection import best_places
from clausewise.retrievers.vectors import Encoder, Floats, rule_vectors
from clausewise.types import Dialogue, Hit, RuleText

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from numpy.typing import NDArray


class Dense:
    """Finds rules by the vector of question and scenario, as the published systems do."""

    def __init__(self, rules: Sequence[RuleText], *, vectors: Floats, encoder: Encoder) -> None:
        self.rules = rules
        self._vectors = vectors
        self._encoder = encoder

    @classmethod
    def build(
        cls, rules: Sequence[RuleText], *, encoder: Encoder, cache: Path | None = None
    ) -> Dense:
        """Return a retriever over the rules; the folder `cache` keeps their vectors."""
        vectors = rule_vectors(rules, encoder=encoder, cache=cache)
        return cls(rules, vectors=vectors, encoder=encoder)

    def similarities(self, texts: Sequence[str]) -> NDArray[np.float64]:
        """Return the inner products of texts and rules, [texts, rules]."""
        # [texts, dimensions] @ [dimensions, rules]
        return (self._encoder.encode(texts) @ self._vectors.T).astype(np.float64)

    def similarities_to(
        self, rule_ids: Sequence[str], *, texts: Sequence[str]
    ) -> NDArray[np.float64]:
        """Return the inner products of texts and some rules, [texts, rule_ids]."""
        vectors = self._vectors[[self._places[rule_id] for rule_id in rule_ids]]
        return (self._encoder.encode(texts) @ vectors.T).astype(np.float64)

    @cached_property
    def _places(self) -> dict[str, int]:
        return {rule.rule_id: place for place, rule in enumerate(self.rules)}

    def retrieve(self, dialogue: Dialogue, *, top_k: int) -> tuple[Hit, ...]:
        """Return the best rules for question and scenario."""
        if not says_anything(dialogue):
            return ()
        (scores,) = self.similarities([question_and_scenario(dialogue)])
        return nearest(scores, rules=self.rules, top_k=top_k)


def says_anything(dialogue: Dialogue) -> bool:
    """Say whether question or scenario hold a letter or digit: of nothing, nothing is near."""
    return any(sign.isalnum() for sign in question_and_scenario(dialogue))


def question_and_scenario(dialogue: Dialogue) -> str:
    """Return the two as one text."""
    return f"{dialogue.question} {dialogue.scenario}".strip()


def nearest(
    scores: NDArray[np.float64], *, rules: Sequence[RuleText], top_k: int
) -> tuple[Hit, ...]:
    """Return the best rules, whatever their scores: similarities have no natural zero."""
    places = best_places(scores, top_k=top_k)
    return tuple(Hit(rule=rules[place], score=float(scores[place])) for place in places)
