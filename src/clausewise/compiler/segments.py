"""The conditions of a text as its likeliest segments, out of scores for every word.

A segmentation is a set of stretches of words that don't overlap; its weight is the sum of what its
stretches score: that one begins here, that one ends there, that the words between are inside
(semi-Markov, Sarawagi and Cohen 2004). Summed over all segmentations, that gives for every stretch
how likely it is a condition. People disagree about a word more or less at the edges, so what is
chosen is not the single likeliest segmentation but the stretches that most probably share at least
half of their words with a person's.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from clausewise.compiler.spans import Found

LONGEST = 64
"""A condition has at most so many words."""
STARTS, ENDS, INSIDE = range(3)
"""The columns of the scores."""
_WORTH_A_LOOK = 0.003
_ENOUGH = 0.5
Floats = NDArray[np.float32]
Matrix = NDArray[np.float64]


def segment_scores(scores: Floats) -> Matrix:
    """Return what every stretch scores, [words, LONGEST]: from a word on, of a length less one."""
    count = len(scores)
    sums = np.concatenate([[0.0], np.cumsum(scores[:, INSIDE], dtype=np.float64)])
    found = np.full((count, LONGEST), -np.inf)
    for length in range(1, min(LONGEST, count) + 1):
        first = np.arange(count - length + 1)
        inside = sums[first + length] - sums[first]
        found[first, length - 1] = scores[first, STARTS] + scores[first + length - 1, ENDS] + inside
    return found


def stretch_probabilities(scores: Floats) -> Matrix:
    """Return how likely every stretch is a segment, [words, LONGEST]."""
    weights = segment_scores(scores)
    before, behind = _before(weights), _behind(weights)
    lengths = np.arange(LONGEST)
    ends = np.minimum(np.arange(len(scores))[:, None] + lengths + 1, len(scores))
    with np.errstate(invalid="ignore"):
        chances: Matrix = np.exp(before[:-1, None] + weights + behind[ends] - before[-1])
    return chances


def best_segments(scores: Floats, *, threshold: float = 0.4) -> tuple[Found, ...]:
    """Return the stretches that are likelier than the threshold to match a person's; in order."""
    candidates = _candidates(stretch_probabilities(scores))
    worth = [found.probability - threshold for found in candidates]
    return _apart(candidates, worth=worth)


def likeliest_segment(scores: Floats) -> Found:
    """Return the one stretch that is the likeliest to match, however unlikely; there is a word."""
    chances = stretch_probabilities(scores)
    candidates = _candidates(chances)
    if candidates:
        return max(candidates, key=lambda found: found.probability)
    first, length = np.unravel_index(int(chances.argmax()), chances.shape)
    return Found(first=int(first), last=int(first + length + 1), probability=float(chances.max()))


def _before(weights: Matrix) -> Matrix:
    """Return the logarithm of the weight of all segmentations of the first words."""
    total = np.zeros(len(weights) + 1)
    for end in range(1, len(weights) + 1):
        lengths = np.arange(1, min(end, LONGEST) + 1)
        ways = total[end - lengths] + weights[end - lengths, lengths - 1]
        total[end] = np.logaddexp(total[end - 1], np.logaddexp.reduce(ways))
    return total


def _behind(weights: Matrix) -> Matrix:
    """Return the logarithm of the weight of all segmentations of the words from each place on."""
    count = len(weights)
    total = np.zeros(count + 1)
    for start in range(count - 1, -1, -1):
        lengths = np.arange(1, min(count - start, LONGEST) + 1)
        ways = weights[start, lengths - 1] + total[start + lengths]
        total[start] = np.logaddexp(total[start + 1], np.logaddexp.reduce(ways))
    return total


def _candidates(chances: Matrix) -> list[Found]:
    """Return the stretches worth a look, each with the chance that it matches a person's."""
    firsts, lengths = np.nonzero(chances > _WORTH_A_LOOK)
    lasts = firsts + lengths + 1
    both = np.minimum(lasts[:, None], lasts) - np.maximum(firsts[:, None], firsts)
    whole = np.maximum(lasts[:, None], lasts) - np.minimum(firsts[:, None], firsts)
    alike = np.maximum(both, 0) >= _ENOUGH * whole
    gains = np.minimum(alike @ chances[firsts, lengths], 1.0)
    return [
        Found(first=first, last=last, probability=gain)
        for first, last, gain in zip(firsts.tolist(), lasts.tolist(), gains.tolist(), strict=True)
    ]


@dataclass(frozen=True, slots=True, kw_only=True)
class _Chosen:
    worth: float = 0.0
    found: tuple[Found, ...] = ()


def _apart(candidates: list[Found], *, worth: list[float]) -> tuple[Found, ...]:
    """Return the candidates, none overlapping another, that are worth most together."""
    order = sorted(range(len(candidates)), key=lambda place: candidates[place].last)
    best: list[tuple[int, _Chosen]] = [(0, _Chosen())]
    for place in order:
        found = candidates[place]
        if worth[place] <= 0:
            continue
        free = next(chosen for end, chosen in reversed(best) if end <= found.first)
        total = free.worth + worth[place]
        if total > best[-1][1].worth:
            best.append((found.last, _Chosen(worth=total, found=(*free.found, found))))
    return best[-1][1].found
