"""Documents cut into elementary discourse units by people, as JSON lines of the GUM corpus.

The corpus keeps its text in tokens with a blank between ("student - loan", "I 'm"); words are split
as everywhere else, so that what is learned here holds for rule texts as people write them.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from itertools import groupby
from pathlib import Path

from clausewise.datasets.records import Record, read_records
from clausewise.structure.wording import split_words

_HELD_OUT_LISTED = """
    GUM_academic_census GUM_academic_eegimaa GUM_bio_byron GUM_bio_holt GUM_bio_nida
    GUM_court_negligence GUM_interview_brotherhood GUM_interview_cyclone GUM_interview_libertarian
    GUM_news_nasa GUM_news_taxes GUM_news_warming GUM_speech_data GUM_speech_floyd
    GUM_textbook_evoethics GUM_textbook_union GUM_vlog_hiking GUM_vlog_london GUM_voyage_cleveland
    GUM_voyage_thailand
"""
HELD_OUT_DOCUMENTS = frozenset(_HELD_OUT_LISTED.split())
"""Twenty documents that only measure. Chosen once, before anything was trained: of each genre its
share of twenty (largest remainders), those whose names have the smallest SHA-256."""


@dataclass(frozen=True, slots=True, kw_only=True)
class MarkedSentence:
    """A sentence in words, and the words at which a unit begins; the first always is one."""

    words: tuple[str, ...]
    begins: frozenset[int]


@dataclass(frozen=True, slots=True, kw_only=True)
class MarkedDocument:
    """A document in sentences."""

    name: str
    sentences: tuple[MarkedSentence, ...]


def read_documents(path: Path) -> tuple[MarkedDocument, ...]:
    """Return the documents of a file of JSON lines, packed by gzip or not."""
    return tuple(_document(record) for record in read_records(path))


def _document(record: Record) -> MarkedDocument:
    units = [(unit.number("sentence"), unit.text("edu")) for unit in record.records("edus")]
    sentences = (
        _sentence(text for _, text in group)
        for _, group in groupby(units, key=lambda unit: unit[0])
    )
    return MarkedDocument(
        name=record.text("document"), sentences=tuple(one for one in sentences if one.words)
    )


def _sentence(units: Iterable[str]) -> MarkedSentence:
    words: list[str] = []
    begins = set()
    for unit in units:
        own = [word.text for word in split_words(unit)]
        if own:
            begins.add(len(words))
            words += own
    return MarkedSentence(words=tuple(words), begins=frozenset(begins))
