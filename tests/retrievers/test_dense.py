from __future__ import annotations

import pytest

from clausewise.retrievers.dense import Dense
from clausewise.retrievers.dprpp import DprPlusPlus
from clausewise.retrievers.tfidf import Tfidf
from tests.retrievers.encoders import HashedWords
from tests.retrievers.rules import RULES, dialogue


def test_scores_are_inner_products_with_question_and_scenario() -> None:
    encoder = HashedWords()
    dense = Dense.build(RULES, encoder=encoder)
    hit = dense.retrieve(dialogue("Can I keep hens?", scenario="I rent an allotment."), top_k=1)[0]
    question, rule = encoder.encode(
        ["Can I keep hens? I rent an allotment.", f"# {hit.rule.title}\n\n{hit.rule.text}"]
    )
    assert hit.score == pytest.approx(float(question @ rule), abs=1e-6)


def test_similarities_to_some_rules_are_those_among_all() -> None:
    dense = Dense.build(RULES, encoder=HashedWords())
    some = dense.similarities_to([RULES[3].rule_id, RULES[0].rule_id], texts=["hens", "books"])
    assert some == pytest.approx(dense.similarities(["hens", "books"])[:, [3, 0]])


def test_the_turns_are_not_listened_to() -> None:
    dense = Dense.build(RULES, encoder=HashedWords())
    question = "Can I keep hens?"
    with_turns = dense.retrieve(dialogue(question, "Do you trade at the market?"), top_k=3)
    assert with_turns == dense.retrieve(dialogue(question), top_k=3)


def test_dpr_plus_plus_adds_weighted_inner_products_to_tf_idf() -> None:
    tfidf, dense = Tfidf.build(RULES), Dense.build(RULES, encoder=HashedWords())
    asked = dialogue("Can I keep hens on my allotment?")
    both = DprPlusPlus(tfidf=tfidf, dense=dense, weight=3.0).retrieve(asked, top_k=1)[0]
    (words,) = tfidf.retrieve(asked, top_k=1)
    (vectors,) = dense.retrieve(asked, top_k=1)
    assert both.rule == words.rule == vectors.rule
    assert both.score == pytest.approx(words.score + 3.0 * vectors.score)
