"""The rules whose vectors lie nearest, among so many that not all of them can be compared.

Comparing a vector with a million others takes a tenth of a second. A graph of neighbours (HNSW,
Malkov and Yashunin 2018) over vectors in bytes finds nearly the same rules in a hundredth of that;
what it finds is compared again with the vectors in half precision, so that only who is found is
approximate and never the similarity. The graph is faiss's: `docs/benchmarks.md` has the figures of
the libraries that were compared. Both parts are memory-mapped.
"""

from __future__ import annotations

import json
import math
from dataclasses import dataclass
from itertools import chain
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from clausewise.errors import MissingExtraError, RuleTextError, Where

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from pathlib import Path
    from types import ModuleType

    from faiss import IndexHNSWSQ

Floats = NDArray[np.float32]
Places = NDArray[np.intp]

FORMAT = 2
_SAMPLED = 2048
"""How many rules tell how similar a text is to an average one."""
_LEARNT_FROM = 16_384
"""How many vectors tell the range of each dimension, which the bytes then divide."""


@dataclass(frozen=True, slots=True, kw_only=True)
class GraphOptions:
    """How carefully the graph is built and searched: more finds more and takes longer."""

    links: int = 32
    """How many neighbours a vector is linked to (M)."""
    breadth_of_building: int = 100
    """How many candidates are kept while a vector is linked (efConstruction)."""
    breadth_of_search: int = 128
    """How many candidates are kept while a query walks along the links (efSearch)."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Spread:
    """How similar a text is to an average rule, and how much rules differ in that."""

    mean: float
    deviation: float


class NearestIndex:
    """The vectors of rules in a folder: a graph to find them by, and themselves to compare."""

    def __init__(self, graph: IndexHNSWSQ, *, vectors: NDArray[np.float16], sample: Floats) -> None:
        self._graph = graph
        self._vectors = vectors
        self._sample = sample

    @classmethod
    def build(
        cls,
        blocks: Iterable[Floats],
        *,
        folder: Path,
        options: GraphOptions = GraphOptions(),
    ) -> NearestIndex:
        """Write the index of vectors, given in blocks [rules, dimensions], and return it open."""
        folder.mkdir(parents=True, exist_ok=True)
        rest = iter(blocks)
        first = _first(rest, count=_LEARNT_FROM)
        if not len(first):
            raise RuleTextError("holds no vectors, expected at least one", where=_at(folder))
        graph = _empty_graph(first.shape[1], options=options)
        graph.train(first)
        with (folder / "vectors.f16").open("wb") as kept:
            for block in chain([first], rest):
                graph.add(np.ascontiguousarray(block, np.float32))
                kept.write(block.astype("<f2").tobytes())
        _faiss().write_index(graph, str(folder / "graph.faiss"))
        kept_vectors = _mapped(folder, shape=(graph.ntotal, graph.d))
        # A file of its own: picked out of all vectors it would cost a read of the disk each.
        step = max(1, graph.ntotal // _SAMPLED)
        np.save(folder / "sample.npy", kept_vectors[::step].astype(np.float32))
        said = {"format": FORMAT, "count": graph.ntotal, "dimensions": graph.d}
        (folder / "config.json").write_text(json.dumps(said, indent=2) + "\n", "utf-8")
        return cls.open(folder, breadth_of_search=options.breadth_of_search)

    @classmethod
    def open(cls, folder: Path, *, breadth_of_search: int = 128) -> NearestIndex:
        """Return the index in a folder, memory-mapped."""
        try:
            said = json.loads((folder / "config.json").read_text("utf-8"))
            if said["format"] != FORMAT:
                message = f"has format {said['format']!r}, expected {FORMAT}: build the index again"
                raise RuleTextError(message, where=_at(folder))
            vectors = _mapped(folder, shape=(said["count"], said["dimensions"]))
            sample = np.load(folder / "sample.npy", allow_pickle=False)
            faiss = _faiss()
            graph = faiss.read_index(str(folder / "graph.faiss"), faiss.IO_FLAG_MMAP_IFC)
        except (OSError, ValueError, KeyError, RuntimeError) as error:
            message = f"is no index of vectors ({error}), expected a folder written by `build`"
            raise RuleTextError(message, where=_at(folder)) from error
        graph.hnsw.efSearch = breadth_of_search
        return cls(graph, vectors=vectors, sample=sample)

    def __len__(self) -> int:
        return len(self._vectors)

    def nearest(self, vector: Floats, *, top_k: int) -> Places:
        """Return the places of about the `top_k` rules with the highest inner product."""
        # [1, dimensions] -> [1, top_k]; -1 fills up where the graph found fewer.
        _, found = self._graph.search(np.ascontiguousarray(vector[None, :]), min(top_k, len(self)))
        places: Places = found[0][found[0] >= 0].astype(np.intp)
        return places

    def similarities(self, vector: Floats, *, places: Places) -> Floats:
        """Return the inner products of the vector and the rules at these places."""
        products: Floats = self._vectors[places].astype(np.float32) @ vector
        return products

    def spread(self, vector: Floats) -> Spread:
        """Return mean and deviation of the inner products, estimated from a sample of rules."""
        products = self._sample @ vector
        return Spread(mean=float(products.mean()), deviation=math.sqrt(float(products.var())))


def _empty_graph(dimensions: int, *, options: GraphOptions) -> IndexHNSWSQ:
    faiss = _faiss()
    graph = faiss.IndexHNSWSQ(
        dimensions, faiss.ScalarQuantizer.QT_8bit, options.links, faiss.METRIC_INNER_PRODUCT
    )
    graph.hnsw.efConstruction = options.breadth_of_building
    return graph


def _mapped(folder: Path, *, shape: tuple[int, int]) -> NDArray[np.float16]:
    # A plain view: memmap's own slicing is several times slower.
    return np.asarray(np.memmap(folder / "vectors.f16", dtype="<f2", mode="r", shape=shape))


def _first(blocks: Iterator[Floats], *, count: int) -> Floats:
    """Return the first blocks as one, with at least `count` vectors if there are as many."""
    taken: list[Floats] = []
    for block in blocks:
        taken.append(block)
        if sum(map(len, taken)) >= count:
            break
    return np.concatenate(taken) if taken else np.zeros((0, 0), np.float32)


def _faiss() -> ModuleType:
    try:
        import faiss  # noqa: PLC0415 - an extra
    except ImportError as error:
        raise MissingExtraError("Searching very many vectors", extra="large") from error
    module: ModuleType = faiss
    return module


def _at(folder: Path) -> Where:
    return Where(file=str(folder))
