"""BM25 (Robertson and Zaragoza 2009, equation 3.15) over stems and pairs of them.

The best single way of finding a rule by its words that was measured, with or without dialogue.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field
from pathlib import Path

import numpy as np

from clausewise.retrievers.hashing import term_key
from clausewise.retrievers.indexed import FieldWeights, count_terms, fingerprint, unchanging
from clausewise.retrievers.postings import Floats, Occurrences, Postings
from clausewise.retrievers.query import PartWeights, WeightedText, best_hits
from clausewise.retrievers.words import stemmed_terms
from clausewise.types import Dialogue, Hit, RuleText

_PARTS = PartWeights(question=1.0, scenario=0.5)


@dataclass(frozen=True, slots=True, kw_only=True)
class Bm25Options:
    """The constants of BM25; rule texts are short, so both lie below what pages want."""

    saturation: float = 0.6
    """k1: how much a word gains by standing there again; 0 means nothing."""
    length_penalty: float = 0.4
    """b: how much long rules are held back, from 0 to 1."""
    pair_weight: float = 0.5
    """What a pair of words counts in the question, beside 1 for a word."""
    fields: FieldWeights = field(default_factory=FieldWeights)
    """What words count outside the rule text."""


class Bm25:
    """Finds rules by stems and pairs of stems."""

    def __init__(
        self, rules: Sequence[RuleText], *, postings: Postings, options: Bm25Options
    ) -> None:
        self.rules = unchanging(rules)
        self._postings = postings
        self._options = options

    @classmethod
    def build(
        cls,
        rules: Sequence[RuleText],
        *,
        extra_texts: Mapping[str, Sequence[str]] | None = None,
        options: Bm25Options = Bm25Options(),
    ) -> Bm25:
        """Return a retriever over the rules; `extra_texts` by rule id help to find a rule."""
        counts = count_terms(
            rules,
            terms=stemmed_terms,
            key=term_key,
            extra_texts=extra_texts or {},
            weights=options.fields,
        )

        def weigh(occurrences: Occurrences) -> Floats:
            return _weigh(occurrences, options=options)

        return cls(rules, postings=Postings.build(counts, weigh=weigh), options=options)

    @classmethod
    def load(
        cls, folder: Path, *, rules: Sequence[RuleText], options: Bm25Options = Bm25Options()
    ) -> Bm25:
        """Return the retriever that `save` wrote for the same rules and options."""
        postings = Postings.load(folder, config=_config(rules, options=options))
        return cls(rules, postings=postings, options=options)

    def save(self, folder: Path) -> None:
        """Write the index as a folder."""
        self._postings.save(folder, config=_config(self.rules, options=self._options))

    def scores(self, texts: Sequence[WeightedText]) -> Floats:
        """Return the score of each rule."""
        query: dict[int, float] = {}
        for part in texts:
            for term in stemmed_terms(part.text):
                key = term_key(term)
                weight = self._options.pair_weight if " " in term else 1.0
                query[key] = query.get(key, 0.0) + part.weight * weight
        return self._postings.scores(query)

    def retrieve(self, dialogue: Dialogue, *, top_k: int) -> tuple[Hit, ...]:
        """Return the best rules for question and scenario."""
        return best_hits(self.scores(_PARTS.parts(dialogue)), rules=self.rules, top_k=top_k)


def _weigh(occurrences: Occurrences, *, options: Bm25Options) -> Floats:
    """Return idf * tf * (k1 + 1) / (tf + k1 * (1 - b + b * length / mean length))."""
    lengths = occurrences.lengths()
    relative = lengths / max(lengths.mean(), 1.0) if len(lengths) else lengths
    norm = 1 - options.length_penalty + options.length_penalty * relative
    frequency = occurrences.counts
    holding = occurrences.rules_with_term
    idf = np.log1p((occurrences.rule_count - holding + 0.5) / (holding + 0.5))
    saturated = frequency + options.saturation * norm[occurrences.rules]
    weights: Floats = idf * frequency * (options.saturation + 1) / saturated
    return weights


def _config(rules: Sequence[RuleText], *, options: Bm25Options) -> dict[str, str | float]:
    return {"retriever": "bm25", "rules": fingerprint(rules), "options": repr(asdict(options))}
