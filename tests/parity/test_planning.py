from __future__ import annotations

import pytest
from benchmarks.planning import measure

from clausewise.trees.read import read_trees
from tests.data import DATA, needs_data


@needs_data
@pytest.mark.data
def test_the_plan_over_all_annotated_trees_is_never_above_the_optimum() -> None:
    trees = [tree for file in sorted((DATA / "trees").glob("*.jsonl")) for tree in read_trees(file)]
    figures = measure(trees, probability=0.5)
    assert figures.trees == 1_045
    assert figures.above_optimum_percent == pytest.approx(0, abs=1e-6)
    assert figures.saved_percent_of_text_order == pytest.approx(3.24, abs=0.05)
    assert figures.saved_percent_of_naive == pytest.approx(6.96, abs=0.05)
