"""Truth tables as the bits of one integer: 20 conditions are 128 KB, and an operation 10 µs.

Bit number m of a table is the value under assignment m. The first key of a table is the highest bit
of m, so among sets of keys that are written as such numbers, the largest comes first in the order
of the keys.
"""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING

from clausewise.trees.logic import And, AtLeast, Logic, Name, Not, Or

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

MAX_KEYS = 20
"""Tables over more keys than this are not made."""


def full(count: int) -> int:
    """Return the table over `count` keys that is true everywhere."""
    return (1 << (1 << count)) - 1


@lru_cache(maxsize=256)
def variable(position: int, *, count: int) -> int:
    """Return the table of the key at `position` among `count`: true where it holds."""
    shift = stride(position, count=count)
    table, width = ((1 << shift) - 1) << shift, 2 * shift
    while width < 1 << count:
        table |= table << width
        width *= 2
    return table


def stride(position: int, *, count: int) -> int:
    """Return how far apart two assignments are that differ in the key at `position` only."""
    return 1 << (count - 1 - position)


def truth_table(logic: Logic, *, keys: Sequence[str]) -> int:
    """Return the table of the logic over `keys`, which hold all that it names."""
    count = len(keys)
    leaves = {key: variable(position, count=count) for position, key in enumerate(keys)}
    return combine(logic, leaves=leaves, everywhere=full(count))


def combine(logic: Logic, *, leaves: Mapping[str, int], everywhere: int) -> int:
    """Return the table of the logic where the tables of its keys are `leaves`."""
    match logic:
        case Name(key):
            return leaves[key]
        case Not(part):
            return everywhere ^ combine(part, leaves=leaves, everywhere=everywhere)
        case And(parts):
            table = everywhere
            for part in parts:
                table &= combine(part, leaves=leaves, everywhere=everywhere)
            return table
        case Or(parts):
            table = 0
            for part in parts:
                table |= combine(part, leaves=leaves, everywhere=everywhere)
            return table
        case AtLeast(count, parts):
            tables = [combine(part, leaves=leaves, everywhere=everywhere) for part in parts]
            return _at_least(count, tables=tables, everywhere=everywhere)


def _at_least(count: int, *, tables: Sequence[int], everywhere: int) -> int:
    reached = [everywhere] + [0] * count
    for table in tables:
        for number in range(count, 0, -1):
            reached[number] |= reached[number - 1] & table
    return reached[count]


def depends_on(table: int, position: int, *, count: int) -> bool:
    """Say whether the key at `position` can ever make a difference."""
    without = full(count) ^ variable(position, count=count)
    return (table ^ (table >> stride(position, count=count))) & without != 0


def for_all_first(table: int, *, times: int, count: int) -> int:
    """Return the table over the other keys: true where it is for all values of the first `times`.

    The table is over `count` keys.
    """
    for left in range(count - 1, count - 1 - times, -1):
        half = 1 << left
        table = (table >> half) & table & ((1 << half) - 1)
    return table


@lru_cache(maxsize=512)
def of_weight(weight: int, *, count: int) -> int:
    """Return the table of the assignments over `count` keys in which just `weight` hold."""
    if weight < 0 or weight > count:
        return 0
    if count == 0:
        return 1
    less, same = of_weight(weight - 1, count=count - 1), of_weight(weight, count=count - 1)
    return same | less << (1 << (count - 1))
