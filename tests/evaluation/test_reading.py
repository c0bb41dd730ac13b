from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import pytest

from clausewise.errors import DataError
from clausewise.evaluation.reading import evaluate_reading, write_predictions
from clausewise.evaluation.score import read_predictions
from clausewise.trees.logic import Name
from clausewise.trees.tree import RuleTree
from clausewise.trees.values import Condition, Span, State
from clausewise.types import (
    Abstention,
    Answer,
    Dialogue,
    Hit,
    Inquiry,
    JudgedRule,
    Judgement,
    Reply,
    RuleText,
    WhyAbstained,
)
from tests.evaluation.samples import sample

pytest.importorskip("spacy")

RULE = RuleText(rule_id="permit", text="You need a permit if you live in the zone.")
LIVES = Condition(
    key="a",
    span=Span(start=25, end=41),
    text="live in the zone",
    question="Do you live in the zone?",
)
TREE = RuleTree(rule_id="permit", conditions=(LIVES,), logic=Name("a"), rule_text=RULE.text)


class ZoneEngine:
    """Asks about the zone, answers Yes once it has asked, and knows nothing about the beach."""

    def __init__(self) -> None:
        self.given: list[RuleText] = []

    def reply(self, dialogue: Dialogue) -> Reply:
        if "beach" in dialogue.scenario:
            return Abstention(why=WhyAbstained.NOT_COVERED, closest=(RULE,))
        return self.reply_to(dialogue, hits=[Hit(rule=RULE, score=1.0)])

    def reply_to(self, dialogue: Dialogue, *, hits: Sequence[Hit]) -> Reply:
        self.given += [hit.rule for hit in hits]
        state = State.ENTAILED if dialogue.turns else State.UNKNOWN
        judgement = Judgement(key="a", state=state)
        judged = JudgedRule(rule=RULE, tree=TREE, judgements=(judgement,))
        if dialogue.turns:
            return Answer(verdict=True, rule=RULE, span=LIVES.span, because=(), reading=judged)
        return Inquiry(
            question=LIVES.question,
            rule=RULE,
            condition=LIVES,
            why="it decides",
            questions_left=1,
            reading=judged,
        )


SAMPLES = [
    sample("asks", answer="Do you live in the zone?"),
    sample("answers", answer="Yes", turns=1),
    sample("abstains", answer="No", scenario="I want to drive on the beach."),
]


def test_every_kind_of_reply_becomes_a_prediction() -> None:
    report = evaluate_reading(ZoneEngine(), SAMPLES)
    said = [(each.decision, each.question, each.answer) for each in report.predictions]
    assert said == [
        ("Inquire", "Do you live in the zone?", "Do you live in the zone?"),
        ("Yes", None, "Yes"),
        ("Abstain", None, None),
    ]
    scores = report.scores
    assert (scores.overall.micro, scores.abstained, scores.missing) == (66.67, 1, 0)


def test_the_line_of_a_prediction_shows_the_conditions_and_their_states() -> None:
    (prediction,) = evaluate_reading(ZoneEngine(), SAMPLES[1:2]).predictions
    assert prediction.to_json() == {
        "utterance_id": "answers",
        "decision": "Yes",
        "question": None,
        "rule_ids": ["permit"],
        "conditions": [{"text": "live in the zone", "span": [25, 41], "state": "entailed"}],
    }


def test_written_predictions_score_the_same_when_read_back(tmp_path: Path) -> None:
    report = evaluate_reading(ZoneEngine(), SAMPLES)
    write_predictions(report.predictions, path=tmp_path / "predictions.jsonl")
    assert read_predictions(tmp_path / "predictions.jsonl") == {
        each.utterance_id: each.answer for each in report.predictions
    }


def test_closed_book_gives_the_engine_the_gold_rule() -> None:
    engine = ZoneEngine()
    gold = RuleText(rule_id="permit", text="Another text.")
    evaluate_reading(engine, SAMPLES, gold_rules={"permit": gold})
    assert engine.given == [gold, gold, gold]


def test_a_gold_rule_that_is_not_among_the_rules_is_an_error() -> None:
    with pytest.raises(DataError, match=r"gold_snippet_id: no rule has the id 'permit'"):
        evaluate_reading(ZoneEngine(), SAMPLES, gold_rules={})


def test_the_json_is_that_of_the_contract() -> None:
    shown = evaluate_reading(ZoneEngine(), SAMPLES).to_json()
    assert shown["n"] == 3
    assert {"seen", "unseen", "first_turn_with_scenario", "latency_ms"} <= shown.keys()
