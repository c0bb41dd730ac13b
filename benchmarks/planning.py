"""How many questions the plan saves against asking in the order of the text.

    python -m benchmarks.planning --trees PATH...

Every tree starts with nothing known; a condition holds with the given probability (half, unless
--probability says otherwise), independently of the others, and all ways the answers can fall are
walked. Three ways of asking, and the best there is:

- naive: each condition in text order until the value is decided, whether it still matters or not;
- text order: the same, but what can no longer change the value is skipped;
- plan: `clausewise.trees.plan`;
- rule of thumb: the same with the heuristic that planning uses above twelve open conditions;
- optimum: every question is tried in every situation.
"""

from __future__ import annotations

import argparse
import itertools
import json
import time
from collections.abc import Callable, Mapping
from dataclasses import asdict, dataclass
from pathlib import Path

from clausewise.trees.evaluate import exact, restrict
from clausewise.trees.heuristic import estimate
from clausewise.trees.logic import format_logic, names
from clausewise.trees.plan import plan
from clausewise.trees.read import read_trees
from clausewise.trees.tree import RuleTree
from clausewise.trees.values import State

States = Mapping[str, State]
Asker = Callable[[RuleTree, States], str | None]
"""Returns the key to ask next; None where the value is decided."""
KNOWN = (State.ENTAILED, State.CONTRADICTED)


def naive(tree: RuleTree, states: States) -> str | None:
    """Ask in text order until the value is decided."""
    if exact(tree.logic, states) is not State.UNKNOWN:
        return None
    return next(key for key in _in_text_order(tree) if key not in states)


def text_order(tree: RuleTree, states: States) -> str | None:
    """Ask in text order, but only what can still change the value."""
    if exact(tree.logic, states) is not State.UNKNOWN:
        return None
    return next(
        key for key in _in_text_order(tree) if key not in states and _matters(tree, key, states)
    )


def planned(tree: RuleTree, states: States) -> str | None:
    """Ask what the plan says."""
    found = plan(tree, states=states)
    return found.key if found else None


def rule_of_thumb(tree: RuleTree, states: States) -> str | None:
    """Ask what the heuristic says."""
    left = restrict(tree.logic, states)
    if isinstance(left, bool) or exact(left, {}) is not State.UNKNOWN:
        return None
    open_keys = [key for key in tree.keys if key in names(left) and _matters(tree, key, states)]
    return estimate(left, probabilities=dict.fromkeys(open_keys, 0.5)).key


def _in_text_order(tree: RuleTree) -> list[str]:
    return [item.key for item in sorted(tree.conditions, key=lambda item: item.span.start)]


def _matters(tree: RuleTree, key: str, states: States) -> bool:
    others = [other for other in tree.keys if other != key and other not in states]
    return any(
        exact(tree.logic, {**case, key: KNOWN[0]}) is not exact(tree.logic, {**case, key: KNOWN[1]})
        for values in itertools.product(KNOWN, repeat=len(others))
        for case in [{**states, **dict(zip(others, values, strict=True))}]
    )


def expected(tree: RuleTree, asker: Asker, *, probability: float, states: States) -> float:
    """Return how many questions the asker is expected to need from here."""
    key = asker(tree, states)
    if key is None:
        return 0.0
    yes, no = (
        expected(tree, asker, probability=probability, states={**states, key: state})
        for state in KNOWN
    )
    return 1 + probability * yes + (1 - probability) * no


def optimum(tree: RuleTree, *, probability: float) -> float:
    """Return the fewest questions that can be expected, by trying them all."""
    found: dict[tuple[State | None, ...], float] = {}

    def least(states: dict[str, State]) -> float:
        known = tuple(states.get(key) for key in tree.keys)
        if known not in found:
            found[known] = 0.0
            if exact(tree.logic, states) is State.UNKNOWN:
                found[known] = min(first(key, states) for key in tree.keys if key not in states)
        return found[known]

    def first(key: str, states: dict[str, State]) -> float:
        yes, no = (least({**states, key: state}) for state in KNOWN)
        return 1 + probability * yes + (1 - probability) * no

    return least({})


ASKERS: dict[str, Asker] = {
    "naive": naive,
    "text_order": text_order,
    "plan": planned,
    "rule_of_thumb": rule_of_thumb,
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Figures:
    """Mean numbers of questions over some trees."""

    trees: int
    naive: float
    text_order: float
    plan: float
    rule_of_thumb: float
    optimum: float
    saved_percent_of_naive: float
    saved_percent_of_text_order: float
    above_optimum_percent: float
    rule_of_thumb_above_optimum_percent: float
    plan_ms: float
    """Mean time of a first plan."""


def measure(trees: list[RuleTree], *, probability: float) -> Figures:
    """Return the figures; a tree whose shape has been seen is not walked again."""
    walked: dict[tuple[str, ...], dict[str, float]] = {}
    totals = dict.fromkeys([*ASKERS, "optimum"], 0.0)
    for tree in trees:
        shape = (*_in_text_order(tree), "/", *tree.keys, format_logic(tree.logic))
        if shape not in walked:
            walked[shape] = _walked(tree, probability=probability)
        for name, questions in walked[shape].items():
            totals[name] += questions / len(trees)
    return Figures(
        trees=len(trees),
        saved_percent_of_naive=100 * (1 - totals["plan"] / totals["naive"]),
        saved_percent_of_text_order=100 * (1 - totals["plan"] / totals["text_order"]),
        above_optimum_percent=100 * (totals["plan"] / totals["optimum"] - 1),
        rule_of_thumb_above_optimum_percent=100 * (totals["rule_of_thumb"] / totals["optimum"] - 1),
        plan_ms=_plan_ms(trees),
        **totals,
    )


def _walked(tree: RuleTree, *, probability: float) -> dict[str, float]:
    questions = {
        name: expected(tree, asker, probability=probability, states={})
        for name, asker in ASKERS.items()
    }
    return questions | {"optimum": optimum(tree, probability=probability)}


def _plan_ms(trees: list[RuleTree]) -> float:
    began = time.perf_counter()
    for tree in trees:
        plan(tree, states={})
    return 1000 * (time.perf_counter() - began) / len(trees)


def main() -> None:
    """Print the figures as JSON: of all trees, and of those with three conditions or more."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--trees", nargs="+", type=Path, required=True)
    parser.add_argument("--probability", type=float, default=0.5)
    options = parser.parse_args()
    trees = [tree for path in options.trees for tree in read_trees(path)]
    groups = {"all": trees, "three_or_more": [tree for tree in trees if len(tree.keys) >= 3]}
    for name, group in groups.items():
        figures = asdict(measure(group, probability=options.probability))
        rounded = {key: round(value, 3) for key, value in figures.items()}
        print(json.dumps({"trees_with": name} | rounded))


if __name__ == "__main__":
    main()
