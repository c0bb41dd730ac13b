from __future__ import annotations

from dataclasses import replace

from clausewise.engine import Engine
from clausewise.readers.compiled import CompiledReader
from clausewise.types import Abstention, Answer, Dialogue, Inquiry, Turn, WhyAbstained
from tests.fakes import (
    PERMIT,
    AnswerJudge,
    FixedCompiler,
    FixedCoverage,
    FixedRetriever,
    permit_tree,
)

QUESTION = Dialogue(question="Can I get a second permit?")


def _engine(*, probability: float = 1.0, rules: tuple[object, ...] | None = None) -> Engine:
    return Engine(
        retriever=FixedRetriever() if rules is None else FixedRetriever(rules=()),
        coverage=FixedCoverage(probability=probability),
        reader=CompiledReader(judge=AnswerJudge(), compiler=FixedCompiler(tree=permit_tree())),
        top_k=5,
        minimum_coverage=0.5,
    )


def _answered(**answers: str) -> Dialogue:
    questions = {"a": "Do you live in the zone?", "b": "Do you own two cars?", "c": "Do you rent?"}
    turns = tuple(Turn(question=questions[key], answer=said) for key, said in answers.items())
    return replace(QUESTION, turns=turns)


def test_it_asks_while_the_rule_is_open() -> None:
    reply = _engine().reply(QUESTION)
    assert isinstance(reply, Inquiry)
    assert reply.question == reply.condition.question
    assert reply.questions_left == 3
    assert reply.rule == PERMIT


def test_it_answers_with_the_clause_and_the_persons_words() -> None:
    reply = _engine().reply(_answered(a="no"))
    assert isinstance(reply, Answer)
    assert not reply.verdict
    assert reply.clause == "you live in the zone"
    assert [item.words.text for item in reply.because] == ["no"]


def test_it_abstains_where_nothing_covers_the_question() -> None:
    reply = _engine(probability=0.4).reply(QUESTION)
    assert reply == Abstention(why=WhyAbstained.NOT_COVERED, closest=(PERMIT,))


def test_it_abstains_where_nothing_is_found() -> None:
    assert _engine(rules=()).reply(QUESTION) == Abstention(why=WhyAbstained.NOT_COVERED, closest=())


def test_it_says_what_is_missing_where_the_person_does_not_know() -> None:
    reply = _engine().reply(_answered(a="don't know", b="don't know", c="don't know"))
    assert isinstance(reply, Abstention)
    assert reply.why is WhyAbstained.NOT_KNOWN
    assert [item.key for item in reply.open_conditions] == ["a", "b", "c"]


def test_the_same_dialogue_gets_the_same_reply() -> None:
    engine = _engine()
    assert engine.reply(_answered(a="yes")) == engine.reply(_answered(a="yes"))
