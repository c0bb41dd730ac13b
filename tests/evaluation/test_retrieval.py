from __future__ import annotations

import pytest

from clausewise.evaluation.retrieval import evaluate_retrieval
from clausewise.types import Dialogue, Hit, RuleText
from tests.evaluation.samples import sample


class Shelf:
    """Always returns its rules in their order, and remembers what it was asked."""

    def __init__(self, *rule_ids: str) -> None:
        self.rules = [RuleText(rule_id=rule_id, text="A rule.") for rule_id in rule_ids]
        self.seen: list[Dialogue] = []

    def retrieve(self, dialogue: Dialogue, *, top_k: int) -> tuple[Hit, ...]:
        self.seen.append(dialogue)
        return tuple(Hit(rule=rule, score=0.0) for rule in self.rules[:top_k])


def test_recall_counts_the_gold_rules_among_the_first_hits() -> None:
    samples = [sample("a", rule_id="x"), sample("b", rule_id="y"), sample("c", rule_id="none")]
    scores = evaluate_retrieval(Shelf("x", "y"), samples).overall
    assert scores.recall == (33.33, 66.67, 66.67, 66.67, 66.67)
    assert scores.mrr == 50


def test_slices_are_measured_apart() -> None:
    samples = [
        sample("a", rule_id="x", seen=True, turns=1),
        sample("b", rule_id="y", seen=False),
        sample("c", rule_id="y"),
    ]
    report = evaluate_retrieval(Shelf("x", "y"), samples)
    assert (report.seen.n, report.unseen.n, report.first_turn.n) == (1, 1, 2)
    assert (report.seen.recall[0], report.unseen.recall[0]) == (100, 0)


@pytest.mark.parametrize(("history", "turns"), [(True, 2), (False, 0)])
def test_without_history_the_retriever_never_sees_the_turns(history: bool, turns: int) -> None:
    shelf = Shelf("x")
    evaluate_retrieval(shelf, [sample("a", turns=2)], history=history)
    assert [len(dialogue.turns) for dialogue in shelf.seen] == [turns]


def test_the_json_is_that_of_the_contract() -> None:
    shown = evaluate_retrieval(Shelf("x"), [sample("a", rule_id="x")]).to_json()
    assert list(shown) == ["n", "recall", "mrr", "seen", "unseen", "first_turn", "latency_ms"]
    assert shown["recall"] == {"1": 100, "2": 100, "5": 100, "10": 100, "20": 100}
    latency = shown["latency_ms"]
    assert isinstance(latency, dict)
    assert list(latency) == ["p50", "p95"]
