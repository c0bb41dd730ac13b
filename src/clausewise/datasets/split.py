"""Which rules may be trained on, and which are held out.

Dialogues of one rule share its conditions and its statements, so samples are never split: rules
are. The part that a rule falls into depends on its text and the seed alone, not on which other
rules there are, so adding rules moves none from one part to the other.
"""

from __future__ import annotations

import hashlib
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path

from clausewise.datasets.records import read_json
from clausewise.errors import DataError, Where
from clausewise.trees.tree import RuleTree


@dataclass(frozen=True, slots=True, kw_only=True)
class Split:
    """Two sets of trees without a rule text in common."""

    training: tuple[RuleTree, ...]
    held_out: tuple[RuleTree, ...]


def split_by_rule(trees: Iterable[RuleTree], *, held_out: float, seed: int) -> Split:
    """Return the trees with about a share `held_out` of the rule texts kept apart."""
    parts: dict[bool, list[RuleTree]] = {False: [], True: []}
    for tree in trees:
        parts[_draw(tree, seed=seed) < held_out].append(tree)
    return Split(training=tuple(parts[False]), held_out=tuple(parts[True]))


def read_trainable_ids(path: Path) -> frozenset[str]:
    """Return the rule ids of a JSON list: those that the data's own training part uses."""
    value = read_json(path)
    if not isinstance(value, list) or not all(isinstance(item, str) for item in value):
        raise DataError("expected a JSON list of rule ids", where=Where(file=str(path)))
    return frozenset(value)


def require_trainable(trees: Sequence[RuleTree], *, trainable_ids: Collection[str]) -> None:
    """Raise a DataError if a tree's rule is one of the knowledge base's unseen rules.

    A tree without rule id stands for a text from elsewhere, which nothing is measured on.
    """
    unseen = sorted({tree.rule_id for tree in trees} - set(trainable_ids) - {""})
    if unseen:
        shown = ", ".join(unseen[:5]) + (", ..." if len(unseen) > 5 else "")
        problem = f"{len(unseen)} rule(s) may not be trained on: {shown}"
        raise DataError(problem, where=Where(field="rule_id"))


def _draw(tree: RuleTree, *, seed: int) -> float:
    """Return a number in [0, 1) that only the rule and the seed decide."""
    rule = tree.rule_text or tree.rule_id
    digest = hashlib.sha256(f"{seed}:{rule}".encode()).digest()
    return int.from_bytes(digest[:8], "big") / 2**64
