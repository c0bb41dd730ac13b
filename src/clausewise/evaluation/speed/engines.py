"""What is measured: one small interface in front of every way of finding passages.

`build` writes an index into a folder and `open` reads it back, because that is how an index is
used; an engine that can't be kept on disk builds in `open`. Imports of peers stand inside the
functions: none of them is needed to run Clausewise, and loading them belongs to the cold start.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from enum import Enum
from pathlib import Path
from typing import Protocol

from clausewise.evaluation.speed.passages import PassageSource
from clausewise.evaluation.speed.vectors import PassageVectors, Vectors
from clausewise.types import Dialogue


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Corpus:
    """The passages to index."""

    source: PassageSource
    count: int
    vectors: PassageVectors | None = None
    """None where no engine needs any."""

    def texts(self) -> Iterator[str]:
        """Return the text of each passage."""
        return (passage.text for passage in self.source.passages(self.count))

    def blocks(self) -> Iterator[Vectors]:
        """Return the vectors of the passages, block by block."""
        if self.vectors is None:
            raise ValueError("this corpus was made without vectors")
        return self.vectors.blocks(self.count)


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Query:
    """A question as a person asks it, and its vector for the engines that don't encode."""

    dialogue: Dialogue
    vector: Vectors | None = None

    @property
    def text(self) -> str:
        """Question and scenario, as the papers' retrievers get them."""
        return f"{self.dialogue.question} {self.dialogue.scenario}".strip()

    def known_vector(self) -> Vectors:
        """Return the vector; a bug where there is none."""
        if self.vector is None:
            raise ValueError("this query was made without a vector")
        return self.vector


class Searcher(Protocol):
    """An index that is open."""

    def search(self, query: Query, *, top_k: int) -> Sequence[int]:
        """Return the positions of the best passages, best first."""
        ...


class Engine(Protocol):
    """A way of finding passages."""

    def build(self, corpus: Corpus, *, folder: Path) -> None:
        """Write the index of the passages into an empty folder."""
        ...

    def open(self, folder: Path) -> Searcher:
        """Return the index in the folder, ready for queries."""
        ...


class Kind(Enum):
    """What an engine compares, and so which engines it can be compared with."""

    LEXICAL = "lexical"
    DENSE = "dense"
    HYBRID = "hybrid"


@dataclass(frozen=True, slots=True, kw_only=True)
class EngineEntry:
    """A line of the table of engines."""

    name: str
    kind: Kind
    made_by: str
    """`module:Class`, imported only in the process that measures it."""
    needs: tuple[str, ...] = ()
    """The modules of the `bench` extra without which it can't run."""
    largest: int | None = None
    """The most passages it is asked to handle; it is too slow beyond."""
    truth: str | None = None
    """The engine that finds exactly what this one approximates; None where it is exact itself."""
    ours: bool = False


_HERE = "clausewise.evaluation.speed"

ENGINES: tuple[EngineEntry, ...] = (
    EngineEntry(name="tfidf", kind=Kind.LEXICAL, made_by=f"{_HERE}.ours:TfidfEngine", ours=True),
    EngineEntry(name="bm25", kind=Kind.LEXICAL, made_by=f"{_HERE}.ours:Bm25Engine", ours=True),
    EngineEntry(
        name="scipy-tfidf",
        kind=Kind.LEXICAL,
        made_by=f"{_HERE}.lexical_peers:ScipyTfidf",
        needs=("scipy",),
    ),
    EngineEntry(
        name="bm25s", kind=Kind.LEXICAL, made_by=f"{_HERE}.lexical_peers:Bm25s", needs=("bm25s",)
    ),
    EngineEntry(
        name="rank-bm25",
        kind=Kind.LEXICAL,
        made_by=f"{_HERE}.lexical_peers:RankBm25",
        needs=("rank_bm25",),
        largest=10_000,
    ),
    EngineEntry(
        name="tantivy",
        kind=Kind.LEXICAL,
        made_by=f"{_HERE}.lexical_peers:Tantivy",
        needs=("tantivy",),
    ),
    EngineEntry(
        name="hybrid",
        kind=Kind.HYBRID,
        made_by=f"{_HERE}.ours:HybridEngine",
        needs=("onnxruntime", "tokenizers", "faiss"),
        truth="hybrid-exact",
        ours=True,
    ),
    EngineEntry(
        name="hybrid-exact",
        kind=Kind.HYBRID,
        made_by=f"{_HERE}.ours:ExactHybridEngine",
        needs=("onnxruntime", "tokenizers"),
        largest=100_000,
        ours=True,
    ),
    EngineEntry(
        name="nearest",
        kind=Kind.DENSE,
        made_by=f"{_HERE}.ours:NearestEngine",
        needs=("faiss",),
        truth="numpy-flat",
        ours=True,
    ),
    EngineEntry(name="numpy-flat", kind=Kind.DENSE, made_by=f"{_HERE}.dense_peers:NumpyFlat"),
    EngineEntry(
        name="faiss-flat",
        kind=Kind.DENSE,
        made_by=f"{_HERE}.dense_peers:FaissFlat",
        needs=("faiss",),
    ),
    EngineEntry(
        name="faiss-hnsw",
        kind=Kind.DENSE,
        made_by=f"{_HERE}.dense_peers:FaissHnsw",
        needs=("faiss",),
        truth="numpy-flat",
    ),
    EngineEntry(
        name="usearch",
        kind=Kind.DENSE,
        made_by=f"{_HERE}.dense_peers:Usearch",
        needs=("usearch",),
        truth="numpy-flat",
    ),
    EngineEntry(
        name="usearch-i8",
        kind=Kind.DENSE,
        made_by=f"{_HERE}.dense_peers:UsearchInt8",
        needs=("usearch",),
        truth="numpy-flat",
    ),
)
