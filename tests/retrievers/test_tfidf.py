from __future__ import annotations

import math

import pytest

from clausewise.retrievers.tfidf import Tfidf
from clausewise.types import RuleText
from tests.retrievers.rules import RULES, dialogue


def test_the_score_is_the_product_of_drqas_two_vectors() -> None:
    rules = [RuleText(rule_id=str(n), text=text) for n, text in enumerate(["hens hens", "a", "b"])]
    (hit,) = Tfidf.build(rules).retrieve(dialogue("hens"), top_k=5)
    idf = math.log((3 - 1 + 0.5) / (1 + 0.5))
    assert hit.score == pytest.approx(math.log(2 + 1) * idf * math.log(1 + 1) * idf)


def test_a_word_of_most_rules_counts_nothing() -> None:
    assert Tfidf.build(RULES[:3]).retrieve(dialogue("live in town"), top_k=5) == ()


def test_the_scenario_counts_as_much_as_the_question() -> None:
    retriever = Tfidf.build(RULES)
    asked = retriever.retrieve(dialogue("hens"), top_k=1)
    told = retriever.retrieve(dialogue("", scenario="hens"), top_k=1)
    assert asked == told


def test_turns_are_not_looked_at() -> None:
    retriever = Tfidf.build(RULES)
    plain = retriever.retrieve(dialogue("hens"), top_k=5)
    assert retriever.retrieve(dialogue("hens", "Do you hold a licence?"), top_k=5) == plain
