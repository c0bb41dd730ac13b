from __future__ import annotations

import pytest

from clausewise.retrievers.bm25 import Bm25
from clausewise.retrievers.conversational import Conversational
from clausewise.retrievers.coverage import LexicalCoverage
from clausewise.types import Dialogue
from tests.retrievers.rules import RULES, dialogue


def coverage(asked: Dialogue, *, even_share: float = 0.39) -> float:
    hits = Conversational(Bm25.build(RULES)).retrieve(asked, top_k=5)
    return LexicalCoverage(RULES, even_share=even_share).covers(asked, hits=hits)


@pytest.mark.parametrize(
    "question",
    ["", "hello", "please help", "What is the capital of Peru?", "how do I bake bread", "???"],
)
def test_a_foreign_question_is_not_covered(question: str) -> None:
    assert coverage(dialogue(question)) < 0.5


@pytest.mark.parametrize(
    "question",
    [
        "Can I keep hens on my allotment?",
        "Do I have to pay a fine for late books?",
        "What do I need for a stall on the market?",
    ],
)
def test_a_question_in_the_words_of_a_rule_is_covered(question: str) -> None:
    assert 0.5 <= coverage(dialogue(question)) <= 1


def test_a_scenario_full_of_foreign_words_does_not_matter() -> None:
    plain = coverage(dialogue("May I keep hens?"))
    assert coverage(dialogue("May I keep hens?", scenario="My zeppelin is green.")) == plain


def test_a_follow_up_question_keeps_the_dialogue_covered() -> None:
    assert coverage(dialogue("Shall we dance?", "Were you in hospital?")) >= 0.5


def test_without_hits_nothing_is_covered() -> None:
    assert LexicalCoverage(RULES).covers(dialogue("May I keep hens?"), hits=()) == 0


def test_questions_of_reviewed_trees_widen_what_is_covered() -> None:
    asked = dialogue("Could I raise poultry on an allotment?")
    hits = Bm25.build(RULES).retrieve(asked, top_k=5)
    plain = LexicalCoverage(RULES).covers(asked, hits=hits)
    extra = {"allotment-hens": ("Am I allowed to raise poultry?",)}
    assert LexicalCoverage(RULES, extra_texts=extra).covers(asked, hits=hits) > plain


def test_a_higher_even_share_abstains_more() -> None:
    asked = dialogue("Is my zeppelin allowed on an allotment with hens?")
    assert coverage(asked, even_share=0.9) < coverage(asked, even_share=0.2)
