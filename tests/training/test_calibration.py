from __future__ import annotations

import pytest

pytest.importorskip("torch", reason="training needs the train extra")

from clausewise.training.calibration import Claim, calibration_error, fitted


def test_a_scale_fits_a_network_that_is_always_sure_and_often_wrong() -> None:
    said = [Claim(probability=1 - 1e-9, right=number % 3 != 0) for number in range(300)]
    said += [Claim(probability=0.9, right=number % 2 == 0) for number in range(20)]
    scale = fitted(said)
    assert 0 < scale.slope < 1
    scaled = [Claim(probability=scale(one.probability), right=one.right) for one in said]
    assert calibration_error(scaled) < 5


def test_claims_that_are_all_right_leave_the_scale_alone() -> None:
    assert fitted([Claim(probability=0.7, right=True)] * 5).slope == 1
