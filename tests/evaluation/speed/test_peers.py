from __future__ import annotations

import importlib.util
from pathlib import Path

import numpy as np
import pytest

from clausewise.evaluation.speed.engines import ENGINES, Corpus, EngineEntry, Kind, Query
from clausewise.evaluation.speed.passages import PassageSource
from clausewise.evaluation.speed.vectors import PassageVectors, word_vectors
from clausewise.evaluation.speed.worker import make
from clausewise.types import Dialogue

TEXTS = (
    "You may keep hens on an allotment.",
    "A stall costs twenty pounds a day and must be paid in advance.",
    "Dogs stay outside the market hall.",
    "A library card is free for children.",
    "Late books cost a fine of ten pence.",
)
QUESTION = "Is a library card free for children?"


def corpus() -> Corpus:
    source = PassageSource.of(TEXTS)
    vectors = PassageVectors(source=source, sentences=word_vectors(source.distinct))
    return Corpus(source=source, count=len(TEXTS), vectors=vectors)


@pytest.mark.parametrize(
    "entry",
    [entry for entry in ENGINES if entry.kind is not Kind.HYBRID],
    ids=lambda entry: entry.name,
)
def test_every_engine_finds_the_passage_that_answers(entry: EngineEntry, tmp_path: Path) -> None:
    for package in entry.needs:
        if importlib.util.find_spec(package) is None:
            pytest.skip(f"{package} is not installed")
    engine = make(entry.name)
    engine.build(corpus(), folder=tmp_path)
    query = Query(dialogue=Dialogue(question=QUESTION), vector=word_vectors([QUESTION])[0])
    found = engine.open(tmp_path).search(query, top_k=3)
    assert found[0] == 3
    assert np.all(np.array(found) < len(TEXTS))
