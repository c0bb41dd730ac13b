from __future__ import annotations

import itertools
import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from clausewise.compiler.segments import (
    best_segments,
    likeliest_segment,
    segment_scores,
    stretch_probabilities,
)

Stretch = tuple[int, int]


def _segmentations(count: int, start: int = 0) -> list[tuple[Stretch, ...]]:
    """Return all sets of stretches of the words that don't overlap, by brute force."""
    if start >= count:
        return [()]
    found = list(_segmentations(count, start + 1))
    for last in range(start + 1, count + 1):
        found += [((start, last), *rest) for rest in _segmentations(count, last)]
    return found


@given(st.lists(st.tuples(*[st.floats(-3, 3)] * 3), min_size=1, max_size=5))
@settings(max_examples=40)
def test_a_stretch_is_as_likely_as_all_segmentations_that_hold_it(
    rows: list[tuple[float, float, float]],
) -> None:
    scores = np.array(rows, np.float32)
    weights = segment_scores(scores)
    every = {
        each: math.exp(sum(weights[first, last - first - 1] for first, last in each))
        for each in _segmentations(len(rows))
    }
    total = sum(every.values())

    chances = stretch_probabilities(scores)

    for first, last in itertools.combinations(range(len(rows) + 1), 2):
        expected = sum(weight for each, weight in every.items() if (first, last) in each) / total
        assert chances[first, last - first - 1] == pytest.approx(expected, rel=1e-3, abs=1e-6)


def _scores(count: int, *places: Stretch) -> np.ndarray[tuple[int, int], np.dtype[np.float32]]:
    scores = np.full((count, 3), -4.0, np.float32)
    for first, last in places:
        scores[first, 0] = scores[last - 1, 1] = 4.0
        scores[first:last, 2] = 2.0
    return scores


def test_sure_stretches_are_found_as_they_are() -> None:
    found = best_segments(_scores(12, (1, 4), (4, 6), (8, 12)))

    assert [(one.first, one.last) for one in found] == [(1, 4), (4, 6), (8, 12)]
    assert all(one.probability > 0.9 for one in found)


def test_doubt_about_an_edge_makes_no_doubt_about_the_condition() -> None:
    scores = _scores(12, (2, 8))
    scores[3, 0], scores[2, 0] = 4.0, 4.0 - scores[2, 2]

    (found,) = best_segments(scores)

    assert found.last == 8
    assert found.probability > 0.9
    assert stretch_probabilities(scores).max() < 0.7


def test_where_nothing_is_likely_one_stretch_can_still_be_had() -> None:
    scores = np.full((5, 3), -6.0, np.float32)

    assert best_segments(scores) == ()
    assert likeliest_segment(scores).first < likeliest_segment(scores).last


@given(st.lists(st.tuples(*[st.floats(-5, 5)] * 3), min_size=1, max_size=30))
@settings(max_examples=40)
def test_segments_are_in_order_and_apart(rows: list[tuple[float, float, float]]) -> None:
    found = best_segments(np.array(rows, np.float32))

    assert all(0 <= one.first < one.last <= len(rows) for one in found)
    assert all(one.last <= two.first for one, two in itertools.pairwise(found))
