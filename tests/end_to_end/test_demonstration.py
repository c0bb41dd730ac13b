"""Whoever answers yes or no gets the exactly right answer from the demonstration rules."""

from __future__ import annotations

import functools
from collections.abc import Iterator
from dataclasses import dataclass

import pytest

from clausewise.cli.load import Body
from clausewise.config import EngineConfig
from clausewise.engine import Engine
from clausewise.trees.evaluate import evaluate
from clausewise.trees.tree import RuleTree
from clausewise.trees.values import State
from clausewise.types import Answer, Dialogue, Inquiry, Reply, Turn

MOST_PATHS = 64


@functools.cache
def _body() -> Body:
    return Body.load(None)


@functools.cache
def _engine() -> Engine:
    return _body().engine(EngineConfig(reader="compiled"))


@dataclass(frozen=True, slots=True, kw_only=True)
class Path:
    """One way through a conversation, to its end."""

    dialogue: Dialogue
    asked: tuple[Inquiry, ...]
    reply: Reply


def _paths(dialogue: Dialogue, asked: tuple[Inquiry, ...] = ()) -> Iterator[Path]:
    reply = _engine().reply(dialogue)
    if not isinstance(reply, Inquiry):
        yield Path(dialogue=dialogue, asked=asked, reply=reply)
        return
    for said in ("yes", "no"):
        turn = Turn(question=reply.question, answer=said)
        longer = Dialogue(question=dialogue.question, turns=(*dialogue.turns, turn))
        yield from _paths(longer, (*asked, reply))


def _states(tree: RuleTree, path: Path) -> dict[str, State]:
    states = dict.fromkeys(tree.keys, State.UNKNOWN)
    for inquiry, turn in zip(path.asked, path.dialogue.turns, strict=True):
        states[inquiry.condition.key] = State.of(turn.answer == "yes")
    return states


@pytest.mark.parametrize("tree", _body().trees, ids=lambda tree: tree.rule_id)
def test_every_path_of_yes_and_no_ends_exactly_right(tree: RuleTree) -> None:
    paths = _paths(Dialogue(question=tree.questions[0]))
    for path in (path for _, path in zip(range(MOST_PATHS), paths, strict=False)):
        assert isinstance(path.reply, Answer)
        assert path.reply.rule.rule_id == tree.rule_id
        assert State.of(path.reply.verdict) is evaluate(tree.logic, _states(tree, path))
        assert {inquiry.rule.rule_id for inquiry in path.asked} == {tree.rule_id}
        assert len({inquiry.question for inquiry in path.asked}) == len(path.asked)
        assert len(path.asked) <= path.asked[0].questions_left
        for item in path.reply.because:
            assert item.condition.span.cut(path.reply.rule.text) == item.condition.text


@pytest.mark.parametrize("tree", _body().trees, ids=lambda tree: tree.rule_id)
def test_every_wording_of_the_question_finds_the_rule(tree: RuleTree) -> None:
    for question in tree.questions:
        reply = _engine().reply(Dialogue(question=question))
        assert isinstance(reply, Inquiry)
        assert reply.rule.rule_id == tree.rule_id


def test_every_rule_text_has_a_tree_questions_statements_and_a_test() -> None:
    body = _body()
    assert len(body.knowledge) >= 120
    assert {tree.rule_id for tree in body.trees} == {rule.rule_id for rule in body.knowledge}
    for tree in body.trees:
        assert len(tree.questions) == 3
        assert tree.tests
        assert all(len(item.yes) == len(item.no) == 3 for item in tree.conditions)


def test_every_rule_text_has_25_to_120_words() -> None:
    for rule in _body().knowledge:
        words = rule.text.partition("\n")[2].split()
        assert 25 <= len(words) <= 120, rule.rule_id
