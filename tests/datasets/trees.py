"""Rule trees of an invented council, for the tests of simulated dialogues."""

from __future__ import annotations

from clausewise.trees.logic import parse_logic
from clausewise.trees.tree import RuleTree
from clausewise.trees.values import Condition, Span


def condition(key: str, text: str, *, rule_text: str) -> Condition:
    """Return a condition whose question, statements and key say the same thing."""
    start = rule_text.index(text)
    return Condition(
        key=key,
        span=Span(start=start, end=start + len(text)),
        text=text,
        question=f"Is it that {text}?",
        paraphrases=(f"Would you say that {text}?",),
        yes=(f"It is so that {text}.", f"I can show that {text}."),
        no=(f"It is not so that {text}.", f"Nobody could say that {text}."),
    )


def tree(name: str, *, logic: str, rule_text: str, **conditions: str) -> RuleTree:
    """Return a tree whose conditions are given as key and words."""
    return RuleTree(
        rule_id=name,
        tree_id=f"tree-{name}",
        conditions=tuple(
            condition(key, text, rule_text=rule_text) for key, text in conditions.items()
        ),
        logic=parse_logic(logic),
        rule_text=rule_text,
        topic=f"a {name}",
        questions=(f"Can I get a {name}?", f"Am I eligible for a {name}?"),
    )


PERMIT = tree(
    "permit",
    rule_text="You get a permit if you live in the zone, your car is small or it runs on gas.",
    logic="a and (b or c)",
    a="you live in the zone",
    b="your car is small",
    c="it runs on gas",
)
ALLOTMENT = tree(
    "allotment",
    rule_text="Allotments are for those who have no garden, unless they own a field.",
    logic="a and not b",
    a="have no garden",
    b="they own a field",
)
LOCKER = tree(
    "locker",
    rule_text="Swimmers with a season ticket are given a locker.",
    logic="a",
    a="a season ticket",
)
TREES = (PERMIT, ALLOTMENT, LOCKER)
