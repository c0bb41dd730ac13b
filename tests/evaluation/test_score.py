from __future__ import annotations

import json
from pathlib import Path

import pytest

from clausewise.errors import DataError
from clausewise.evaluation.score import read_predictions, score
from tests.evaluation.samples import sample

pytest.importorskip("spacy")


def written(path: Path, *predictions: dict[str, object]) -> Path:
    path.write_text("\n".join(map(json.dumps, predictions)), encoding="utf-8")
    return path


def test_a_sample_without_prediction_is_wrong_and_counted() -> None:
    report = score([sample("a", answer="Are you 25?"), sample("b")], {"b": "Yes"})
    assert (report.missing, report.overall.micro, report.overall.classwise.inquire) == (1, 50, 0)


def test_an_abstention_is_wrong_and_counted_apart() -> None:
    report = score([sample("a", answer="Are you 25?"), sample("b")], {"a": None, "b": "Yes"})
    assert (report.missing, report.abstained, report.overall.micro) == (0, 1, 50)


def test_predictions_for_other_samples_are_counted_and_change_nothing() -> None:
    report = score([sample("a")], {"a": "Yes", "elsewhere": "No"})
    assert (report.unknown, report.overall.n, report.overall.micro) == (1, 1, 100)


def test_slices_hold_the_samples_they_are_named_after() -> None:
    samples = [
        sample("a", seen=True, scenario="I live in the zone."),
        sample("b", seen=False, turns=1, scenario="I live in the zone."),
        sample("c", seen=False, scenario="  "),
        sample("d"),
    ]
    report = score(samples, {"a": "Yes"})
    assert (report.seen.n, report.unseen.n, report.first_turn_with_scenario.n) == (1, 2, 1)
    assert (report.seen.micro, report.unseen.micro) == (100, 0)


def test_the_json_has_the_names_of_the_contract() -> None:
    shown = score([sample("a")], {"a": "Yes"}).to_json()
    assert {"n", "micro", "macro", "classwise", "f1_bleu", "seen", "unseen"} <= shown.keys()
    assert {"first_turn_with_scenario", "missing", "unknown"} <= shown.keys()


def test_answers_are_read_from_lines(tmp_path: Path) -> None:
    path = written(
        tmp_path / "predictions",
        {"utterance_id": "a", "answer": "Yes"},
        {"utterance_id": "b", "answer": "Are you 25?", "decision": "ignored"},
        {"utterance_id": "c", "answer": None},
    )
    assert read_predictions(path) == {"a": "Yes", "b": "Are you 25?", "c": None}


def test_answers_are_read_from_an_array(tmp_path: Path) -> None:
    path = tmp_path / "predictions.json"
    path.write_text('[{"utterance_id": "a", "answer": "No"}]', encoding="utf-8")
    assert read_predictions(path) == {"a": "No"}


def test_an_empty_file_holds_no_predictions(tmp_path: Path) -> None:
    assert read_predictions(written(tmp_path / "predictions")) == {}


def test_decisions_and_questions_are_read_as_evaluate_reading_writes_them(tmp_path: Path) -> None:
    path = written(
        tmp_path / "predictions",
        {"utterance_id": "a", "decision": "No", "question": None},
        {"utterance_id": "b", "decision": "Inquire", "question": "Are you 25?"},
        {"utterance_id": "c", "decision": "Abstain", "question": None},
    )
    assert read_predictions(path) == {"a": "No", "b": "Are you 25?", "c": None}


@pytest.mark.parametrize(
    ("second", "complaint"),
    [
        ({"answer": "Yes"}, ":2: utterance_id: this field is missing"),
        ({"utterance_id": "b"}, ":2: answer: this field is missing"),
        ({"utterance_id": "b", "answer": True}, ":2: answer: expected a string, not true"),
        ({"utterance_id": "a", "answer": "No"}, ":2: utterance_id: 'a' has two predictions"),
        ({"utterance_id": "b", "decision": "Ask"}, ":2: decision: expected Yes, No, Inquire or"),
        ({"utterance_id": "b", "decision": "Inquire"}, ":2: question: this field is missing"),
    ],
)
def test_a_malformed_prediction_is_named_with_its_line(
    tmp_path: Path, second: dict[str, object], complaint: str
) -> None:
    path = written(tmp_path / "predictions", {"utterance_id": "a", "answer": "Yes"}, second)
    with pytest.raises(DataError, match=complaint):
        read_predictions(path)
