"""The rule tree: a rule text made checkable."""

from __future__ import annotations

from dataclasses import dataclass

from clausewise.trees.values import Condition


@dataclass(frozen=True, slots=True, kw_only=True)
class RuleTree:
    """Replaced within the hour by the trees helper."""

    conditions: tuple[Condition, ...]
