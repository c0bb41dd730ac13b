"""Fits the probability that a body of rules covers a question.

Covered are the questions that reviewed trees hold for their own rules. Not covered are the same
questions once the whole page of their rule is taken out, and questions about other bodies of rules.
The rules should be others than those that the encoder was trained on, or it would look surer of
covered questions than it will be. Too little is fitted for a development set to be needed.
"""

from __future__ import annotations

import random
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from clausewise.encoder.onnx import OnnxEncoder
from clausewise.evaluation.coverage import CoverageReport, measure
from clausewise.knowledge.base import KnowledgeBase
from clausewise.progress import Progress, silent
from clausewise.retrievers.bm25 import Bm25
from clausewise.retrievers.calibrated import CalibratedCoverage, CoverageSigns, CoverageWeights
from clausewise.retrievers.dense import Dense
from clausewise.retrievers.hybrid import Hybrid
from clausewise.trees.read import read_trees
from clausewise.types import Dialogue

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from pathlib import Path

    from numpy.typing import NDArray

    from clausewise.protocols import Retriever
    from clausewise.trees.tree import RuleTree
    from clausewise.types import RuleText

MOST_FOREIGN = 400
"""How many questions about other bodies of rules take part: about as many as covered ones."""
RIDGE = 1.0
"""Holds the weights back: a few hundred questions can't tell certainty from luck."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Searchable:
    """A body of rules that can be searched and can say what its hits show."""

    retriever: Retriever
    coverage: CalibratedCoverage


@dataclass(frozen=True, slots=True, kw_only=True)
class Asked:
    """Signs of a question, and whether it is covered."""

    signs: CoverageSigns
    covered: bool


def fit_coverage(
    folder: Path, *, rules: Path, foreign: Sequence[Path], progress: Progress = silent
) -> CoverageReport:
    """Fit the coverage weights of the encoder in a folder, write them there, say how they fit.

    `rules` have reviewed trees beside them; the trees of `foreign` are of other bodies of rules.
    """
    encoder = OnnxEncoder.load(folder)
    knowledge = KnowledgeBase.open(rules)
    texts = {rule.rule_id: rule.text for rule in knowledge}
    strangers = [tree for path in foreign for tree in read_trees(path)]
    asked = asked_of_pages(
        knowledge.rules,
        trees=read_trees(rules, rule_texts=texts),
        foreign_questions=_some([tree.questions[0] for tree in strangers if tree.questions]),
        search=lambda body: _search(body, encoder=encoder),
        progress=progress,
    )
    weights = fit(asked, encoder=encoder.name)
    weights.write(folder)
    likely = [(weights.probability(item.signs), item.covered) for item in asked]
    return measure(
        [value for value, covered in likely if covered],
        [value for value, covered in likely if not covered],
    )


def _some(questions: Sequence[str]) -> list[str]:
    return random.Random(0).sample(questions, min(MOST_FOREIGN, len(questions)))  # noqa: S311


def _search(rules: Sequence[RuleText], *, encoder: OnnxEncoder) -> Searchable:
    dense = Dense.build(rules, encoder=encoder)
    unfitted = CoverageWeights(intercept=0.0, similarity=0.0, known_share=0.0)
    return Searchable(
        retriever=Hybrid(words=Bm25.build(rules), dense=dense),
        coverage=CalibratedCoverage(dense=dense, weights=unfitted),
    )


def asked_of_pages(
    rules: Sequence[RuleText],
    *,
    trees: Sequence[RuleTree],
    foreign_questions: Sequence[str],
    search: Callable[[Sequence[RuleText]], Searchable],
    progress: Progress = silent,
) -> tuple[Asked, ...]:
    """Return the signs of covered questions, of orphaned ones, and of foreign ones."""
    whole = search(rules)
    asked = [_asked(q, of=whole, covered=True) for tree in trees for q in tree.questions]
    asked += [_asked(question, of=whole, covered=False) for question in foreign_questions]
    pages = sorted({_page(tree.rule_id) for tree in trees})
    for page in progress(pages, label="Taking pages out", total=len(pages)):
        rest = search([rule for rule in rules if _page(rule.rule_id) != page])
        orphans = [tree for tree in trees if _page(tree.rule_id) == page]
        asked += [_asked(q, of=rest, covered=False) for tree in orphans for q in tree.questions]
    return tuple(item for item in asked if item is not None)


def fit(asked: Sequence[Asked], *, encoder: str) -> CoverageWeights:
    """Return the weights that make the covered likely and the others unlikely.

    Both kinds count the same in all, so 0.5 lies between them, however many there are of each.
    """
    signs = np.array([[1.0, a.signs.similarity, a.signs.known_share] for a in asked])
    covered = np.array([float(a.covered) for a in asked])
    share = covered.mean()
    weights = np.where(covered == 1, 0.5 / share, 0.5 / (1 - share))
    intercept, similarity, known_share = _logistic(signs, covered, weights=weights)
    return CoverageWeights(
        intercept=round(intercept, 4),
        similarity=round(similarity, 4),
        known_share=round(known_share, 4),
        encoder=encoder,
    )


def _logistic(
    signs: NDArray[np.float64], covered: NDArray[np.float64], *, weights: NDArray[np.float64]
) -> list[float]:
    """Return the coefficients of a ridge logistic regression, by Newton's method."""
    coefficients = np.zeros(signs.shape[1])
    ridge = RIDGE * np.diag([0.0, *[1.0] * (signs.shape[1] - 1)])
    for _ in range(50):
        likely = 1 / (1 + np.exp(-(signs @ coefficients)))
        gradient = signs.T @ (weights * (likely - covered)) + ridge @ coefficients
        curvature = weights * likely * (1 - likely)
        hessian = signs.T @ (curvature[:, None] * signs) + ridge
        step = np.linalg.solve(hessian + 1e-9 * np.eye(len(hessian)), gradient)
        coefficients -= step
        if float(np.abs(step).max()) < 1e-8:
            break
    return [float(value) for value in coefficients]


def _asked(question: str, *, of: Searchable, covered: bool) -> Asked | None:
    dialogue = Dialogue(question=question)
    signs = of.coverage.signs(dialogue, hits=of.retriever.retrieve(dialogue, top_k=5))
    return Asked(signs=signs, covered=covered) if signs else None


def _page(rule_id: str) -> str:
    return rule_id.partition("#")[0]
