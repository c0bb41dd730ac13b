from __future__ import annotations

import os

import pytest

from clausewise.encoder.session import side_by_side


@pytest.mark.parametrize("count", [0, 1, 20])
def test_what_is_made_side_by_side_stays_in_order(count: int) -> None:
    assert side_by_side(lambda number: number * 2, range(count)) == [n * 2 for n in range(count)]


@pytest.mark.skipif(not hasattr(os, "sched_setaffinity"), reason="cores can't be chosen here")
def test_a_process_on_one_core_makes_the_same() -> None:
    allowed = os.sched_getaffinity(0)
    os.sched_setaffinity(0, {min(allowed)})
    try:
        assert side_by_side(str, [3, 1, 2]) == ["3", "1", "2"]
    finally:
        os.sched_setaffinity(0, allowed)
