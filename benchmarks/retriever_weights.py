"""Recall by the weights that go with an encoder: that of DPR++, and those of the fusion.

    python -m benchmarks.retriever_weights ENCODER --rules RULES.json --data SAMPLES.jsonl

Every row is a weight, or a part of the fusion at half and at twice its weight: where no row beats
the first one clearly, the weights fit the encoder.
"""

from __future__ import annotations

import argparse
from collections.abc import Iterator
from dataclasses import dataclass, fields, replace
from pathlib import Path

from clausewise.datasets.orsharc import Sample, read_samples
from clausewise.encoder import OnnxEncoder
from clausewise.evaluation.retrieval import RetrievalScores, evaluate_retrieval
from clausewise.knowledge.base import KnowledgeBase
from clausewise.protocols import Retriever
from clausewise.retrievers.bm25 import Bm25
from clausewise.retrievers.dense import Dense
from clausewise.retrievers.dprpp import WEIGHT, DprPlusPlus
from clausewise.retrievers.hybrid import Hybrid
from clausewise.retrievers.parts import FusionWeights
from clausewise.retrievers.tfidf import Tfidf


@dataclass(frozen=True, slots=True, kw_only=True)
class Row:
    """A retriever, and what it is called."""

    name: str
    retriever: Retriever


def rows(dense: Dense) -> Iterator[Row]:
    """Yield the retrievers to compare."""
    tfidf, bm25 = Tfidf.build(dense.rules), Bm25.build(dense.rules)
    for factor in (1.0, 0.25, 0.5, 2.0, 4.0, 8.0):
        weight = WEIGHT * factor
        retriever = DprPlusPlus(tfidf=tfidf, dense=dense, weight=weight)
        yield Row(name=f"dpr++ {weight:g}", retriever=retriever)
    weights = FusionWeights()
    yield Row(name="fusion", retriever=Hybrid(words=bm25, dense=dense, weights=weights))
    for field in fields(weights):
        for factor in (0.5, 2.0):
            value = getattr(weights, field.name) * factor
            other = replace(weights, **{field.name: value})
            retriever = Hybrid(words=bm25, dense=dense, weights=other)
            yield Row(name=f"{field.name} {value:g}", retriever=retriever)


def shown(scores: RetrievalScores) -> str:
    """Return recall at 1, 5 and 20."""
    return " / ".join(f"{scores.recall[place]:.1f}" for place in (0, 2, 4))


def table(dense: Dense, *, samples: tuple[Sample, ...]) -> Iterator[str]:
    """Yield the lines of the table."""
    yield "| | without turns, all | unseen | with turns, all | unseen |"
    yield "|---|---|---|---|---|"
    for row in rows(dense):
        reports = [
            evaluate_retrieval(row.retriever, samples, history=history) for history in (False, True)
        ]
        cells = [shown(part) for report in reports for part in (report.overall, report.unseen)]
        yield f"| {row.name} | {' | '.join(cells)} |"


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawTextHelpFormatter
    )
    parser.add_argument("encoder", type=Path)
    parser.add_argument("--rules", type=Path, required=True)
    parser.add_argument("--data", type=Path, required=True)
    given = parser.parse_args()
    rules = KnowledgeBase.open(given.rules).rules
    dense = Dense.build(rules, encoder=OnnxEncoder.load(given.encoder))
    for line in table(dense, samples=read_samples(given.data)):
        print(line, flush=True)


if __name__ == "__main__":
    main()
