from __future__ import annotations

import pytest

from clausewise.datasets.orsharc import Gold, Sample
from clausewise.evaluation.asking import asking_cases, evaluate_asking, written
from clausewise.trees.values import Span
from clausewise.types import Dialogue, RuleText
from tests.fakes import PERMIT, permit_tree

pytest.importorskip("spacy", reason="BLEU needs the eval extra")


class ExactAsker:
    """Asks about the first condition as people do, about the others nonsense."""

    def ask(self, span: Span, *, rule: RuleText) -> str:
        zone = span.cut(rule.text) == "you live in the zone"
        return "Do you live in the zone?" if zone else "What is blue?"


def _sample(answer: str, *, seen: bool = False) -> Sample:
    gold = Gold(answer=answer, rule_id=PERMIT.rule_id, seen=seen)
    dialogue = Dialogue(question="Can I get a second permit?")
    return Sample(utterance_id=answer, dialogue=dialogue, gold=gold)


def test_a_question_is_traced_to_the_condition_that_it_asks_about() -> None:
    (case,) = asking_cases([_sample("do you live in that zone")], trees=[permit_tree()])
    assert case.condition.key == "a"


def test_decisions_and_foreign_questions_are_not_counted() -> None:
    samples = [_sample("Yes"), _sample("Is the moon full tonight, or only nearly so?")]
    report = evaluate_asking(ExactAsker(), samples, trees=[permit_tree()])
    assert (report.n, report.asked) == (0, 1)


def test_the_same_question_as_peoples_gets_full_marks() -> None:
    samples = [_sample("Do you live in the zone?"), _sample("Do you rent?", seen=True)]
    report = evaluate_asking(ExactAsker(), samples, trees=[permit_tree()])
    assert report.n == 2
    assert report.unseen_bleu[0] == 100.0
    assert report.bleu[0] < 100.0
    assert report.to_json()["n"] == 2


def test_every_case_has_its_question_and_the_right_one() -> None:
    cases = asking_cases([_sample("Do you rent?")], trees=[permit_tree()])
    assert written(ExactAsker(), cases) == [("What is blue?", "Do you rent?")]
