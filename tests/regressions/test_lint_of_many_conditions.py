"""Lint once went through every case of the other conditions: minutes for twenty alternatives."""

from __future__ import annotations

import time

from clausewise.trees.lint import lint, matters
from clausewise.trees.logic import parse_logic
from clausewise.trees.tree import RuleTree
from clausewise.trees.values import Condition, Span

WORDS = [f"word{number:02}" for number in range(40)]


def _tree(logic: str, *, count: int) -> RuleTree:
    conditions = tuple(
        Condition(
            key=f"k{place}",
            span=Span(start=7 * place, end=7 * place + 6),
            text=word,
            question=f"Is it {word}?",
        )
        for place, word in enumerate(WORDS[:count])
    )
    return RuleTree(
        rule_id="many", rule_text=" ".join(WORDS), conditions=conditions, logic=parse_logic(logic)
    )


def test_forty_alternatives_are_linted_at_once() -> None:
    tree = _tree(" or ".join(f"k{place}" for place in range(40)), count=40)
    began = time.process_time()
    assert lint([tree], rule_texts={}) == ()
    assert time.process_time() - began < 1


def test_a_condition_without_effect_is_found_among_twenty() -> None:
    alternatives = " or ".join(f"k{place}" for place in range(19))
    tree = _tree(f"{alternatives} or k0 and k19", count=20)
    assert [key for key in tree.keys if not matters(tree, key=key)] == ["k19"]
