"""Recall on OR-ShARC's development set, against the released code and the promised figures."""

from __future__ import annotations

import json
import time
from collections.abc import Callable
from dataclasses import dataclass

import pytest

from clausewise.config import EngineConfig
from clausewise.protocols import Retriever
from clausewise.retrievers.bm25 import Bm25
from clausewise.retrievers.conversational import Conversational
from clausewise.retrievers.coverage import LexicalCoverage
from clausewise.retrievers.tfidf import Tfidf
from clausewise.types import Dialogue, RuleText, Turn
from tests.data import DATA, needs_data

pytestmark = needs_data

DEPTHS = (1, 2, 5, 10, 20)
LEAST = EngineConfig().minimum_coverage


@dataclass(frozen=True, slots=True, kw_only=True)
class Case:
    dialogue: Dialogue
    gold: str
    seen: bool


def rules() -> tuple[RuleText, ...]:
    table = json.loads((DATA / "or_sharc" / "rules.json").read_text("utf-8"))
    return tuple(RuleText(rule_id=rule_id, text=text) for rule_id, text in table.items())


def cases(*, history: bool) -> list[Case]:
    lines = (DATA / "or_sharc" / "dev.jsonl").read_text("utf-8").splitlines()
    samples = [json.loads(line) for line in lines]
    return [
        Case(
            dialogue=Dialogue(
                question=sample["question"],
                scenario=sample["scenario"],
                turns=tuple(
                    Turn(question=turn["follow_up_question"], answer=turn["follow_up_answer"])
                    for turn in sample["history"]
                    if history
                ),
            ),
            gold=sample["gold_snippet_id"],
            seen=sample["snippet_seen"],
        )
        for sample in samples
    ]


def ranks(retriever: Retriever, chosen: list[Case]) -> list[int]:
    found = []
    for case in chosen:
        hits = retriever.retrieve(case.dialogue, top_k=max(DEPTHS))
        ids = [hit.rule.rule_id for hit in hits]
        found.append(ids.index(case.gold) + 1 if case.gold in ids else max(DEPTHS) + 1)
    return found


def recall(retriever: Retriever, chosen: list[Case]) -> list[float]:
    found = ranks(retriever, chosen)
    return [100 * sum(rank <= depth for rank in found) / len(found) for depth in DEPTHS]


def unseen(chosen: list[Case]) -> list[Case]:
    return [case for case in chosen if not case.seen]


def test_tfidf_finds_what_the_released_code_finds() -> None:
    figures = recall(Tfidf.build(rules()), cases(history=False))
    assert figures == pytest.approx([53.3, 66.9, 84.8, 90.0, 92.9], abs=0.3)


def test_tfidf_finds_unseen_rules_as_the_released_code_but_for_the_order_of_ties() -> None:
    figures = recall(Tfidf.build(rules()), unseen(cases(history=False)))
    assert figures == pytest.approx([46.9, 62.6, 84.8, 89.9, 92.6], abs=0.7)


@pytest.mark.parametrize(
    ("build", "history", "promised"),
    [
        (Bm25.build, False, [58, 82, 91.5, 95.5, 97]),
        (lambda texts: Conversational(Bm25.build(texts)), True, [87, 94, 97.5, 98.5, 99]),
    ],
    ids=["bm25", "conversational"],
)
@pytest.mark.parametrize("only_unseen", [False, True], ids=["all", "unseen"])
def test_recall_is_at_least_what_is_promised(
    build: Callable[[tuple[RuleText, ...]], Retriever],
    history: bool,
    promised: list[float],
    only_unseen: bool,
) -> None:
    chosen = cases(history=history)
    figures = recall(build(rules()), unseen(chosen) if only_unseen else chosen)
    assert [figure >= least for figure, least in zip(figures, promised, strict=True)] == [True] * 5


def test_the_index_builds_in_a_second_and_answers_in_a_millisecond() -> None:
    texts, asked = rules(), cases(history=True)[:200]
    start = time.process_time()
    retriever = Conversational(Bm25.build(texts))
    built = time.process_time()
    for case in asked:
        retriever.retrieve(case.dialogue, top_k=20)
    assert built - start < 1
    assert (time.process_time() - built) / len(asked) < 0.001


def test_coverage_turns_away_at_most_one_covered_question_in_a_hundred() -> None:
    texts, chosen = rules(), cases(history=False)
    retriever, coverage = Conversational(Bm25.build(texts)), LexicalCoverage(texts)
    turned_away = sum(
        coverage.covers(case.dialogue, hits=retriever.retrieve(case.dialogue, top_k=5)) < LEAST
        for case in chosen
    )
    assert turned_away / len(chosen) <= 0.01


@pytest.mark.parametrize(
    "question", ["What is the capital of Peru?", "hello", "how do I bake bread", ""]
)
def test_coverage_turns_foreign_questions_away(question: str) -> None:
    texts = rules()
    asked = Dialogue(question=question)
    hits = Conversational(Bm25.build(texts)).retrieve(asked, top_k=5)
    assert LexicalCoverage(texts).covers(asked, hits=hits) < LEAST
