"""TF-IDF as in DrQA (Chen et al. 2017, section 3.1), the retriever of the published systems.

MUDERN and all that followed it retrieve with DrQA's ranker over question and scenario; whoever
compares with them needs the same ranking, so nothing here is improved. Equal scores are frequent
among near-duplicate rules and their order is chance in the original (it follows from hash order),
here it is the order of the rules: this moves recall by up to 0.6 points on a subset.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path

import numpy as np

from clausewise.retrievers.hashing import drqa_bucket
from clausewise.retrievers.indexed import FieldWeights, count_terms, fingerprint, unchanging
from clausewise.retrievers.postings import Floats, Occurrences, Postings
from clausewise.retrievers.query import PartWeights, WeightedText, best_hits
from clausewise.retrievers.words import drqa_terms
from clausewise.types import Dialogue, Hit, RuleText

_PARTS = PartWeights(question=1.0, scenario=1.0)


class Tfidf:
    """Finds rules by hashed words and word pairs, weighted by TF-IDF."""

    def __init__(self, rules: Sequence[RuleText], *, postings: Postings) -> None:
        self.rules = unchanging(rules)
        self._postings = postings

    @classmethod
    def build(
        cls, rules: Sequence[RuleText], *, extra_texts: Mapping[str, Sequence[str]] | None = None
    ) -> Tfidf:
        """Return a retriever over the rules; `extra_texts` by rule id help to find a rule."""
        counts = count_terms(
            rules,
            terms=drqa_terms,
            key=drqa_bucket,
            extra_texts=extra_texts or {},
            weights=FieldWeights(),
        )
        return cls(rules, postings=Postings.build(counts, weigh=_weigh))

    @classmethod
    def load(cls, folder: Path, *, rules: Sequence[RuleText]) -> Tfidf:
        """Return the retriever that `save` wrote for the same rules."""
        return cls(rules, postings=Postings.load(folder, config=_config(rules)))

    def save(self, folder: Path) -> None:
        """Write the index as a folder."""
        self._postings.save(folder, config=_config(self.rules))

    def scores(self, texts: Sequence[WeightedText]) -> Floats:
        """Return the score of each rule."""
        counts: dict[int, float] = {}
        for part in texts:
            for term in drqa_terms(part.text):
                bucket = drqa_bucket(term)
                counts[bucket] = counts.get(bucket, 0.0) + part.weight
        return self._postings.scores({key: float(np.log1p(n)) for key, n in counts.items()})

    def retrieve(self, dialogue: Dialogue, *, top_k: int) -> tuple[Hit, ...]:
        """Return the best rules for question and scenario."""
        return best_hits(self.scores(_PARTS.parts(dialogue)), rules=self.rules, top_k=top_k)


def _weigh(occurrences: Occurrences) -> Floats:
    """Return log(tf + 1) * idf**2: the idf of the rule and, as it is the same, of the query."""
    holding = occurrences.rules_with_term
    idf = np.log((occurrences.rule_count - holding + 0.5) / (holding + 0.5)).clip(min=0)
    weights: Floats = np.log1p(occurrences.counts) * idf**2
    return weights


def _config(rules: Sequence[RuleText]) -> dict[str, str | float]:
    return {"retriever": "tfidf", "rules": fingerprint(rules)}
