"""What to ask first where there are too many open conditions to weigh every order.

Each part of the logic is estimated by itself, as if no condition stood in two parts: how many
questions it will take to settle it, and how likely it is to be true. Of the parts of an `and` the
one comes first that makes it false for the fewest questions (least questions per chance of being
false), of an `or` the one that makes it true for the fewest. `atleast` k of n asks a part that is
among the k that come first by the one measure and the n - k + 1 that come first by the other: such
a part must be settled whichever way it ends, and asking it first is optimal for single conditions
(Ben-Dov, Optimal testing procedures for special structures of coherent systems, 1981).
"""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass
from typing import TYPE_CHECKING

from clausewise.trees.logic import And, AtLeast, Logic, Name, Not, Or

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

_SMALL = 1e-12
_DIGITS = 9
"""Measures that agree to so many digits are equal, and the earlier condition is asked."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Estimate:
    """What is expected of a part of the logic."""

    questions: float
    holds: float
    """How likely it is to be true."""
    key: str | None
    """The condition to ask first; None where none of the part's can be asked."""
    place: int
    """Of that condition in the author's order."""

    def per_chance(self, *, of: bool) -> float:
        """Return the expected questions per chance of ending as `of`."""
        chance = self.holds if of else 1 - self.holds
        return round(self.questions / max(chance, _SMALL), _DIGITS)


def estimate(logic: Logic, *, probabilities: Mapping[str, float]) -> Estimate:
    """Return the estimate; `probabilities` are of the conditions to ask, in the author's order."""
    places = {key: place for place, key in enumerate(probabilities)}
    return _estimate(logic, probabilities=probabilities, places=places)


def _estimate(
    logic: Logic, *, probabilities: Mapping[str, float], places: Mapping[str, int]
) -> Estimate:
    match logic:
        case Name(key) if key in probabilities:
            return Estimate(questions=1, holds=probabilities[key], key=key, place=places[key])
        case Name():
            return Estimate(questions=0, holds=0.5, key=None, place=len(places))
        case Not(part):
            inner = _estimate(part, probabilities=probabilities, places=places)
            return Estimate(
                questions=inner.questions,
                holds=1 - inner.holds,
                key=inner.key,
                place=inner.place,
            )
        case And(parts) | Or(parts) | AtLeast(_, parts):
            estimates = [
                _estimate(part, probabilities=probabilities, places=places) for part in parts
            ]
            return _joined(_needed(logic), sorted(estimates, key=lambda part: part.place))


def _needed(logic: And | Or | AtLeast) -> int:
    match logic:
        case And(parts):
            return len(parts)
        case Or():
            return 1
        case AtLeast(count, _):
            return count


def _joined(count: int, parts: Sequence[Estimate]) -> Estimate:
    """Return the estimate of at least `count` of the parts."""
    order = _order(count, parts)
    questions, holds = _settle(count, order)
    return Estimate(questions=questions, holds=holds, key=order[0].key, place=order[0].place)


def _order(count: int, parts: Sequence[Estimate]) -> list[Estimate]:
    """Return the parts in the order in which they would be settled."""
    to_true = sorted(parts, key=lambda part: part.per_chance(of=True))
    to_false = sorted(parts, key=lambda part: part.per_chance(of=False))
    early_true = {id(part) for part in to_true[:count]}
    both = [part for part in to_false[: len(parts) - count + 1] if id(part) in early_true]
    rest = to_false if count == len(parts) else to_true
    ordered = {id(part): part for part in (*both[:1], *rest)}
    return sorted(ordered.values(), key=lambda part: part.key is None)


def _settle(count: int, order: Sequence[Estimate]) -> tuple[float, float]:
    """Return the questions to be expected in this order, and how likely `count` come true."""
    allowed_false = len(order) - count
    chances = {0: 1.0}
    questions = holds = 0.0
    for number, part in enumerate(order, start=1):
        questions += sum(chances.values()) * part.questions
        following: defaultdict[int, float] = defaultdict(float)
        for true, chance in chances.items():
            following[true + 1] += chance * part.holds
            if number - true <= allowed_false:
                following[true] += chance * (1 - part.holds)
        holds += following.pop(count, 0.0)
        chances = dict(following)
    return questions, holds
