"""What every segmenter must do, whatever it takes for a unit."""

from __future__ import annotations

from itertools import pairwise

import pytest

from clausewise.protocols import Segmenter
from clausewise.segmenters.clauses import ClauseSegmenter
from clausewise.segmenters.neural import NeuralSegmenter
from clausewise.segmenters.sentences import SentenceSegmenter
from tests.segmenters.taggers import BeginsAt

TAGGER = BeginsAt(words=frozenset({"if", "and", "unless", "who"}))
COVERING: dict[str, Segmenter] = {
    "sentences": SentenceSegmenter(),
    "neural": NeuralSegmenter(tagger=TAGGER),
    "neural, unmerged": NeuralSegmenter(tagger=TAGGER, merged=False),
}
EVERY: dict[str, Segmenter] = {"clauses": ClauseSegmenter(), **COVERING}
TEXT = """# Moorings

You can moor here if you own a boat and have insured it. Anyone who rents must ask,
unless the harbour is closed.

You need:

* a card
* two fenders; and
* a rope
"""

every_segmenter = pytest.mark.parametrize("segmenter", EVERY.values(), ids=EVERY.keys())
every_covering_segmenter = pytest.mark.parametrize(
    "segmenter", COVERING.values(), ids=COVERING.keys()
)


@every_segmenter
def test_spans_cut_the_text_in_order_without_overlap(segmenter: Segmenter) -> None:
    spans = segmenter.segment(TEXT)
    assert all(span.cut(TEXT) == span.cut(TEXT).strip() != "" for span in spans)
    assert all(left.end <= right.start for left, right in pairwise(spans))


@every_segmenter
def test_the_same_text_gives_the_same_spans(segmenter: Segmenter) -> None:
    assert segmenter.segment(TEXT) == segmenter.segment(TEXT)


@every_segmenter
def test_every_item_of_a_list_is_found(segmenter: Segmenter) -> None:
    cut = [span.cut(TEXT) for span in segmenter.segment(TEXT)]
    for item in ("a card", "two fenders", "a rope"):
        assert sum(item in unit for unit in cut) == 1


@every_segmenter
def test_a_blank_text_has_no_units(segmenter: Segmenter) -> None:
    assert segmenter.segment(" \n\t\n") == ()


@every_covering_segmenter
def test_everything_but_white_space_is_in_a_unit(segmenter: Segmenter) -> None:
    outside = list(TEXT)
    for span in segmenter.segment(TEXT):
        outside[span.start : span.end] = [""] * (span.end - span.start)
    assert "".join(outside).strip() == ""
