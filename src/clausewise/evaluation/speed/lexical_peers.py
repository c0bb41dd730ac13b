"""The lexical libraries that Clausewise is measured against, each used as its manual says."""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np

from clausewise.evaluation.speed.engines import Corpus, Query
from clausewise.retrievers.hashing import DRQA_BUCKETS, drqa_bucket
from clausewise.retrievers.words import drqa_terms

_WORD = re.compile(r"\w+")


class ScipyTfidf:
    """DrQA's ranker as its authors wrote it: a hashed sparse matrix in scipy."""

    def build(self, corpus: Corpus, *, folder: Path) -> None:
        """Write the weighted matrix of buckets by passages."""
        from scipy import sparse

        rows, columns, values = [], [], []
        for column, text in enumerate(corpus.texts()):
            counts = Counter(drqa_bucket(term) for term in drqa_terms(text))
            rows.append(np.fromiter(counts, np.int32, len(counts)))
            values.append(np.fromiter(counts.values(), np.float64, len(counts)))
            columns.append(np.full(len(counts), column, np.int32))
        entries = (np.concatenate(values), (np.concatenate(rows), np.concatenate(columns)))
        counted = sparse.csr_matrix(entries, shape=(DRQA_BUCKETS, corpus.count))
        idf = _idf(np.diff(counted.indptr), count=corpus.count)
        weighted = sparse.diags(idf).dot(counted.log1p()).tocsr()
        sparse.save_npz(folder / "matrix.npz", weighted, compressed=False)
        np.save(folder / "idf.npy", idf)

    def open(self, folder: Path) -> ScipySearcher:
        """Return the ranker with the matrix in memory."""
        from scipy import sparse

        matrix = sparse.load_npz(folder / "matrix.npz")
        return ScipySearcher(matrix, idf=np.load(folder / "idf.npy"))


class ScipySearcher:
    """One sparse product a query, as in DrQA's `closest_docs`."""

    def __init__(self, matrix: Any, *, idf: Any) -> None:
        from scipy import sparse

        self._matrix = matrix
        self._idf = idf
        self._row = sparse.csr_matrix

    def search(self, query: Query, *, top_k: int) -> Sequence[int]:
        """Return the passages with the highest inner product."""
        counts = Counter(drqa_bucket(term) for term in drqa_terms(query.text))
        buckets = np.fromiter(counts, np.int32, len(counts))
        values = np.log1p(np.fromiter(counts.values(), float, len(counts))) * self._idf[buckets]
        row = self._row((values, buckets, [0, len(counts)]), shape=(1, DRQA_BUCKETS))
        scores = row * self._matrix
        if len(scores.data) <= top_k:
            order = np.argsort(-scores.data)
        else:
            best = np.argpartition(-scores.data, top_k)[:top_k]
            order = best[np.argsort(-scores.data[best])]
        return [int(place) for place in scores.indices[order]]


def _idf(holding: Any, *, count: int) -> Any:
    return np.log((count - holding + 0.5) / (holding + 0.5)).clip(min=0)


class Bm25s:
    """bm25s with its own tokenizer and its defaults, memory-mapped."""

    def build(self, corpus: Corpus, *, folder: Path) -> None:
        """Write bm25s's scores of every word in every passage."""
        import bm25s

        index = bm25s.BM25()
        tokens = bm25s.tokenize(list(corpus.texts()), show_progress=False)
        index.index(tokens, show_progress=False)
        index.save(str(folder))

    def open(self, folder: Path) -> Bm25sSearcher:
        """Return the memory-mapped index."""
        import bm25s

        return Bm25sSearcher(bm25s.BM25.load(str(folder), mmap=True), tokenize=bm25s.tokenize)


class Bm25sSearcher:
    """bm25s over words as strings."""

    def __init__(self, index: Any, *, tokenize: Any) -> None:
        self._index = index
        self._tokenize = tokenize

    def search(self, query: Query, *, top_k: int) -> Sequence[int]:
        """Return what bm25s retrieves."""
        tokens = self._tokenize(query.text, return_ids=False, show_progress=False)
        found = self._index.retrieve(tokens, k=top_k, show_progress=False, n_threads=0)
        return [int(place) for place in found.documents[0]]


class RankBm25:
    """rank-bm25, which lives in memory only: its texts are kept and it is built on opening."""

    def build(self, corpus: Corpus, *, folder: Path) -> None:
        """Write the texts."""
        (folder / "texts.json").write_text(json.dumps(list(corpus.texts())), "utf-8")

    def open(self, folder: Path) -> RankBm25Searcher:
        """Return the index, built anew."""
        from rank_bm25 import BM25Okapi

        texts = json.loads((folder / "texts.json").read_text("utf-8"))
        return RankBm25Searcher(BM25Okapi([_words(text) for text in texts]))


class RankBm25Searcher:
    """rank-bm25 scores every passage."""

    def __init__(self, index: Any) -> None:
        self._index = index

    def search(self, query: Query, *, top_k: int) -> Sequence[int]:
        """Return the best of all scores."""
        scores = self._index.get_scores(_words(query.text))
        return [int(place) for place in np.argsort(-scores)[:top_k]]


class Tantivy:
    """tantivy, English stems without stop words or positions, one writer thread."""

    def build(self, corpus: Corpus, *, folder: Path) -> None:
        """Write the index, merged into one segment."""
        import tantivy

        index = _english(tantivy.Index(_tantivy_schema(), path=str(folder)))
        writer = index.writer(heap_size=500_000_000, num_threads=1)
        for number, text in enumerate(corpus.texts()):
            writer.add_document(tantivy.Document(number=number, text=text))
        writer.commit()
        writer.wait_merging_threads()

    def open(self, folder: Path) -> TantivySearcher:
        """Return the memory-mapped index."""
        import tantivy

        return TantivySearcher(_english(tantivy.Index.open(str(folder))))


class TantivySearcher:
    """tantivy's block-max search over the words of the query."""

    def __init__(self, index: Any) -> None:
        self._index = index
        self._searcher = index.searcher()

    def search(self, query: Query, *, top_k: int) -> Sequence[int]:
        """Return the numbers of the best passages."""
        words = " ".join(_words(query.text))
        parsed, _ = self._index.parse_query_lenient(words, ["text"])
        hits = self._searcher.search(parsed, top_k, count=False).hits
        return [self._searcher.doc(place)["number"][0] for _, place in hits]


def _tantivy_schema() -> Any:
    import tantivy

    builder = tantivy.SchemaBuilder()
    builder.add_unsigned_field("number", stored=True)
    builder.add_text_field("text", tokenizer_name="english", index_option="freq")
    return builder.build()


def _english(index: Any) -> Any:
    """Return the index with a tokenizer that leaves stop words out, as the other engines do."""
    from tantivy import Filter, TextAnalyzerBuilder, Tokenizer

    analyzer = TextAnalyzerBuilder(Tokenizer.simple()).filter(Filter.lowercase())
    analyzer = analyzer.filter(Filter.stopword("english")).filter(Filter.stemmer("english"))
    index.register_tokenizer("english", analyzer.build())
    return index


def _words(text: str) -> list[str]:
    return _WORD.findall(text.lower())
