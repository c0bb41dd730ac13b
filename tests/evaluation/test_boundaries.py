from __future__ import annotations

from clausewise.datasets.discourse import MarkedSentence
from clausewise.evaluation.boundaries import boundary_scores
from tests.segmenters.taggers import BeginsAt


def sentence(text: str, *begins: int) -> MarkedSentence:
    return MarkedSentence(words=tuple(text.split()), begins=frozenset({0, *begins}))


def test_first_words_count_for_the_boundary_score_alone() -> None:
    sentences = [sentence("you may row if it rains", 3), sentence("nobody who swims rows", 1)]
    scores = boundary_scores(BeginsAt(words=frozenset({"if", "rows"})), sentences)
    # inner: one of two found is right, one of two marked is found; two first words beside them
    assert scores["inner F1"] == 50.0
    assert scores["boundary F1"] == 75.0


def test_a_first_word_that_was_found_is_not_counted_twice() -> None:
    scores = boundary_scores(BeginsAt(words=frozenset({"if"})), [sentence("if it rains", 0)])
    assert scores["boundary F1"] == 100.0
    assert scores["inner F1"] == 0.0
