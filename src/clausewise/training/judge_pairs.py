"""What a judge learns from: questions about conditions, and things that people say.

Statements of reviewed trees settle their condition, alone or among others; statements about its
siblings and about other rules don't. Most pairs in life are of that kind, so most pairs here are.
"""

from __future__ import annotations

import gzip
import json
import random
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from clausewise.datasets.dialogue_config import DialogueConfig
from clausewise.datasets.scenarios import ScenarioWriter
from clausewise.errors import DataError, Where
from clausewise.readers.neural import asked_for
from clausewise.readers.restated import restated
from clausewise.training.changed_numbers import changed_number
from clausewise.trees.logic import Logic, Or, names, parts_of
from clausewise.trees.values import Condition, State

if TYPE_CHECKING:
    from pathlib import Path

    from clausewise.trees.tree import RuleTree

_OF_INFERENCE = {
    "entailment": State.ENTAILED,
    "contradiction": State.CONTRADICTED,
    "neutral": State.UNKNOWN,
}


@dataclass(frozen=True, slots=True, kw_only=True)
class JudgedPair:
    """A question, something said, and what the one means for the other."""

    question: str
    said: str
    state: State


@dataclass(frozen=True, slots=True, kw_only=True)
class PairMix:
    """How pairs are put together."""

    noise: tuple[float, ...] = (0.4, 0.4, 0.2)
    """How often 0, 1, 2 ... statements that settle something else stand around one that does."""
    unknown: int = 6
    """How many pairs a condition gets that don't settle it; six settle it."""
    siblings: float = 0.55
    """How often a statement that settles something else is about a condition of the same rule."""
    chatter: float = 0.1
    """How often a pair that doesn't settle its condition only says what it is about."""
    paraphrases: float = 0.3
    """How often the question stands in another wording, where there is one."""
    about: float = 0.8
    """How often the person's own question stands before that of the condition."""
    written: float = 0.5
    """How often statements are put into a scenario, with what people say around facts."""
    restated: float = 0.5
    """How often a condition gets a pair that settles it in the words of its own question."""
    changed: int = 2
    """How many more pairs a statement gives whose one number can be changed."""

    alternatives: bool = False
    """Whether a statement that one of several alternatives holds leaves the others open. Often
    they exclude each other (who is in France is not in Malta), and nobody has marked which do, so
    by default such pairs are not made."""

    def as_written(self) -> PairMix:
        """Return the mix for measuring, whatever is learned from: of people's statements alone.

        Alternatives count as open here, so that leaving them out of training doesn't raise a score.
        """
        return replace(self, restated=0.0, changed=0, alternatives=True)


def pairs_of(trees: Sequence[RuleTree], *, mix: PairMix, lot: random.Random) -> list[JudgedPair]:
    """Return pairs for every condition of the trees, drawn by lot."""
    maker = _PairMaker(trees, mix=mix, lot=lot)
    return [pair for tree in trees for one in tree.conditions for pair in maker.pairs(one, tree)]


class _PairMaker:
    def __init__(self, trees: Sequence[RuleTree], *, mix: PairMix, lot: random.Random) -> None:
        self._mix = mix
        self._lot = lot
        self._strangers = [
            said for tree in trees for one in tree.conditions for said in self._all(one)
        ]
        self._writer = ScenarioWriter(trees, config=DialogueConfig())

    def pairs(self, condition: Condition, tree: RuleTree) -> Iterator[JudgedPair]:
        """Yield the pairs of one condition."""
        siblings = self._siblings(condition, tree=tree)
        settling = {State.ENTAILED: condition.yes, State.CONTRADICTED: condition.no}
        for state, statements in settling.items():
            for statement in statements:
                (count,) = self._lot.choices(range(len(self._mix.noise)), weights=self._mix.noise)
                said = [statement, *self._noise(count, siblings=siblings)]
                yield self._pair(condition, tree=tree, said=self._said(said, tree), state=state)
        yield from self._restated(condition, tree=tree, siblings=siblings)
        yield from self._changed(condition, tree=tree)
        for _ in range(self._mix.unknown):
            said = self._noise(self._lot.choice((1, 1, 2, 2, 3)), siblings=siblings)
            text = self._said(said, tree)
            if self._lot.random() < self._mix.chatter:
                text = self._writer.chatter(tree=tree, rng=self._lot)
            yield self._pair(condition, tree=tree, said=text, state=State.UNKNOWN)

    def _siblings(self, condition: Condition, *, tree: RuleTree) -> list[str]:
        """Return what people say of the other conditions that leaves this one open."""
        found: list[str] = []
        for one in tree.conditions:
            if one is condition:
                continue
            open_too = self._mix.alternatives or not are_alternatives(
                one.key, condition.key, logic=tree.logic
            )
            found += self._all(one) if open_too else self._of(one, holds=False)
        return found

    def _all(self, condition: Condition) -> tuple[str, ...]:
        """Return what people say that settles the condition."""
        return (*self._of(condition, holds=True), *self._of(condition, holds=False))

    def _of(self, condition: Condition, *, holds: bool) -> tuple[str, ...]:
        written = condition.yes if holds else condition.no
        own = restated(condition.question, holds=holds) if self._mix.restated else None
        return (*written, own) if own else written

    def _restated(
        self, condition: Condition, *, tree: RuleTree, siblings: Sequence[str]
    ) -> Iterator[JudgedPair]:
        for state in (State.ENTAILED, State.CONTRADICTED):
            statement = restated(condition.question, holds=state is State.ENTAILED)
            if statement and self._lot.random() < self._mix.restated:
                (count,) = self._lot.choices(range(len(self._mix.noise)), weights=self._mix.noise)
                said = [statement, *self._noise(count, siblings=siblings)]
                yield self._pair(condition, tree=tree, said=self._said(said, tree), state=state)

    def _changed(self, condition: Condition, *, tree: RuleTree) -> Iterator[JudgedPair]:
        settling = {State.ENTAILED: condition.yes, State.CONTRADICTED: condition.no}
        for state, statements in settling.items():
            for statement in (one for one in statements for _ in range(self._mix.changed)):
                other = changed_number(statement, condition=condition, state=state, lot=self._lot)
                if other is not None:
                    said = self._said([other.text], tree)
                    yield self._pair(condition, tree=tree, said=said, state=other.state)

    def _noise(self, count: int, *, siblings: Sequence[str]) -> list[str]:
        lot = self._lot
        return [
            lot.choice(
                siblings if siblings and lot.random() < self._mix.siblings else self._strangers
            )
            for _ in range(count)
        ]

    def _said(self, sentences: Sequence[str], tree: RuleTree) -> str:
        ended = [_ended(sentence) for sentence in sentences]
        if self._lot.random() < self._mix.written:
            return self._writer.written(ended, tree=tree, rng=self._lot)
        self._lot.shuffle(ended)
        return " ".join(ended)

    def _pair(self, condition: Condition, *, tree: RuleTree, said: str, state: State) -> JudgedPair:
        question, about = condition.question, ""
        if condition.paraphrases and self._lot.random() < self._mix.paraphrases:
            question = self._lot.choice(condition.paraphrases)
        if tree.questions and self._lot.random() < self._mix.about:
            about = self._lot.choice(tree.questions)
        return JudgedPair(question=asked_for(question, about=about), said=said, state=state)


def are_alternatives(one: str, other: str, *, logic: Logic) -> bool:
    """Say whether the innermost part of the logic that names both conditions is an `or`."""
    for part in parts_of(logic):
        if {one, other} <= set(names(part)):
            return are_alternatives(one, other, logic=part)
    return isinstance(logic, Or)


def _ended(sentence: str) -> str:
    return sentence if sentence.endswith((".", "!", "?")) else f"{sentence}."


def read_inference(path: Path, *, count: int, epoch: int, seed: int) -> list[JudgedPair]:
    """Return `count` pairs of a file of premises and hypotheses: others in every epoch.

    When all of them have been drawn, they are drawn again.
    """
    try:
        with gzip.open(path, "rt", encoding="utf-8") as lines:
            rows = [json.loads(line) for line in lines]
    except (OSError, ValueError) as error:
        message = f"can't be read ({error}), expected JSON lines, gzipped"
        raise DataError(message, where=Where(file=str(path))) from error
    known = [row for row in rows if row["label"] in _OF_INFERENCE]
    random.Random(seed).shuffle(known)  # noqa: S311 - nothing here is secret
    return [
        JudgedPair(
            question=row["hypothesis"], said=row["premise"], state=_OF_INFERENCE[row["label"]]
        )
        for place in range(epoch * count, (epoch + 1) * count)
        for row in [known[place % len(known)]]
    ]
