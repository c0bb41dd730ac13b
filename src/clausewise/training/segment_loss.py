"""How surprising people's conditions are, under scores for every word: the loss of segments.

The weight of the people's segmentation against that of all segmentations of the text, which a
forward recursion sums up (semi-Markov conditional random field; Sarawagi and Cohen 2004).
"""

from __future__ import annotations

from collections.abc import Sequence

import torch
from torch import Tensor
from torch.nn import functional

from clausewise.compiler.segments import ENDS, INSIDE, LONGEST, STARTS

_NEVER = -1e9
Place = tuple[int, int]


def segment_loss(
    scores: Tensor, *, lengths: Sequence[int], places: Sequence[Sequence[Place]]
) -> Tensor:
    """Return the mean surprise a text; `scores` [texts, words, 3], `places` words [first, last)."""
    scores = scores.float()
    total = _all_segmentations(scores, lengths=lengths)
    sums = functional.pad(scores[..., INSIDE].cumsum(1), (1, 0))  # [texts, words + 1]
    given = torch.stack(
        [_of_places(scores[row], sums=sums[row], places=each) for row, each in enumerate(places)]
    )
    return (total - given).mean()


def apart(places: Sequence[Place]) -> list[Place]:
    """Return the places without overlap: of two the shorter, and the most of the longer."""
    kept: list[Place] = []
    for first, last in sorted(places, key=lambda place: place[1] - place[0]):
        start, end = first, min(last, first + LONGEST)
        for other_first, other_last in kept:
            if start < other_last and other_first < end:
                left, right = (start, other_first), (other_last, end)
                start, end = max(left, right, key=lambda part: part[1] - part[0])
        if start < end:
            kept.append((start, end))
    return sorted(kept)


def _of_places(scores: Tensor, *, sums: Tensor, places: Sequence[Place]) -> Tensor:
    total = scores.new_zeros(())
    for first, last in places:
        inside = sums[last] - sums[first]
        total = total + scores[first, STARTS] + scores[last - 1, ENDS] + inside
    return total


def _all_segmentations(scores: Tensor, *, lengths: Sequence[int]) -> Tensor:
    """Return the logarithm of the weight of all segmentations of each text, [texts]."""
    texts, words, _ = scores.shape
    sums = functional.pad(scores[..., INSIDE].cumsum(1), (1, 0))
    # Of a segment that begins at a word, all but what its end adds: [texts, words]
    begun = scores[..., STARTS] - sums[:, :-1]
    total = [scores.new_zeros(texts)]
    for end in range(1, words + 1):
        first = max(0, end - LONGEST)
        before = torch.stack(total[first:end], 1) + begun[:, first:end]
        closed = before.logsumexp(1) + sums[:, end] + scores[:, end - 1, ENDS]
        total.append(torch.logaddexp(total[-1], closed))
    every = torch.stack(total, 1)  # [texts, words + 1]
    ends = torch.tensor(list(lengths), device=scores.device)
    return every.gather(1, ends.unsqueeze(1)).squeeze(1)
