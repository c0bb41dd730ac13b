"""From how every two conditions are joined to the one logic that fits best.

A model says for each pair how likely `or` joins it rather than `and`. A logic in which every key
stands once and in the order of the text is a binary tree over a row; the best one is found by
dynamic programming over its stretches, as in the parsing of sentences.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from clausewise.trees.logic import And, AtLeast, Logic, Name, Not, Or, all_of, any_of

_SURE = 1e-4
"""No pair is taken for surer than this leaves open."""
Matrix = NDArray[np.float64]
Sums = dict[type[And] | type[Or], Matrix]


@dataclass(frozen=True, slots=True, kw_only=True)
class Nested:
    """The best logic and how likely all of its joints are right, taken as independent."""

    logic: Logic
    probability: float


@dataclass(frozen=True, slots=True, kw_only=True)
class _Best:
    score: float
    logic: Logic


def nested(keys: Sequence[str], *, negated: Sequence[bool], chance_of_or: Matrix) -> Nested:
    """Return the best logic over the keys, each of them used once, in their order.

    `chance_of_or` [keys, keys] is of the joint of two conditions as the logic has it once `not`
    stands before single keys only.
    """
    chance = np.clip(chance_of_or, _SURE, 1 - _SURE)
    sums: Sums = {Or: _corner_sums(np.log(chance)), And: _corner_sums(np.log(1 - chance))}
    best: dict[tuple[int, int], _Best] = {}
    for place, key in enumerate(keys):
        name = Name(key)
        best[place, place + 1] = _Best(score=0.0, logic=Not(name) if negated[place] else name)
    for length in range(2, len(keys) + 1):
        for start in range(len(keys) - length + 1):
            best[start, start + length] = _joined(start, start + length, best=best, sums=sums)
    whole = best[0, len(keys)]
    return Nested(logic=outermost_not(whole.logic), probability=math.exp(whole.score))


def _joined(
    start: int,
    end: int,
    *,
    best: dict[tuple[int, int], _Best],
    sums: Sums,
) -> _Best:
    """Return the best way to join two stretches into [start, end)."""
    ways = []
    for middle in range(start + 1, end):
        left, right = best[start, middle], best[middle, end]
        for kind, corner in sums.items():
            across = _across(corner, start, middle, end)
            ways.append((left.score + right.score + across, middle, kind))
    score, middle, kind = max(ways, key=lambda way: way[0])
    parts = (best[start, middle].logic, best[middle, end].logic)
    return _Best(score=score, logic=kind(parts))


def _corner_sums(values: Matrix) -> Matrix:
    """Return the sums over all rectangles that begin in the corner, with an empty row before."""
    sums = np.zeros((len(values) + 1, len(values) + 1))
    sums[1:, 1:] = values.cumsum(axis=0).cumsum(axis=1)
    return sums


def _across(corner: Matrix, start: int, middle: int, end: int) -> float:
    """Return the sum over the pairs with one of [start, middle) and one of [middle, end)."""
    total = corner[middle, end] - corner[start, end] - corner[middle, middle]
    return float(total + corner[start, middle])


def outermost_not(logic: Logic) -> Logic:
    """Return `not (a or b)` for `not a and not b`: people read one `not` more easily than many."""
    if not isinstance(logic, (And, Or)) or not _all_negated(logic):
        return logic
    return Not(_positive(logic))


def _all_negated(logic: Logic) -> bool:
    match logic:
        case Not(Name()):
            return True
        case And(parts) | Or(parts):
            return all(_all_negated(part) for part in parts)
        case Name() | Not() | AtLeast():
            return False


def _positive(logic: Logic) -> Logic:
    match logic:
        case And(parts):
            return any_of(_positive(part) for part in parts)
        case Or(parts):
            return all_of(_positive(part) for part in parts)
        case Not(part):
            return part
        case Name() | AtLeast():
            return logic
