"""Our own retrievers behind the interface of the benchmark: the product's classes, unchanged."""

from __future__ import annotations

import os
from collections.abc import Sequence
from pathlib import Path

import numpy as np

from clausewise.encoder import OnnxEncoder
from clausewise.evaluation.speed.dense_peers import NumpyFlat
from clausewise.evaluation.speed.engines import Corpus, Query
from clausewise.evaluation.speed.stored import StoredRules
from clausewise.protocols import Retriever
from clausewise.retrievers.bm25 import Bm25
from clausewise.retrievers.dense import Dense
from clausewise.retrievers.hybrid import Hybrid
from clausewise.retrievers.nearest import NearestIndex
from clausewise.retrievers.shortlist import ShortlistHybrid
from clausewise.retrievers.tfidf import Tfidf

ENCODER_VARIABLE = "CLAUSEWISE_BENCH_ENCODER"
"""The environment variable that names the encoder's folder to the process of the hybrid."""


class RetrieverSearcher:
    """A retriever over rules whose ids are their positions."""

    def __init__(self, retriever: Retriever) -> None:
        self._retriever = retriever

    def search(self, query: Query, *, top_k: int) -> Sequence[int]:
        """Return the positions of the hits."""
        hits = self._retriever.retrieve(query.dialogue, top_k=top_k)
        return [int(hit.rule.rule_id) for hit in hits]


class TfidfEngine:
    """`tfidf`: DrQA's ranking over our own index."""

    def build(self, corpus: Corpus, *, folder: Path) -> None:
        """Write rules and index."""
        rules = StoredRules.write(folder / "rules", texts=corpus.texts())
        Tfidf.build(rules).save(folder / "words")

    def open(self, folder: Path) -> RetrieverSearcher:
        """Return the retriever, memory-mapped."""
        rules = StoredRules(folder / "rules")
        return RetrieverSearcher(Tfidf.load(folder / "words", rules=rules))


class Bm25Engine:
    """`bm25`: words, pairs of words and stems."""

    def build(self, corpus: Corpus, *, folder: Path) -> None:
        """Write rules and index."""
        rules = StoredRules.write(folder / "rules", texts=corpus.texts())
        Bm25.build(rules).save(folder / "words")

    def open(self, folder: Path) -> RetrieverSearcher:
        """Return the retriever, memory-mapped."""
        rules = StoredRules(folder / "rules")
        return RetrieverSearcher(Bm25.load(folder / "words", rules=rules))


class HybridEngine:
    """`hybrid`: encodes the dialogue, then words and vectors over a shortlist of both."""

    def build(self, corpus: Corpus, *, folder: Path) -> None:
        """Write rules, index of words and index of vectors."""
        Bm25Engine().build(corpus, folder=folder)
        NearestIndex.build(corpus.blocks(), folder=folder / "vectors")

    def open(self, folder: Path) -> RetrieverSearcher:
        """Return the retriever with its encoder, memory-mapped."""
        rules = StoredRules(folder / "rules")
        hybrid = ShortlistHybrid(
            words=Bm25.load(folder / "words", rules=rules),
            nearest=NearestIndex.open(folder / "vectors"),
            encoder=OnnxEncoder.load(Path(os.environ[ENCODER_VARIABLE])),
        )
        return RetrieverSearcher(hybrid)


class ExactHybridEngine:
    """`hybrid` without a graph: every vector is compared, as is right up to some ten thousands."""

    def build(self, corpus: Corpus, *, folder: Path) -> None:
        """Write rules, index of words and all vectors."""
        Bm25Engine().build(corpus, folder=folder)
        NumpyFlat().build(corpus, folder=folder)

    def open(self, folder: Path) -> RetrieverSearcher:
        """Return the retriever with its encoder."""
        rules = tuple(StoredRules(folder / "rules"))
        dense = Dense(
            rules,
            vectors=np.load(folder / "vectors.npy", mmap_mode="r"),
            encoder=OnnxEncoder.load(Path(os.environ[ENCODER_VARIABLE])),
        )
        words = Bm25.load(folder / "words", rules=StoredRules(folder / "rules"))
        return RetrieverSearcher(Hybrid(words=words, dense=dense))


class NearestEngine:
    """`nearest`: the index of vectors that the hybrid uses, alone."""

    def build(self, corpus: Corpus, *, folder: Path) -> None:
        """Write the index of vectors."""
        NearestIndex.build(corpus.blocks(), folder=folder / "vectors")

    def open(self, folder: Path) -> NearestSearcher:
        """Return the index, memory-mapped."""
        return NearestSearcher(NearestIndex.open(folder / "vectors"))


class NearestSearcher:
    """The graph's shortlist, ranked by exact similarity."""

    def __init__(self, index: NearestIndex) -> None:
        self._index = index

    def search(self, query: Query, *, top_k: int) -> Sequence[int]:
        """Return the best of a shortlist of a hundred."""
        vector = query.known_vector()
        places = self._index.nearest(vector, top_k=max(100, top_k))
        similar = self._index.similarities(vector, places=places)
        return [int(place) for place in places[(-similar).argsort()[:top_k]]]
