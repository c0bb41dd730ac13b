"""The vector indexes that can stand behind a dense retriever, exact ones and approximate ones."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any, Literal

import numpy as np

from clausewise.evaluation.speed.engines import Corpus, Query

_LINKS = 32
"""Links of a node in the graphs of HNSW (M): the usual value for 384 dimensions."""
_BREADTH_OF_BUILDING = 100
_BREADTH_OF_SEARCH = 128


class NumpyFlat:
    """All inner products with numpy: the truth, and what an index has to beat."""

    def build(self, corpus: Corpus, *, folder: Path) -> None:
        """Write the vectors as one array."""
        blocks = corpus.blocks()
        first = next(blocks)
        shape = (corpus.count, first.shape[1])
        written = np.lib.format.open_memmap(
            folder / "vectors.npy", mode="w+", dtype=np.float32, shape=shape
        )
        start = 0
        for block in (first, *blocks):
            written[start : start + len(block)] = block
            start += len(block)
        written.flush()

    def open(self, folder: Path) -> NumpyFlatSearcher:
        """Return the memory-mapped vectors."""
        return NumpyFlatSearcher(np.load(folder / "vectors.npy", mmap_mode="r"))


class NumpyFlatSearcher:
    """One product of matrix and vector a query."""

    def __init__(self, vectors: Any) -> None:
        self._vectors = vectors

    def search(self, query: Query, *, top_k: int) -> Sequence[int]:
        """Return the passages with the highest inner product."""
        scores = self._vectors @ query.known_vector()
        if top_k >= len(scores):
            return [int(place) for place in np.argsort(-scores)]
        best = np.argpartition(-scores, top_k)[:top_k]
        return [int(place) for place in best[np.argsort(-scores[best])]]


class FaissFlat:
    """faiss, exact, by inner product."""

    def _empty(self, dimensions: int) -> Any:
        import faiss

        return faiss.IndexFlatIP(dimensions)

    def build(self, corpus: Corpus, *, folder: Path) -> None:
        """Write the index."""
        import faiss

        index = None
        for block in corpus.blocks():
            index = index or self._empty(block.shape[1])
            index.add(block)
        faiss.write_index(index, str(folder / "index.faiss"))

    def open(self, folder: Path) -> FaissSearcher:
        """Return the index, memory-mapped as far as faiss can."""
        import faiss

        faiss.omp_set_num_threads(1)
        flags = faiss.IO_FLAG_MMAP_IFC
        return FaissSearcher(faiss.read_index(str(folder / "index.faiss"), flags))


class FaissHnsw(FaissFlat):
    """faiss's HNSW graph over full vectors."""

    def _empty(self, dimensions: int) -> Any:
        import faiss

        index = faiss.IndexHNSWFlat(dimensions, _LINKS, faiss.METRIC_INNER_PRODUCT)
        index.hnsw.efConstruction = _BREADTH_OF_BUILDING
        index.hnsw.efSearch = _BREADTH_OF_SEARCH
        return index


class FaissSearcher:
    """Any index of faiss."""

    def __init__(self, index: Any) -> None:
        self._index = index

    def search(self, query: Query, *, top_k: int) -> Sequence[int]:
        """Return the nearest passages."""
        _, found = self._index.search(query.known_vector()[None, :], top_k)
        return [int(place) for place in found[0] if place >= 0]


class Usearch:
    """usearch's HNSW graph over vectors in half precision, memory-mapped."""

    precision: Literal["f16", "i8"] = "f16"

    def build(self, corpus: Corpus, *, folder: Path) -> None:
        """Write the index."""
        from usearch.index import Index

        index, start = None, 0
        for block in corpus.blocks():
            index = index or Index(
                ndim=block.shape[1],
                metric="ip",
                dtype=self.precision,
                connectivity=_LINKS,
                expansion_add=_BREADTH_OF_BUILDING,
                expansion_search=_BREADTH_OF_SEARCH,
            )
            index.add(np.arange(start, start + len(block)), block, threads=1)
            start += len(block)
        if index is not None:
            index.save(str(folder / "index.usearch"))

    def open(self, folder: Path) -> UsearchSearcher:
        """Return a view of the index on disk."""
        from usearch.index import Index

        index = Index.restore(str(folder / "index.usearch"), view=True)
        if index is None:
            raise FileNotFoundError(folder)
        index.expansion_search = _BREADTH_OF_SEARCH
        return UsearchSearcher(index)


class UsearchInt8(Usearch):
    """The same with vectors in bytes: a quarter of full precision."""

    precision = "i8"


class UsearchSearcher:
    """usearch, one thread."""

    def __init__(self, index: Any) -> None:
        self._index = index

    def search(self, query: Query, *, top_k: int) -> Sequence[int]:
        """Return the nearest passages."""
        found = self._index.search(query.known_vector(), top_k, threads=1)
        return [int(place) for place in found.keys]
