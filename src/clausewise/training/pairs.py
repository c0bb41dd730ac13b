"""What a person might say whose case a rule settles: the queries that a retriever learns from.

Made from reviewed trees, whose user questions, follow-up questions and statements are grouped by
the rule that they belong to. A retriever gets the question alone, the question with a scenario,
and follow-up questions; each of these is a query of its own, because that is how `hybrid` asks.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import random
    from collections.abc import Sequence

    from clausewise.trees.tree import RuleTree


@dataclass(frozen=True, slots=True, kw_only=True)
class QueryMix:
    """How the queries of a rule are put together."""

    no_scenario: float = 0.15
    """How often the second query has a follow-up question in the place of a scenario."""
    foreign_scenario: float = 0.12
    """How often the scenario speaks of something else: one in eight does so in OR-ShARC."""
    statements: int = 3
    """The most statements that make up a scenario."""
    follow_up_questions: int = 3
    """The most follow-up questions in a query."""
    scenario_alone: float = 0.5
    """How often a scenario without its question is a query too."""


def queries(
    tree: RuleTree, *, others: Sequence[RuleTree], mix: QueryMix, lot: random.Random
) -> tuple[str, ...]:
    """Return some queries that the rule of the tree should be found by, drawn by lot."""
    question = lot.choice(tree.questions)
    drawn = [
        question,
        f"{question} {_beside_the_question(tree, others=others, mix=mix, lot=lot)}".strip(),
        _follow_ups(tree, most=mix.follow_up_questions, lot=lot),
    ]
    if lot.random() < mix.scenario_alone:
        drawn.append(scenario(tree, most=mix.statements, lot=lot))
    return tuple(query for query in drawn if query)


def scenario(tree: RuleTree, *, most: int, lot: random.Random) -> str:
    """Return up to `most` statements about conditions of the tree; '' where it has none."""
    conditions = [condition for condition in tree.conditions if condition.yes or condition.no]
    count = min(lot.randint(1, most), len(conditions))
    chosen = lot.sample(conditions, count)
    return " ".join(lot.choice((*condition.yes, *condition.no)) for condition in chosen)


def _beside_the_question(
    tree: RuleTree, *, others: Sequence[RuleTree], mix: QueryMix, lot: random.Random
) -> str:
    chance = lot.random()
    if chance < mix.no_scenario:
        return _follow_ups(tree, most=1, lot=lot)
    if chance < mix.no_scenario + mix.foreign_scenario:
        return scenario(lot.choice(others), most=2, lot=lot)
    return scenario(tree, most=mix.statements, lot=lot)


def _follow_ups(tree: RuleTree, *, most: int, lot: random.Random) -> str:
    count = min(lot.randint(1, most), len(tree.conditions))
    chosen = lot.sample(tree.conditions, count)
    return " ".join(lot.choice((c.question, c.question, *c.paraphrases)) for c in chosen)
