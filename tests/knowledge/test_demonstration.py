from __future__ import annotations

from pathlib import Path

import yaml

from clausewise.config import EngineConfig
from clausewise.knowledge.base import KnowledgeBase
from clausewise.retrievers.bm25 import Bm25
from clausewise.retrievers.conversational import Conversational
from clausewise.retrievers.coverage import LexicalCoverage
from clausewise.types import Dialogue

RULES = Path(__file__).resolve().parents[2] / "rules"


def questions() -> dict[str, list[str]]:
    documents = [
        document
        for file in sorted(RULES.rglob("*.trees.yaml"))
        for document in yaml.safe_load_all(file.read_text("utf-8"))
        if document
    ]
    return {document["rule"]: document["questions"] for document in documents}


def test_the_trees_of_the_demonstration_name_exactly_its_rules() -> None:
    assert set(questions()) == {rule.rule_id for rule in KnowledgeBase.open(RULES)}


def test_questions_of_the_demonstration_are_covered_and_found() -> None:
    rules = KnowledgeBase.open(RULES).rules
    retriever, coverage = Conversational(Bm25.build(rules)), LexicalCoverage(rules)
    found, covered, asked = 0, 0, 0
    for rule_id, wordings in questions().items():
        for question in wordings:
            dialogue = Dialogue(question=question)
            hits = retriever.retrieve(dialogue, top_k=5)
            asked += 1
            found += rule_id in {hit.rule.rule_id for hit in hits}
            covered += coverage.covers(dialogue, hits=hits) >= EngineConfig().minimum_coverage
    assert found / asked > 0.94
    assert covered / asked > 0.96
