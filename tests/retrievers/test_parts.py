from __future__ import annotations

from dataclasses import replace

import pytest

from clausewise.retrievers.parts import FusionWeights
from clausewise.types import Turn
from tests.retrievers.rules import dialogue

WEIGHTS = FusionWeights(turns_answered_yes=3.0, turns_answered_otherwise=1.0)
HENS = Turn(question="Do your neighbours agree to hens?", answer="Yes, both.")
AGE = Turn(question="Are you over 18?", answer="I am 17")


def test_the_question_is_looked_for_in_the_words_of_rules_and_counts_more_than_the_scenario() -> (
    None
):
    (said,) = WEIGHTS.word_parts(dialogue("May I keep hens?", scenario="I have a garden."))
    question, scenario = said.texts
    assert question.text == "you may keep hens"
    assert scenario.text == "I have a garden."
    assert question.weight > scenario.weight > 0


def test_follow_up_questions_are_a_part_of_their_own() -> None:
    asked = replace(dialogue("May I keep hens?"), turns=(HENS, AGE))
    _, turns = WEIGHTS.word_parts(asked)
    assert [text.text for text in turns.texts] == [HENS.question, AGE.question]
    assert turns.weight == WEIGHTS.turn_words


def test_question_and_scenario_are_compared_together_and_apart() -> None:
    parts = WEIGHTS.vector_parts(dialogue("May I keep hens?", scenario="I have a garden."))
    assert [part.texts for part in parts] == [
        ("May I keep hens?",),
        ("May I keep hens? I have a garden.",),
        ("I have a garden.",),
    ]


def test_a_scenario_that_is_not_there_is_no_part() -> None:
    parts = WEIGHTS.vector_parts(dialogue("May I keep hens?", scenario="  "))
    assert [part.texts for part in parts] == [("May I keep hens?",)] * 2


def test_the_answer_decides_how_much_a_turn_counts() -> None:
    asked = replace(dialogue("May I keep hens?"), turns=(HENS, AGE))
    turns = WEIGHTS.vector_parts(asked)[-1]
    assert turns.shares == pytest.approx((0.75, 0.25))
    assert turns.weight == pytest.approx(2.0)


def test_parts_without_weight_are_left_out() -> None:
    unheard = FusionWeights(
        question=0.0, scenario=0.0, turns_answered_yes=0.0, turns_answered_otherwise=0.0
    )
    asked = replace(dialogue("May I keep hens?", scenario="I have a garden."), turns=(HENS,))
    (both,) = unheard.vector_parts(asked)
    assert both.texts == ("May I keep hens? I have a garden.",)
