"""Several retrievers as one: what one of them overlooks another may find.

`WeightedSum` adds scores after bringing them to one scale; `ReciprocalRank` (Cormack et al. 2009)
looks only at ranks and so needs no scale and no weights.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from clausewise.protocols import Retriever
from clausewise.types import Dialogue, Hit, RuleText

Floats = NDArray[np.float64]


@dataclass(frozen=True, slots=True, kw_only=True)
class Member:
    """One of the retrievers that are fused."""

    retriever: Retriever
    weight: float = 1.0


class WeightedSum:
    """Fuses retrievers by the weighted sum of their standardised scores."""

    def __init__(
        self, members: Sequence[Member], *, rules: Sequence[RuleText], depth: int = 100
    ) -> None:
        self._members = tuple(members)
        self._rules = _Positions(rules)
        self._depth = depth

    def retrieve(self, dialogue: Dialogue, *, top_k: int) -> tuple[Hit, ...]:
        """Return the rules that any member found, by their sums."""
        total = np.zeros(len(self._rules.rules))
        found: set[int] = set()
        for member in self._members:
            hits = member.retriever.retrieve(dialogue, top_k=max(self._depth, top_k))
            if hits:
                places = self._rules.of(hits)
                found.update(places)
                total += member.weight * _standardised(hits, places=places, count=len(total))
        return self._rules.best(total, found=found, top_k=top_k)


class ReciprocalRank:
    """Fuses retrievers by the sum of 1 / (constant + rank)."""

    def __init__(
        self,
        members: Sequence[Member],
        *,
        rules: Sequence[RuleText],
        depth: int = 100,
        constant: float = 60.0,
    ) -> None:
        self._members = tuple(members)
        self._rules = _Positions(rules)
        self._depth = depth
        self._constant = constant

    def retrieve(self, dialogue: Dialogue, *, top_k: int) -> tuple[Hit, ...]:
        """Return the rules that any member found, by their ranks there."""
        total = np.zeros(len(self._rules.rules))
        found: set[int] = set()
        for member in self._members:
            hits = member.retriever.retrieve(dialogue, top_k=max(self._depth, top_k))
            for rank, place in enumerate(self._rules.of(hits), start=1):
                found.add(place)
                total[place] += member.weight / (self._constant + rank)
        return self._rules.best(total, found=found, top_k=top_k)


class _Positions:
    """Rules with their places in the order that breaks ties."""

    def __init__(self, rules: Sequence[RuleText]) -> None:
        self.rules = tuple(rules)
        self._place = {rule.rule_id: place for place, rule in enumerate(self.rules)}

    def of(self, hits: Sequence[Hit]) -> list[int]:
        return [self._place[hit.rule.rule_id] for hit in hits]

    def best(self, scores: Floats, *, found: set[int], top_k: int) -> tuple[Hit, ...]:
        rounded = {place: round(float(scores[place]), 9) for place in found}
        order = sorted(found, key=lambda place: (-rounded[place], place))
        return tuple(
            Hit(rule=self.rules[place], score=rounded[place]) for place in order[: max(top_k, 0)]
        )


def _standardised(hits: Sequence[Hit], *, places: Sequence[int], count: int) -> Floats:
    """Return z-scores over all rules; what was not found scores as the last that was."""
    scores = np.full(count, min(hit.score for hit in hits))
    scores[list(places)] = [hit.score for hit in hits]
    spread = scores.std()
    standard: Floats = (scores - scores.mean()) / spread if spread else np.zeros(count)
    return standard
