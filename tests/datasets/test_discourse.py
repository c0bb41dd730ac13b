from __future__ import annotations

import gzip
import json
from pathlib import Path

import pytest

from clausewise.datasets.discourse import HELD_OUT_DOCUMENTS, MarkedSentence, read_documents
from clausewise.errors import DataError
from tests.data import DATA, needs_data

UNITS = [
    {"edu": "You 'll row", "sentence": 1},
    {"edu": "if it does n't rain .", "sentence": 1},
    {"edu": "Nobody - else rows .", "sentence": 2},
]
LINE = json.dumps({"document": "GUM_news_boats", "edus": UNITS})


def test_units_become_sentences_with_marked_words(tmp_path: Path) -> None:
    path = tmp_path / "documents.jsonl"
    path.write_text(LINE + "\n", "utf-8")
    (document,) = read_documents(path)
    assert document.name == "GUM_news_boats"
    assert document.sentences == (
        MarkedSentence(
            words=("You", "'ll", "row", "if", "it", "does", "n't", "rain", "."),
            begins=frozenset({0, 3}),
        ),
        MarkedSentence(words=("Nobody", "-", "else", "rows", "."), begins=frozenset({0})),
    )


def test_packed_documents_are_read_too(tmp_path: Path) -> None:
    plain, packed = tmp_path / "d.jsonl", tmp_path / "d.jsonl.gz"
    plain.write_text(LINE, "utf-8")
    packed.write_bytes(gzip.compress(LINE.encode()))
    assert read_documents(packed) == read_documents(plain)


def test_a_broken_archive_is_one_clear_error(tmp_path: Path) -> None:
    path = tmp_path / "d.jsonl.gz"
    path.write_bytes(gzip.compress(LINE.encode())[:-12])
    with pytest.raises(DataError, match=r"d\.jsonl\.gz: can't be read"):
        read_documents(path)


def test_a_unit_without_its_sentence_is_named(tmp_path: Path) -> None:
    path = tmp_path / "d.jsonl"
    path.write_text(json.dumps({"document": "d", "edus": [{"edu": "Row"}]}), "utf-8")
    with pytest.raises(DataError, match=r"edus\[0\]\.sentence: expected a whole number"):
        read_documents(path)


@needs_data
def test_twenty_documents_of_all_genres_only_measure() -> None:
    documents = read_documents(DATA / "gum_edus" / "gum_edus.jsonl.gz")
    names = {document.name for document in documents}
    assert names >= HELD_OUT_DOCUMENTS
    assert len(HELD_OUT_DOCUMENTS) == 20
    assert {name.split("_")[1] for name in HELD_OUT_DOCUMENTS} == {
        name.split("_")[1] for name in names
    }
