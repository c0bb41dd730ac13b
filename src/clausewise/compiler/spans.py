"""From scores of tags for words to spans."""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

OUTSIDE, BEGINS, INSIDE = range(3)
_NEVER = -1e9
Floats = NDArray[np.float32]


@dataclass(frozen=True, slots=True, kw_only=True)
class Found:
    """The words [first, last), and how sure it is that they are what is looked for."""

    first: int
    last: int
    probability: float


def log_probabilities(scores: Floats) -> Floats:
    """Return the logarithms of probabilities for scores of three tags: [words, 3]."""
    shifted = scores - scores.max(axis=1, keepdims=True)
    normal: Floats = shifted - np.log(np.exp(shifted).sum(axis=1, keepdims=True))
    return normal


def best_spans(scores: Floats) -> tuple[Found, ...]:
    """Return the spans of the likeliest sequence of tags (Viterbi); in order, without overlap."""
    chances = log_probabilities(scores)
    tags = _likeliest(chances)
    starts = [place for place, tag in enumerate(tags) if tag == BEGINS]
    found = []
    for start, following in itertools.pairwise([*starts, len(tags)]):
        last = next(
            (place for place in range(start + 1, following) if tags[place] != INSIDE), following
        )
        found.append(_found(chances, start, last))
    return tuple(found)


def _likeliest(chances: Floats) -> Sequence[int]:
    moves = np.zeros((3, 3))
    moves[OUTSIDE, INSIDE] = _NEVER
    best = chances[0].astype(np.float64)
    best[INSIDE] = _NEVER
    came_from = []
    for step in chances[1:]:
        ways = best[:, None] + moves
        came_from.append(ways.argmax(axis=0))
        best = ways.max(axis=0) + step
    tags = [int(best.argmax())]
    for previous in reversed(came_from):
        tags.append(int(previous[tags[-1]]))
    return tags[::-1]


def _found(chances: Floats, first: int, last: int) -> Found:
    """Weigh a span: that it begins there, and that its words are inside on the average."""
    inside = chances[first + 1 : last, INSIDE]
    average = float(inside.mean()) if len(inside) else 0.0
    probability = float(np.exp(float(chances[first, BEGINS]) + average))
    return Found(first=first, last=last, probability=probability)
