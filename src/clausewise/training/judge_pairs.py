"""What a judge learns from: questions about conditions, and things that people say.

Statements of reviewed trees settle their condition, alone or among others; statements about its
siblings and about other rules don't. Most pairs in life are of that kind, so most pairs here are.
"""

from __future__ import annotations

import gzip
import json
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from clausewise.errors import DataError, Where
from clausewise.trees.values import Condition, State

if TYPE_CHECKING:
    import random
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
    paraphrases: float = 0.3
    """How often the question stands in another wording, where there is one."""


def pairs_of(trees: Sequence[RuleTree], *, mix: PairMix, lot: random.Random) -> list[JudgedPair]:
    """Return pairs for every condition of the trees, drawn by lot."""
    strangers = [s for tree in trees for one in tree.conditions for s in (*one.yes, *one.no)]
    return [
        pair
        for tree in trees
        for condition in tree.conditions
        for pair in _of_condition(condition, tree=tree, strangers=strangers, mix=mix, lot=lot)
    ]


def _of_condition(
    condition: Condition,
    *,
    tree: RuleTree,
    strangers: Sequence[str],
    mix: PairMix,
    lot: random.Random,
) -> list[JudgedPair]:
    siblings = [s for one in tree.conditions if one is not condition for s in (*one.yes, *one.no)]

    def noise(count: int) -> list[str]:
        return [
            lot.choice(siblings if siblings and lot.random() < mix.siblings else strangers)
            for _ in range(count)
        ]

    pairs = []
    for state, statements in ((State.ENTAILED, condition.yes), (State.CONTRADICTED, condition.no)):
        for statement in statements:
            (count,) = lot.choices(range(len(mix.noise)), weights=mix.noise)
            said = [statement, *noise(count)]
            lot.shuffle(said)
            pairs.append(_pair(condition, said=said, state=state, mix=mix, lot=lot))
    for _ in range(mix.unknown):
        said = noise(lot.choice((1, 1, 2, 2, 3)))
        pairs.append(_pair(condition, said=said, state=State.UNKNOWN, mix=mix, lot=lot))
    return pairs


def _pair(
    condition: Condition, *, said: Sequence[str], state: State, mix: PairMix, lot: random.Random
) -> JudgedPair:
    question = condition.question
    if condition.paraphrases and lot.random() < mix.paraphrases:
        question = lot.choice(condition.paraphrases)
    return JudgedPair(question=question, said=" ".join(map(_ended, said)), state=state)


def _ended(sentence: str) -> str:
    return sentence if sentence.endswith((".", "!", "?")) else f"{sentence}."


def read_inference(path: Path, *, count: int, lot: random.Random) -> list[JudgedPair]:
    """Return `count` pairs of a file of premises and hypotheses, drawn by lot."""
    try:
        with gzip.open(path, "rt", encoding="utf-8") as lines:
            rows = [json.loads(line) for line in lines]
    except (OSError, ValueError) as error:
        message = f"can't be read ({error}), expected JSON lines, gzipped"
        raise DataError(message, where=Where(file=str(path))) from error
    known = [row for row in rows if row["label"] in _OF_INFERENCE]
    return [
        JudgedPair(
            question=row["hypothesis"], said=row["premise"], state=_OF_INFERENCE[row["label"]]
        )
        for row in lot.sample(known, min(count, len(known)))
    ]
