from __future__ import annotations

from clausewise.retrievers.bm25 import Bm25
from clausewise.retrievers.conversational import Conversational
from clausewise.retrievers.query import PartWeights
from clausewise.types import Dialogue, Turn
from tests.retrievers.rules import RULES, dialogue


def first(retriever: Conversational, asked: Dialogue) -> str:
    return retriever.retrieve(asked, top_k=1)[0].rule.rule_id


def test_the_first_turn_is_found_as_without_a_dialogue() -> None:
    scorer = Bm25.build(RULES)
    asked = dialogue("Can I have an allotment?", scenario="I am 30.")
    assert Conversational(scorer).retrieve(asked, top_k=5) == scorer.retrieve(asked, top_k=5)


def test_a_follow_up_question_tells_which_rule_it_is_about() -> None:
    retriever = Conversational(Bm25.build(RULES))
    assert first(retriever, dialogue("Will the library forgive me?")) == "library-card"
    asked = dialogue("Will the library forgive me?", "Were you in hospital?")
    assert first(retriever, asked) == "library-fines"


def test_answers_are_looked_at_only_where_they_have_a_weight() -> None:
    turn = Turn(question="Which one?", answer="the one about the fines for late books")
    asked = Dialogue(question="Will the library forgive me?", turns=(turn,))
    scorer = Bm25.build(RULES)
    assert first(Conversational(scorer), asked) == "library-card"
    listening = Conversational(scorer, weights=PartWeights(answers=1.0))
    assert first(listening, asked) == "library-fines"
