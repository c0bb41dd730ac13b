"""What a logic says of its keys once every `not` stands before a key."""

from __future__ import annotations

import itertools

from clausewise.trees.logic import And, AtLeast, Logic, Name, Not, Or


def negated_keys(logic: Logic) -> dict[str, bool]:
    """Return for every key whether it stands under an odd number of `not` where it comes first."""
    return dict(reversed(_literals(logic, negated=False)))


def joined_by_or(logic: Logic) -> dict[tuple[str, str], bool]:
    """Return for every two keys whether `or` joins them, not `and`; nothing under `atleast`."""
    kinds: dict[tuple[str, str], bool] = {}
    _collect(logic, negated=False, kinds=kinds)
    return kinds


def counts(logic: Logic) -> bool:
    """Say whether the logic asks for a number of conditions: 'two of these'."""
    match logic:
        case Name():
            return False
        case Not(part):
            return counts(part)
        case And(parts) | Or(parts):
            return any(counts(part) for part in parts)
        case AtLeast():
            return True


def _literals(logic: Logic, *, negated: bool) -> list[tuple[str, bool]]:
    match logic:
        case Name(key):
            return [(key, negated)]
        case Not(part):
            return _literals(part, negated=not negated)
        case And(parts) | Or(parts) | AtLeast(_, parts):
            return [pair for part in parts for pair in _literals(part, negated=negated)]


def _collect(logic: Logic, *, negated: bool, kinds: dict[tuple[str, str], bool]) -> list[str]:
    match logic:
        case Name(key):
            return [key]
        case Not(part):
            return _collect(part, negated=not negated, kinds=kinds)
        case AtLeast(_, parts):
            return [key for part in parts for key in _collect(part, negated=negated, kinds=kinds)]
        case And(parts) | Or(parts):
            groups = [_collect(part, negated=negated, kinds=kinds) for part in parts]
            by_or = isinstance(logic, Or) != negated
            for one, other in itertools.permutations(groups, 2):
                for pair in itertools.product(one, other):
                    kinds.setdefault(pair, by_or)
            return [key for group in groups for key in group]
