"""Measures how often a retriever finds the rule text that settles a question, and how fast.

In later turns the history holds questions about the right rule, which makes it easy to find; the
honest figure for finding a rule from scratch is the first turn, so it stands beside the whole.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace

from clausewise.datasets.orsharc import Sample
from clausewise.evaluation import slices
from clausewise.evaluation.latency import Latency
from clausewise.progress import Progress, silent
from clausewise.protocols import Retriever

CUTOFFS = (1, 2, 5, 10, 20)


@dataclass(frozen=True, slots=True, kw_only=True)
class RetrievalScores:
    """The figures of one set of samples, in percent."""

    n: int
    recall: tuple[float, ...]
    """How often the gold rule is among the first 1, 2, 5, 10, 20 hits."""
    mrr: float
    """The mean of 1 / rank of the gold rule; 0 where it is not among the first 20."""

    @classmethod
    def of(cls, ranks: Sequence[int | None]) -> RetrievalScores:
        """Return the figures for the gold rules' ranks; all are 0 where there are none."""
        found = [rank for rank in ranks if rank is not None]
        n = max(1, len(ranks))
        return cls(
            n=len(ranks),
            recall=tuple(
                round(100 * sum(rank <= cutoff for rank in found) / n, 2) for cutoff in CUTOFFS
            ),
            mrr=round(100 * sum(1 / rank for rank in found) / n, 2),
        )

    def to_json(self) -> Mapping[str, object]:
        """Return the figures under the names of the command-line contract."""
        recall = {str(k): share for k, share in zip(CUTOFFS, self.recall, strict=True)}
        return {"n": self.n, "recall": recall, "mrr": self.mrr}


@dataclass(frozen=True, slots=True, kw_only=True)
class RetrievalReport:
    """The figures of a retriever: over all samples, and over the slices always shown."""

    overall: RetrievalScores
    seen: RetrievalScores
    unseen: RetrievalScores
    first_turn: RetrievalScores
    latency: Latency

    def to_json(self) -> Mapping[str, object]:
        """Return the report in the form of the command-line contract."""
        return {
            **self.overall.to_json(),
            "seen": self.seen.to_json(),
            "unseen": self.unseen.to_json(),
            "first_turn": self.first_turn.to_json(),
            "latency_ms": self.latency.to_json(),
        }


def evaluate_retrieval(
    retriever: Retriever,
    samples: Sequence[Sample],
    *,
    history: bool = True,
    progress: Progress = silent,
) -> RetrievalReport:
    """Return the figures of a retriever; without `history` it never sees the turns."""
    ranks: list[int | None] = []
    seconds: list[float] = []
    for sample in progress(samples, label="Retrieving", total=len(samples)):
        dialogue = sample.dialogue if history else replace(sample.dialogue, turns=())
        start = time.perf_counter()
        hits = retriever.retrieve(dialogue, top_k=CUTOFFS[-1])
        seconds.append(time.perf_counter() - start)
        ranks.append(_rank(sample.gold.rule_id, [hit.rule.rule_id for hit in hits]))

    def of_slice(is_member: Callable[[Sample], bool]) -> RetrievalScores:
        members = zip(samples, ranks, strict=True)
        return RetrievalScores.of([rank for sample, rank in members if is_member(sample)])

    return RetrievalReport(
        overall=RetrievalScores.of(ranks),
        seen=of_slice(slices.is_seen),
        unseen=of_slice(slices.is_unseen),
        first_turn=of_slice(slices.is_first_turn),
        latency=Latency.of(seconds),
    )


def _rank(rule_id: str, found: Sequence[str]) -> int | None:
    return found.index(rule_id) + 1 if rule_id in found else None
