from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pytest
from numpy.typing import NDArray

from clausewise.encoder.pairs import OnnxPairs
from clausewise.encoder.places import shipped_model
from clausewise.readers.lexical import LexicalJudge
from clausewise.readers.neural import NeuralJudge
from clausewise.trees.values import State
from clausewise.types import Dialogue, Judgement, Turn, WordsFrom
from tests.fakes import permit_tree

CONDITIONS = permit_tree().conditions
QUESTION = "Can I get a second permit?"


class KeywordLabeller:
    """Takes words for facts: 'zone' settles the first condition, 'vans' denies the second."""

    def __init__(self) -> None:
        self.pairs: list[tuple[str, str]] = []

    def probabilities(self, pairs: Sequence[tuple[str, str]]) -> NDArray[np.float64]:
        self.pairs += pairs
        return np.array([self._label(*pair) for pair in pairs]).reshape(-1, 3)

    def _label(self, question: str, said: str) -> tuple[float, float, float]:
        if "zone" in question and "zone 4" in said:
            return (0.9, 0.0, 0.1)
        if "cars" in question and "vans" in said:
            return (0.0, 0.8, 0.2)
        return (0.1, 0.1, 0.8)


def _judge(dialogue: Dialogue) -> tuple[dict[str, Judgement], KeywordLabeller]:
    model = KeywordLabeller()
    judgements = NeuralJudge(answers=LexicalJudge(), model=model).judge(
        CONDITIONS, dialogue=dialogue
    )
    return {judgement.key: judgement for judgement in judgements}, model


def test_the_scenario_settles_conditions_and_the_words_that_did_are_cited() -> None:
    scenario = "Hello there. My flat is in zone 4. We only have vans. Thanks!"
    judged, _ = _judge(Dialogue(question=QUESTION, scenario=scenario))
    assert judged["a"].state is State.ENTAILED
    assert judged["b"].state is State.CONTRADICTED
    assert judged["c"] == Judgement(key="c", state=State.UNKNOWN, probability=0.8)
    assert judged["a"].words is not None
    assert judged["a"].words.said_in is WordsFrom.SCENARIO
    assert judged["a"].words.text == "My flat is in zone 4."
    assert judged["b"].words is not None
    assert judged["b"].words.text == "We only have vans."


def test_a_fact_that_is_said_twice_is_cited_twice() -> None:
    scenario = "My flat is in zone 4. Yes, zone 4. Nothing else."
    judged, _ = _judge(Dialogue(question=QUESTION, scenario=scenario))
    assert judged["a"].words is not None
    assert judged["a"].words.text == "My flat is in zone 4. Yes, zone 4."


def test_an_answer_to_a_condition_needs_no_model() -> None:
    turns = (Turn(question="Do you live in the zone?", answer="yes"),)
    judged, model = _judge(Dialogue(question=QUESTION, turns=turns))
    assert judged["a"].state is State.ENTAILED
    assert model.pairs == []


def test_a_free_answer_is_read_for_every_open_condition() -> None:
    turns = (Turn(question="Do you rent?", answer="My flat is in zone 4"),)
    judged, _ = _judge(Dialogue(question=QUESTION, turns=turns))
    assert judged["a"].state is State.ENTAILED
    assert judged["a"].words is not None
    assert judged["a"].words.said_in is WordsFrom.ANSWER
    assert judged["a"].words.question == "Do you rent?"


def test_what_stands_behind_a_yes_or_a_no_is_not_read_without_its_question() -> None:
    turns = (Turn(question="Do you rent?", answer="no, but I know zone 4"),)
    judged, _ = _judge(Dialogue(question=QUESTION, turns=turns))
    assert judged["a"].state is State.UNKNOWN


def test_what_the_person_does_not_know_stays_unknown() -> None:
    turns = (Turn(question="Do you live in the zone?", answer="don't know"),)
    dialogue = Dialogue(question=QUESTION, scenario="Is zone 4 a zone?", turns=turns)
    judged, _ = _judge(dialogue)
    assert judged["a"].state is State.UNKNOWN


def test_nothing_said_is_nothing_read() -> None:
    judged, model = _judge(Dialogue(question=QUESTION))
    assert {judgement.state for judgement in judged.values()} == {State.UNKNOWN}
    assert model.pairs == []


def _shipped() -> OnnxPairs:
    folder = shipped_model("judge")
    if folder is None:
        pytest.fail("models/judge is not there: it ships with the repository")
    return OnnxPairs.load(folder)


def test_the_shipped_model_reads_plain_statements() -> None:
    pairs = [
        ("Do you live in Spain?", "I have lived in Madrid since 2010."),
        ("Do you live in Spain?", "I live in Norway and have never been to Spain."),
        ("Do you live in Spain?", "My cat is called Oscar."),
    ]
    found = _shipped().probabilities(pairs).argmax(axis=1)
    assert list(found) == [0, 1, 2]


def test_the_shipped_model_says_the_same_of_a_pair_alone_and_among_others() -> None:
    model = _shipped()
    pairs = [
        ("Are you over 60?", "I'm 71 years old."),
        ("Do you own a car?", "I ride a bike. " * 9),
    ]
    together = model.probabilities(pairs)
    fresh = _shipped()
    alone = np.vstack([fresh.probabilities([pair]) for pair in pairs])
    assert np.array_equal(together, alone)
    assert np.allclose(together.sum(axis=1), 1)


def test_an_answer_to_a_foreign_question_is_read_as_the_statement_that_it_makes() -> None:
    turns = (Turn(question="Is your house part of zone 4?", answer="yes"),)
    judged, _ = _judge(Dialogue(question=QUESTION, turns=turns))
    assert judged["a"].state is State.ENTAILED
    assert judged["a"].words is not None
    assert judged["a"].words.text == "yes"
    assert judged["a"].words.question == "Is your house part of zone 4?"


def test_an_answer_to_a_foreign_question_says_nothing_where_it_is_no_yes_and_no_no() -> None:
    turns = (Turn(question="Is your house part of zone 4?", answer="don't know"),)
    judged, _ = _judge(Dialogue(question=QUESTION, turns=turns))
    assert judged["a"].state is State.UNKNOWN
