"""What is promised of retrieval with the encoder that ships, and of knowing what isn't covered."""

from __future__ import annotations

from pathlib import Path

import pytest

from clausewise.build import build_engine, build_retriever
from clausewise.config import EngineConfig
from clausewise.datasets.orsharc import Sample, read_samples
from clausewise.datasets.uncovered import read_uncovered
from clausewise.encoder.places import shipped_model
from clausewise.evaluation.coverage import evaluate_coverage
from clausewise.evaluation.retrieval import evaluate_retrieval
from clausewise.knowledge.base import KnowledgeBase
from clausewise.types import RuleText
from tests.data import DATA, needs_data

pytestmark = [
    needs_data,
    pytest.mark.skipif(shipped_model("retriever") is None, reason="no encoder is here"),
]
UNCOVERED = Path(__file__).resolve().parents[2] / "benchmarks" / "uncovered.txt"


def rules() -> tuple[RuleText, ...]:
    return KnowledgeBase.open(DATA / "or_sharc" / "rules.json").rules


def samples() -> tuple[Sample, ...]:
    return read_samples(DATA / "or_sharc" / "dev.jsonl")


@pytest.mark.parametrize(
    ("history", "promised", "promised_unseen"),
    [
        (False, (70.0, 95.5, 98.5), (68.0, 98.0, 99.5)),
        (True, (92.0, 99.0, 99.8), (92.0, 99.5, 100)),
    ],
    ids=["without turns", "with turns"],
)
def test_rules_are_found_as_often_as_is_promised(
    history: bool, promised: tuple[float, ...], promised_unseen: tuple[float, ...]
) -> None:
    retriever = build_retriever("conversational", rules=rules(), trees=())
    report = evaluate_retrieval(retriever, samples(), history=history)
    for scores, least in ((report.overall, promised), (report.unseen, promised_unseen)):
        found = tuple(scores.recall[place] for place in (0, 2, 4))
        assert [one >= other for one, other in zip(found, least, strict=True)] == [True] * 3, found


def test_questions_that_no_rule_covers_are_told_from_others() -> None:
    engine = build_engine(rules(), trees=(), config=EngineConfig(judge="lexical"))
    first = [sample.dialogue for sample in samples() if not sample.dialogue.turns]
    report = evaluate_coverage(engine, covered=first, uncovered=read_uncovered(UNCOVERED))
    assert report.area_under_curve >= 0.95
    assert report.abstains_on_uncovered >= 85
    assert report.abstains_on_covered <= 3
