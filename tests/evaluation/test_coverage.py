from __future__ import annotations

from collections.abc import Sequence

import pytest

from clausewise.datasets.uncovered import UncoveredQuestion
from clausewise.engine import Engine
from clausewise.evaluation.coverage import evaluate_coverage, measure
from clausewise.readers.compiled import CompiledReader
from clausewise.types import Dialogue, Hit, RuleText
from tests.fakes import PERMIT, AnswerJudge, FixedCompiler, FixedRetriever, permit_tree


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


def test_a_threshold_of_ones_own_decides_what_is_an_abstention() -> None:
    report = measure([0.4, 0.6], [0.1, 0.35], threshold=0.3)
    assert (report.abstains_on_covered, report.abstains_on_uncovered) == (0.0, 50.0)


class ByLength:
    """Takes short questions for covered."""

    def covers(self, dialogue: Dialogue, *, hits: Sequence[Hit]) -> float:
        assert len(hits) == 1
        return 0.9 if len(dialogue.question) < 10 else 0.2


def engine(*rules: RuleText) -> Engine:
    return Engine(
        retriever=FixedRetriever(rules=rules),
        coverage=ByLength(),
        reader=CompiledReader(judge=AnswerJudge(), compiler=FixedCompiler(tree=permit_tree())),
        top_k=1,
        minimum_coverage=0.3,
    )


def test_an_engine_is_measured_at_its_own_threshold_and_by_kind() -> None:
    report = evaluate_coverage(
        engine(PERMIT),
        covered=[Dialogue(question="short"), Dialogue(question="a longer question")],
        uncovered=[
            UncoveredQuestion(kind="greeting", question="hello"),
            UncoveredQuestion(kind="topic", question="may I eat bread?"),
        ],
    )
    assert report.threshold == 0.3
    assert (report.covered, report.uncovered) == (2, 2)
    assert (report.abstains_on_covered, report.abstains_on_uncovered) == (50.0, 50.0)
    assert report.abstains_by_kind == {"greeting": 0.0, "topic": 100.0}


def test_without_hits_nothing_is_taken_for_covered() -> None:
    other = UncoveredQuestion(kind="greeting", question="hello")
    report = evaluate_coverage(engine(), covered=[Dialogue(question="x")], uncovered=[other])
    assert (report.abstains_on_covered, report.abstains_on_uncovered) == (100.0, 100.0)
