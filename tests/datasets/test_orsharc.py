from __future__ import annotations

import json
from pathlib import Path

import pytest

from clausewise.datasets.orsharc import Gold, Sample, read_samples
from clausewise.errors import DataError
from clausewise.types import Dialogue, Turn
from tests.data import DATA, needs_data

SAMPLE: dict[str, object] = {
    "utterance_id": "u1",
    "tree_id": "t1",
    "source_url": "https://council.example/parking",
    "question": "Can I park outside my house?",
    "scenario": "I moved to Elm Road in May.",
    "history": [{"follow_up_question": "Is your car taxed?", "follow_up_answer": "Yes"}],
    "evidence": [{"follow_up_question": "Do you live in the zone?", "follow_up_answer": "Yes"}],
    "answer": "Do you have a garage?",
    "gold_snippet_id": "7",
    "snippet_seen": False,
}


def written(path: Path, *samples: dict[str, object]) -> Path:
    path.write_text("\n".join(json.dumps(sample) for sample in samples), encoding="utf-8")
    return path


def test_a_sample_keeps_what_may_be_known_apart_from_the_gold(tmp_path: Path) -> None:
    assert read_samples(written(tmp_path / "data.jsonl", SAMPLE)) == (
        Sample(
            utterance_id="u1",
            tree_id="t1",
            dialogue=Dialogue(
                question="Can I park outside my house?",
                scenario="I moved to Elm Road in May.",
                turns=(Turn(question="Is your car taxed?", answer="Yes"),),
            ),
            gold=Gold(
                answer="Do you have a garage?",
                rule_id="7",
                evidence=(Turn(question="Do you live in the zone?", answer="Yes"),),
                seen=False,
            ),
        ),
    )


@pytest.mark.parametrize("field", ["tree_id", "source_url", "evidence", "snippet_seen"])
def test_a_field_that_no_prediction_needs_may_be_absent(tmp_path: Path, field: str) -> None:
    without = {name: value for name, value in SAMPLE.items() if name != field}
    (sample,) = read_samples(written(tmp_path / "data.jsonl", without))
    assert sample.dialogue.question == SAMPLE["question"]


@pytest.mark.parametrize(
    "field", ["utterance_id", "question", "scenario", "history", "answer", "gold_snippet_id"]
)
@pytest.mark.parametrize("value", [None, 3, {"a": "b"}])
def test_a_field_of_the_wrong_kind_is_named_with_its_line(
    tmp_path: Path, field: str, value: object
) -> None:
    path = written(tmp_path / "data.jsonl", SAMPLE, SAMPLE | {"utterance_id": "u2", field: value})
    with pytest.raises(DataError, match=rf"data\.jsonl:2: {field}: expected a "):
        read_samples(path)


def test_a_malformed_turn_is_named_with_its_place(tmp_path: Path) -> None:
    turns = [{"follow_up_question": "Is your car taxed?"}]
    path = written(tmp_path / "data.jsonl", SAMPLE | {"history": turns})
    with pytest.raises(DataError, match=r":1: history\[0\]\.follow_up_answer: this field is missi"):
        read_samples(path)


def test_an_id_that_stands_twice_is_refused(tmp_path: Path) -> None:
    with pytest.raises(DataError, match=r"data\.jsonl:2: utterance_id: 'u1' stands here twice"):
        read_samples(written(tmp_path / "data.jsonl", SAMPLE, SAMPLE))


def test_a_file_without_samples_is_refused(tmp_path: Path) -> None:
    with pytest.raises(DataError, match="holds no samples"):
        read_samples(written(tmp_path / "data.jsonl"))


@needs_data
@pytest.mark.data
def test_the_development_set_is_read_whole() -> None:
    samples = read_samples(DATA / "or_sharc" / "dev.jsonl")
    assert len(samples) == 1105
    assert sum(sample.gold.seen is True for sample in samples) == 500
