from __future__ import annotations

from itertools import pairwise

from hypothesis import given, settings
from hypothesis import strategies as st

from clausewise.segmenters.clauses import ClauseSegmenter
from clausewise.structure.layout import blocks

_WORDING = (
    "# Heading\n|\n\n|\n|* |** |  - |(a) |1. |if |If |unless |and |or |you must |anyone who |’"
    "|you live here|have a car|, |. |; |:|(|except |when |all of the following apply|£5 |—|\t|é"
)
_FRAGMENTS = st.sampled_from(_WORDING.split("|"))
TEXTS = st.one_of(st.text(max_size=80), st.lists(_FRAGMENTS, max_size=25).map("".join))


@settings(max_examples=300, deadline=None)
@given(text=TEXTS)
def test_spans_cut_the_text_in_order_without_overlap(text: str) -> None:
    spans = ClauseSegmenter().segment(text)
    assert all(span.start < span.end <= len(text) for span in spans)
    assert all(span.cut(text) == span.cut(text).strip() for span in spans)
    assert all(left.end <= right.start for left, right in pairwise(spans))


@settings(max_examples=200, deadline=None)
@given(text=TEXTS)
def test_a_text_with_a_word_has_a_condition(text: str) -> None:
    if any(character.isalpha() for character in text):
        assert ClauseSegmenter().segment(text)


@settings(max_examples=200, deadline=None)
@given(text=TEXTS)
def test_blocks_cover_the_text_in_order_and_parents_come_first(text: str) -> None:
    found = blocks(text)
    assert all(left.span.end <= right.span.start for left, right in pairwise(found))
    assert all(block.span.cut(text).strip() for block in found)
    assert all(b.parent is None or b.parent < place for place, b in enumerate(found))
