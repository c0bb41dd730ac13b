from __future__ import annotations

import pytest

from clausewise.evaluation.coverage import measure


def test_perfect_probabilities_have_an_area_of_1_and_no_error() -> None:
    report = measure([1.0, 1.0, 1.0], [0.0, 0.0])
    assert report.area_under_curve == 1.0
    assert report.calibration_error == 0.0
    assert (report.abstains_on_covered, report.abstains_on_uncovered) == (0.0, 100.0)


def test_a_constant_tells_nothing() -> None:
    report = measure([0.5, 0.5], [0.5, 0.5, 0.5])
    assert report.area_under_curve == 0.5
    assert report.calibration_error == 0.0


def test_certainty_that_is_wrong_half_the_time_is_an_error_of_a_half() -> None:
    assert measure([1.0, 1.0], [1.0, 1.0]).calibration_error == pytest.approx(0.5)


def test_abstentions_are_counted_below_a_half() -> None:
    report = measure([0.4, 0.6, 0.9, 0.8], [0.1, 0.6])
    assert (report.abstains_on_covered, report.abstains_on_uncovered) == (25.0, 50.0)
