from __future__ import annotations

import numpy as np

from clausewise.evaluation.speed.passages import PassageSource
from clausewise.evaluation.speed.vectors import PassageVectors, word_vectors

TEXTS = ("You may keep hens. You may not keep cockerels.", "Dogs stay outside.")


def vectors() -> PassageVectors:
    source = PassageSource.of(TEXTS)
    return PassageVectors(source=source, sentences=word_vectors(source.distinct))


def test_texts_that_share_words_lie_closer_than_those_that_do_not() -> None:
    hens, more_hens, dogs = word_vectors(["keep hens", "hens in gardens", "dogs outside"])
    assert hens @ more_hens > hens @ dogs + 0.2


def test_every_vector_has_length_one_and_none_is_another() -> None:
    (block,) = vectors().blocks(50)
    assert np.allclose(np.linalg.norm(block, axis=1), 1, atol=1e-5)
    assert len(np.unique(block, axis=0)) == 50


def test_a_passage_lies_close_to_its_own_sentences() -> None:
    made = vectors()
    (block,) = made.blocks(2)
    mean = made.sentences[:2].mean(axis=0)
    assert block[0] @ (mean / np.linalg.norm(mean)) > 0.9


def test_the_vectors_are_the_same_however_many_are_asked_for() -> None:
    many = np.concatenate(list(vectors().blocks(4200)))
    few = np.concatenate(list(vectors().blocks(4100)))
    assert len(many) == 4200
    assert np.array_equal(many[:4100], few)
