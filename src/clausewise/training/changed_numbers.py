"""Statements of reviewed trees with another number in them, and what they say then.

A statement that gives one number, about a condition that sets one limit, has a label for every
other number too: the model learns from real wording that £84,000 is not over £85,000.
"""

from __future__ import annotations

import random
import re
from dataclasses import dataclass

from clausewise.readers.quantities import Kind, Limit, limit, stated
from clausewise.trees.values import Condition, State

_NUMBER = re.compile(r"\d[\d,]*(?:\.\d+)?")
_OLDEST = 99


@dataclass(frozen=True, slots=True, kw_only=True)
class Changed:
    """A statement with another number, and whether the condition holds then."""

    text: str
    state: State


def changed_number(
    statement: str, *, condition: Condition, state: State, lot: random.Random
) -> Changed | None:
    """Return the statement with a number drawn by lot; None where the number isn't what counts.

    It counts where the number as it stands leads to the label that the statement has.
    """
    wanted = limit(condition.question) or limit(condition.text)
    found = _NUMBER.findall(statement)
    if wanted is None or " and " in condition.question or len(found) != 1:
        return None
    if _judged(statement, wanted) is not state:
        return None
    number = _NUMBER.search(statement)
    assert number is not None
    drawn = _written(_drawn(found[0], wanted, lot=lot), like=found[0])
    text = statement[: number.start()] + drawn + statement[number.end() :]
    judged = _judged(text, wanted)
    return None if judged is State.UNKNOWN else Changed(text=text, state=judged)


def _judged(statement: str, wanted: Limit) -> State:
    amounts = stated(statement)
    return wanted.judge(amounts[0]) if len(amounts) == 1 else State.UNKNOWN


def _drawn(number: str, wanted: Limit, *, lot: random.Random) -> int:
    """Return a number below or above the limit, in the unit that the statement has."""
    value = float(number.replace(",", ""))
    factor = lot.choice((lot.uniform(0.2, 0.95), lot.uniform(1.05, 2.5)))
    near = round(value + lot.choice((-2, -1, 1, 2)))
    drawn = near if lot.random() < 0.3 else round(value * factor)
    return max(1, min(drawn, _OLDEST) if wanted.kind is Kind.AGE else drawn)


def _written(value: int, *, like: str) -> str:
    """Return the value with as many noughts at its end as a person would give it."""
    if value >= 1000 and like.replace(",", "").endswith("00"):
        value = max(100, round(value, -2))
    return f"{value:,}" if "," in like else str(value)
