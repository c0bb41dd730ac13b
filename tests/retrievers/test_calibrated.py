from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from clausewise.encoder.onnx import OnnxEncoder
from clausewise.encoder.places import shipped_model
from clausewise.errors import ConfigError
from clausewise.retrievers.calibrated import CalibratedCoverage, CoverageSigns, CoverageWeights
from clausewise.retrievers.dense import Dense
from tests.retrievers.encoders import HashedWords
from tests.retrievers.rules import RULES, dialogue

WEIGHTS = CoverageWeights(intercept=-7.0, similarity=10.0, known_share=5.0, encoder="e")
share = st.floats(0, 1)


def covers(question: str, *, scenario: str = "", extra: str = "") -> float:
    dense = Dense.build(RULES, encoder=HashedWords())
    coverage = CalibratedCoverage(
        dense=dense, weights=WEIGHTS, extra_texts={"allotment-hens": (extra,)}
    )
    asked = dialogue(question, scenario=scenario)
    return coverage.covers(asked, hits=dense.retrieve(asked, top_k=5))


def test_a_question_about_a_rule_is_covered_and_one_about_bread_is_not() -> None:
    assert covers("May I keep hens on an allotment?") > 0.5
    assert covers("How long does bread keep in the freezer?") < 0.1


def test_without_hits_nothing_is_covered() -> None:
    coverage = CalibratedCoverage(dense=Dense.build(RULES, encoder=HashedWords()), weights=WEIGHTS)
    assert coverage.covers(dialogue("Can I keep hens?"), hits=()) == 0.0


def test_a_scenario_can_only_help() -> None:
    question = "Can I keep poultry?"
    assert covers(question, scenario="I want hens on an allotment.") >= covers(question)
    assert covers(question, scenario="Bread is nice.") == pytest.approx(covers(question))


def test_the_questions_of_reviewed_trees_count_as_words_of_their_rule() -> None:
    question = "Are poultry permitted?"
    assert covers(question, extra="Can I have poultry? Are poultry permitted?") > covers(question)


def test_greetings_say_nothing_that_a_rule_could_know() -> None:
    assert covers("Hello, please help me") < 0.1


@given(similarity=share, known=share, more=share)
def test_more_of_a_sign_never_makes_coverage_less_likely(
    similarity: float, known: float, more: float
) -> None:
    low = CoverageSigns(similarity=similarity, known_share=known)
    high = CoverageSigns(similarity=similarity + more, known_share=known)
    assert 0 <= WEIGHTS.probability(low) <= WEIGHTS.probability(high) <= 1


def test_weights_are_read_as_they_were_written(tmp_path: Path) -> None:
    WEIGHTS.write(tmp_path)
    assert CoverageWeights.read(tmp_path) == WEIGHTS


def test_weights_of_another_encoder_are_refused(tmp_path: Path) -> None:
    WEIGHTS.write(tmp_path)
    assert CoverageWeights.read(tmp_path, encoder="e") == WEIGHTS
    with pytest.raises(ConfigError, match=r"coverage\.json: was fitted for another encoder"):
        CoverageWeights.read(tmp_path, encoder="f")


@pytest.mark.skipif(shipped_model("retriever") is None, reason="no encoder is here")
def test_the_weights_that_ship_belong_to_the_encoder_that_ships() -> None:
    folder = shipped_model("retriever")
    assert folder is not None
    CoverageWeights.read(folder, encoder=OnnxEncoder.load(folder).name)


@pytest.mark.parametrize("content", ["", "{}", '{"intercept": 1, "unknown": 2}', "[1]"])
def test_weights_that_cannot_be_read_name_their_file(tmp_path: Path, content: str) -> None:
    (tmp_path / "coverage.json").write_text(content, "utf-8")
    with pytest.raises(ConfigError, match=r"coverage\.json"):
        CoverageWeights.read(tmp_path)
