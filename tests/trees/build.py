"""Trees and states for tests, made from a logic alone."""

from __future__ import annotations

from clausewise.trees.logic import Logic, names, parse_logic
from clausewise.trees.tree import RuleTree
from clausewise.trees.values import Condition, Span, State


def tree_of(logic: Logic | str, *, keys: tuple[str, ...] | None = None) -> RuleTree:
    """Return a tree whose conditions are the keys of the logic, which is also its rule text."""
    parsed = parse_logic(logic) if isinstance(logic, str) else logic
    keys = keys or names(parsed)
    text = " ".join(keys)
    starts = [sum(len(key) + 1 for key in keys[:place]) for place in range(len(keys))]
    conditions = tuple(
        Condition(
            key=key,
            span=Span(start=start, end=start + len(key)),
            text=key,
            question=f"Is it {key}?",
        )
        for key, start in zip(keys, starts, strict=True)
    )
    return RuleTree(rule_id="rule", rule_text=text, conditions=conditions, logic=parsed)


def states_of(text: str) -> dict[str, State]:
    """Return the states of 'a yes, b no'."""
    pairs = (part.split() for part in text.split(",") if part.strip())
    return {key: State.of(answer == "yes") for key, answer in pairs}
