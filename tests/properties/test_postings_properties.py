from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from clausewise.retrievers.postings import Postings

keys = st.integers(-(2**63), 2**63 - 1) | st.integers(-3, 3)
weights = st.floats(0, 100)
vectors = st.dictionaries(keys, weights, max_size=8)


@settings(max_examples=60)
@given(rules=st.lists(vectors, max_size=6), query=vectors)
def test_scores_are_the_dot_products(
    rules: list[dict[int, float]], query: dict[int, float]
) -> None:
    postings = Postings.build(rules, weigh=lambda occurrences: occurrences.counts)
    expected = [sum(n * query.get(key, 0.0) for key, n in rule.items()) for rule in rules]
    assert postings.scores(query).tolist() == pytest.approx(expected, abs=1e-6)
