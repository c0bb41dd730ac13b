from __future__ import annotations

import itertools

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from clausewise.compiler.spans import best_spans


def _scores(tags: str) -> np.ndarray[tuple[int, int], np.dtype[np.float32]]:
    """Return scores that are sure of the tags: O outside, B begins, I inside."""
    scores = np.zeros((len(tags), 3), np.float32)
    for place, tag in enumerate(tags):
        scores[place, "OBI".index(tag)] = 5.0
    return scores


@pytest.mark.parametrize(
    ("tags", "expected"),
    [("OBIIO", [(1, 4)]), ("BIBI", [(0, 2), (2, 4)]), ("OOO", []), ("B", [(0, 1)])],
)
def test_spans_are_where_the_tags_say(tags: str, expected: list[tuple[int, int]]) -> None:
    assert [(one.first, one.last) for one in best_spans(_scores(tags))] == expected


def test_nothing_is_inside_that_has_not_begun() -> None:
    found = best_spans(_scores("OOIIO"))

    assert all(one.first < one.last for one in found)
    assert not found or found[0].first >= 0


@given(st.lists(st.tuples(*[st.floats(-5, 5)] * 3), min_size=1, max_size=20))
@settings(max_examples=50)
def test_spans_are_in_order_and_apart(rows: list[tuple[float, float, float]]) -> None:
    found = best_spans(np.array(rows, np.float32))

    assert all(one.first < one.last <= len(rows) for one in found)
    assert all(a.last <= b.first for a, b in itertools.pairwise(found))
    assert all(0 <= one.probability <= 1 for one in found)
