from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from clausewise.retrievers.bm25 import Bm25
from clausewise.retrievers.dense import Dense
from clausewise.retrievers.hybrid import Hybrid, standardised
from clausewise.retrievers.parts import FusionWeights
from clausewise.types import Turn
from tests.retrievers.encoders import HashedWords
from tests.retrievers.rules import RULES, dialogue

ONLY_YES = FusionWeights(turn_words=0.0, turns_answered_otherwise=0.0)


def hybrid(weights: FusionWeights | None = None) -> Hybrid:
    dense = Dense.build(RULES, encoder=HashedWords())
    return Hybrid(words=Bm25.build(RULES), dense=dense, weights=weights or FusionWeights())


def first(retriever: Hybrid, *turns: Turn) -> str:
    asked = replace(dialogue("Is this for me?"), turns=turns)
    return retriever.retrieve(asked, top_k=1)[0].rule.rule_id


def test_a_follow_up_question_tells_which_rule_is_meant() -> None:
    fines = Turn(question="Were you in hospital while the books were late?", answer="Yes")
    assert first(hybrid(), fines) == "library-fines"


def test_an_answer_can_decide_how_much_its_question_counts() -> None:
    hens = Turn(question="Do your neighbours agree to hens?", answer="No")
    stall = Turn(question="Do you have a licence for street trade?", answer="yes, I do")
    assert first(hybrid(ONLY_YES), hens, stall) == "market-stall"


def test_a_part_without_weight_changes_nothing() -> None:
    asked = dialogue("Can I keep hens?", "Do you trade at the market?")
    unheard = FusionWeights(turn_words=0.0, turns_answered_yes=0.0, turns_answered_otherwise=0.0)
    scores = hybrid(unheard).scores(asked)
    assert scores == pytest.approx(hybrid().scores(replace(asked, turns=())))


def test_standardised_scores_have_mean_0_and_deviation_1() -> None:
    scores = standardised(np.array([3.0, 5.0, 10.0]))
    assert scores.mean() == pytest.approx(0)
    assert scores.std() == pytest.approx(1)


def test_scores_that_do_not_differ_say_nothing() -> None:
    assert standardised(np.full(4, 0.3)).tolist() == [0.0] * 4
