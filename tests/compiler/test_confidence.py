from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from clausewise.compiler.confidence import Calibration, Confidence, Scale


def test_a_scale_that_changes_nothing_changes_nothing() -> None:
    assert Scale()(0.3) == pytest.approx(0.3)


@given(st.floats(0.1, 5), st.floats(-3, 3), st.floats(0, 1), st.floats(0, 1))
def test_a_scale_keeps_the_order(slope: float, shift: float, one: float, other: float) -> None:
    scale = Scale(slope=slope, shift=shift)

    assert 0 <= scale(one) <= 1
    assert scale(min(one, other)) <= scale(max(one, other))


def test_a_calibration_reads_back(tmp_path: Path) -> None:
    calibration = Calibration(conditions=Scale(slope=2.0, shift=-1.0), review_below=0.4)
    calibration.write(tmp_path)

    assert Calibration.read(tmp_path) == calibration


def test_a_text_that_was_cut_is_never_sure() -> None:
    sure = Confidence(conditions=(0.9,), questions=(), logic=0.8, outcome=None, complete=True)
    cut = Confidence(conditions=(0.9,), questions=(), logic=0.8, outcome=None, complete=False)

    assert sure.weakest == 0.8
    assert cut.weakest == 0.0
