from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import numpy as np
import pytest
from numpy.typing import NDArray

from clausewise.evaluation.speed.vectors import word_vectors
from clausewise.retrievers.bm25 import Bm25
from clausewise.retrievers.dense import Dense
from clausewise.retrievers.hybrid import Hybrid
from clausewise.retrievers.nearest import NearestIndex
from clausewise.retrievers.shortlist import ShortlistHybrid
from clausewise.types import Dialogue, Turn
from tests.retrievers.rules import RULES, dialogue

pytest.importorskip("faiss")


class WordEncoder:
    """Vectors of the words alone: texts that share words lie close."""

    name = "words"

    def encode(self, texts: Sequence[str]) -> NDArray[np.float32]:
        return word_vectors(texts)


@pytest.fixture
def shortlist(tmp_path: Path) -> ShortlistHybrid:
    vectors = word_vectors([rule.text for rule in RULES])
    nearest = NearestIndex.build([vectors], folder=tmp_path)
    return ShortlistHybrid(words=Bm25.build(RULES), nearest=nearest, encoder=WordEncoder())


def exact() -> Hybrid:
    vectors = word_vectors([rule.text for rule in RULES])
    dense = Dense(RULES, vectors=vectors, encoder=WordEncoder())
    return Hybrid(words=Bm25.build(RULES), dense=dense)


ASKED = Dialogue(
    question="Can I rent an allotment?",
    scenario="I live in the town.",
    turns=(
        Turn(question="Are you at least 18 years old?", answer="Yes"),
        Turn(question="Do your neighbours agree?", answer="No, they don't."),
    ),
)


@pytest.mark.parametrize(
    "asked", [dialogue("May I keep hens?"), ASKED], ids=["first turn", "later"]
)
def test_hits_and_scores_are_those_of_comparing_everything(
    shortlist: ShortlistHybrid, asked: Dialogue
) -> None:
    found = shortlist.retrieve(asked, top_k=5)
    expected = exact().retrieve(asked, top_k=5)
    assert [hit.rule for hit in found] == [hit.rule for hit in expected]
    scores = [hit.score for hit in expected]
    # Vectors in half precision: equal to about three digits.
    assert [hit.score for hit in found] == pytest.approx(scores, abs=0.02)


def test_no_more_than_asked_for_is_returned(shortlist: ShortlistHybrid) -> None:
    assert len(shortlist.retrieve(dialogue("Can I keep hens?"), top_k=2)) == 2
    assert shortlist.retrieve(dialogue("Can I keep hens?"), top_k=0) == ()


def test_a_dialogue_without_a_known_word_is_answered_by_vectors(
    shortlist: ShortlistHybrid,
) -> None:
    assert len(shortlist.retrieve(dialogue("zzz"), top_k=3)) == 3


def test_of_nothing_nothing_is_found(shortlist: ShortlistHybrid) -> None:
    assert shortlist.retrieve(dialogue(" ?"), top_k=5) == ()
