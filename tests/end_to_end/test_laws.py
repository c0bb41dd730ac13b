"""Laws of the engine that ships, over dialogues that are simulated from the demonstration rules."""

from __future__ import annotations

import functools

import pytest

from clausewise.build import build_engine, build_judge
from clausewise.cli.load import Body
from clausewise.config import EngineConfig
from clausewise.datasets.dialogues import simulate
from clausewise.datasets.orsharc import read_samples
from clausewise.engine import Engine
from clausewise.evaluation.faithfulness import citations
from clausewise.evaluation.laws import (
    Case,
    permuted,
    proven,
    repeated,
    reworded,
    said,
    silent,
    with_another_engine,
)
from clausewise.types import Dialogue, RuleText
from tests.data import DATA, needs_data

HOW_MANY = 80
BEES = RuleText(
    rule_id="hobbies#bees",
    title="Bees > Selling honey",
    text="You can sell honey at the bee fair if your hives were looked at this spring.",
)


@functools.cache
def _body() -> Body:
    return Body.load(None)


@functools.cache
def _shared() -> Engine:
    return _engine()


def _engine(*more: RuleText) -> Engine:
    rules = (*_body().knowledge.rules, *more)
    return build_engine(rules, trees=_body().trees, config=EngineConfig())


@functools.cache
def _cases() -> tuple[Case, ...]:
    samples = simulate(_body().trees, count=HOW_MANY, seed=5)
    dialogues = [one.sample.dialogue for one in samples]
    return said(_shared(), dialogues)


def test_the_dialogues_are_many_and_many_are_decided() -> None:
    assert len(_cases()) == HOW_MANY
    assert sum(case.decided for case in _cases()) >= HOW_MANY // 3


def test_every_answer_follows_from_the_proof_that_it_shows() -> None:
    assert proven(_cases()).broken == ()


def test_the_same_dialogue_gets_the_same_reply_from_another_engine_alike() -> None:
    assert repeated(_cases(), engine=_engine()).broken == ()


def test_the_order_of_the_turns_hardly_matters() -> None:
    assert permuted(_cases(), engine=_shared()).percent <= 2


def test_a_yes_is_a_yes_in_other_words() -> None:
    assert reworded(_cases()[:40], engine=_shared()).broken == ()


def test_who_tells_nothing_gets_no_answer() -> None:
    assert silent((case.dialogue for case in _cases()), engine=_shared()).broken == ()


def test_a_rule_about_something_else_hardly_changes_what_is_decided() -> None:
    tally = with_another_engine("with a rule about bees", _cases(), engine=_engine(BEES))
    assert tally.percent <= 1


def test_the_cited_words_are_those_that_settled_it() -> None:
    found = citations(_cases(), judge=build_judge("neural"))
    assert found
    assert sum(one.faithful for one in found) >= 0.9 * len(found)


@pytest.mark.data
@needs_data
def test_every_answer_to_the_development_set_follows_from_its_proof() -> None:
    body = Body.load(DATA / "or_sharc" / "rules.json", trees=[DATA / "trees" / "or_sharc.jsonl"])
    samples = read_samples(DATA / "or_sharc" / "dev.jsonl")[::5]
    engine = body.engine(EngineConfig(retriever="bm25"))
    cases = said(engine, (sample.dialogue for sample in samples))
    assert sum(case.decided for case in cases) >= 50
    assert proven(cases).broken == ()


def test_an_answer_to_what_nobody_asked_settles_nothing() -> None:
    question = _cases()[0].dialogue.question
    unknown = [Dialogue(question=question, scenario=told) for told in ("", "Hello!", "I like tea.")]
    assert not any(case.decided for case in said(_shared(), unknown))
