from __future__ import annotations

import random
from collections.abc import Sequence

from clausewise.retrievers.bm25 import Bm25
from clausewise.retrievers.calibrated import CalibratedCoverage, CoverageSigns, CoverageWeights
from clausewise.retrievers.dense import Dense
from clausewise.retrievers.hybrid import Hybrid
from clausewise.training.coverage import Asked, Searchable, asked_of_pages, fit
from clausewise.trees.tree import RuleTree
from clausewise.types import RuleText
from tests.retrievers.encoders import HashedWords

RULES = (
    RuleText(rule_id="library#cards", text="You can have a library card if you live here."),
    RuleText(rule_id="library#fines", text="You pay no fine for late books under 16."),
    RuleText(rule_id="allotments#hens", text="You may keep hens if your neighbours agree."),
)
UNFITTED = CoverageWeights(intercept=0.0, similarity=0.0, known_share=0.0)


def tree(rule: RuleText, *, question: str) -> RuleTree:
    return RuleTree.parse(
        f"rule: '{rule.rule_id}'\n"
        f"questions: ['{question}']\n"
        "conditions: {a: {span: [0, 3], text: 'You', question: 'Is it you?'}}\n"
        "logic: a\n",
        rule_text=rule.text,
    )


TREES = (
    tree(RULES[0], question="Can I have a library card?"),
    tree(RULES[2], question="May I keep hens?"),
)


def search(rules: Sequence[RuleText]) -> Searchable:
    dense = Dense.build(rules, encoder=HashedWords())
    return Searchable(
        retriever=Hybrid(words=Bm25.build(rules), dense=dense),
        coverage=CalibratedCoverage(dense=dense, weights=UNFITTED),
    )


def test_a_question_is_asked_with_its_page_and_without() -> None:
    asked = asked_of_pages(
        RULES, trees=TREES, foreign_questions=["Is bread healthy?"], search=search
    )
    assert [item.covered for item in asked] == [True, True, False, False, False]
    with_page, without_page = asked[1].signs, asked[3].signs
    assert without_page.known_share < with_page.known_share
    assert without_page.similarity < with_page.similarity


def some(count: int, *, covered: bool, seed: int) -> list[Asked]:
    lot = random.Random(seed)
    middle = 0.6 if covered else 0.3
    return [
        Asked(
            signs=CoverageSigns(
                similarity=lot.gauss(middle, 0.1), known_share=lot.gauss(middle, 0.2)
            ),
            covered=covered,
        )
        for _ in range(count)
    ]


def test_fitted_weights_tell_the_two_kinds_apart_however_many_there_are() -> None:
    asked = [*some(300, covered=True, seed=1), *some(60, covered=False, seed=2)]
    weights = fit(asked, encoder="e")
    assert weights.similarity > 0
    assert weights.known_share > 0
    right = [(weights.probability(item.signs) > 0.5) == item.covered for item in asked]
    assert sum(right) / len(right) > 0.85
