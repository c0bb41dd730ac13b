"""Reviewed trees by what compiler and asker use them for."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from clausewise.training.held_out import held_out_texts
from clausewise.trees.read import read_trees
from clausewise.trees.tree import RuleTree


@dataclass(frozen=True, slots=True, kw_only=True)
class Trees:
    """Reviewed trees by what they are used for."""

    training: tuple[RuleTree, ...]
    calibration: tuple[RuleTree, ...]
    held_out: tuple[RuleTree, ...]

    @classmethod
    def read(
        cls,
        paths: Sequence[Path],
        *,
        data: Path,
        calibration: int = 0,
        own: Sequence[RuleTree] = (),
    ) -> Trees:
        """Return the trees of some files below `data`; `own` are learned from in any case.

        `calibration` says how many more rule texts are left out, besides those of HELD_OUT.
        """
        left_out: list[RuleTree] = []
        others: list[RuleTree] = []
        for path in paths:
            trees = read_trees(data / path)
            held = held_out_texts([tree.rule_text or "" for tree in trees], file=path.name)
            left_out += [tree for tree in trees if tree.rule_text in held]
            others += [tree for tree in trees if tree.rule_text not in held]
        texts = sorted({tree.rule_text or "" for tree in others}, key=_digest)
        kept = set(texts[:calibration])
        return cls(
            training=(*(tree for tree in others if tree.rule_text not in kept), *own),
            calibration=tuple(tree for tree in others if tree.rule_text in kept),
            held_out=tuple(left_out),
        )


def _digest(text: str) -> str:
    # Another order than that of the held-out texts, or these would be their neighbours.
    return hashlib.sha256(f"calibration {text}".encode()).hexdigest()
