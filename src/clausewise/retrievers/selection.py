"""The few best of many scores, without sorting all of them.

Of a million scores a stable sort takes 72 milliseconds, far longer than giving them by words. The
peaks of blocks give a floor below which nothing can be among the best, in one pass over memory, and
only what lies above it is sorted.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

_BLOCK = 1024
_DECIMALS = 9
"""Equal sums that were added up in another order differ only behind these."""
_SLACK = 10.0**-_DECIMALS


def best_places(
    scores: NDArray[np.float64], *, top_k: int, above: float = -np.inf
) -> NDArray[np.intp]:
    """Return the places of the highest scores, best first; places of equal scores in order.

    Only scores greater than `above` count; there may be fewer than `top_k` of them.
    """
    if top_k < 1:
        return np.zeros(0, np.intp)
    near = _near_best(scores, top_k=top_k)
    if above > -np.inf:
        near = near[scores[near] > above]
    order = np.argsort(-scores[near].round(_DECIMALS), kind="stable")
    best: NDArray[np.intp] = near[order[:top_k]]
    return best


def _near_best(scores: NDArray[np.float64], *, top_k: int) -> NDArray[np.intp]:
    """Return the places, in order, of the best scores and of some that are nearly as good."""
    blocks = len(scores) // _BLOCK
    if blocks <= top_k:
        return np.flatnonzero(scores >= _floor(scores, top_k=top_k))
    whole = blocks * _BLOCK
    peaks = scores[:whole].reshape(blocks, _BLOCK).max(axis=1)
    floor = _floor(peaks, top_k=top_k)
    high = np.flatnonzero(peaks >= floor) * _BLOCK
    places = np.concatenate(
        [(high[:, None] + np.arange(_BLOCK)).ravel(), np.arange(whole, len(scores))]
    )
    near: NDArray[np.intp] = places[scores[places] >= floor]
    return near


def _floor(scores: NDArray[np.float64], *, top_k: int) -> float:
    """Return a number that just the `top_k` best scores reach, and those equal to them."""
    if len(scores) <= top_k:
        return -np.inf
    place = len(scores) - top_k
    return float(np.partition(scores, place)[place]) - _SLACK
