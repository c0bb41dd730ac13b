from __future__ import annotations

import numpy as np
import pytest

from clausewise.retrievers.selection import best_places


def test_the_highest_scores_come_first_and_equal_ones_in_order() -> None:
    assert best_places(np.array([1.0, 3.0, 2.0, 3.0]), top_k=3).tolist() == [1, 3, 2]


def test_sums_that_differ_by_rounding_only_are_equal() -> None:
    assert best_places(np.array([0.3, 0.1 + 0.2]), top_k=2).tolist() == [0, 1]


def test_only_scores_above_the_limit_count() -> None:
    assert best_places(np.array([0.0, 2.0, -1.0]), top_k=3, above=0.0).tolist() == [1]
    assert best_places(np.zeros(5000), top_k=3, above=0.0).tolist() == []


@pytest.mark.parametrize("top_k", [0, -1])
def test_nothing_is_asked_for_and_nothing_comes(top_k: int) -> None:
    assert best_places(np.ones(3), top_k=top_k).tolist() == []


@pytest.mark.parametrize("count", [0, 1, 9, 1023, 1024, 1025, 10240, 20011])
@pytest.mark.parametrize("top_k", [1, 10, 600])
def test_the_selection_is_what_a_stable_sort_finds(count: int, top_k: int) -> None:
    # Few different values, so that many are equal and the last block is not full.
    scores = np.random.default_rng(count).integers(0, 50, count).astype(np.float64)
    expected = np.argsort(-scores, kind="stable")[:top_k]
    assert best_places(scores, top_k=top_k).tolist() == expected.tolist()
