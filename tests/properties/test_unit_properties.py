from __future__ import annotations

import zlib
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given, settings
from numpy.typing import NDArray

from clausewise.protocols import Segmenter
from clausewise.segmenters.neural import NeuralSegmenter
from clausewise.segmenters.sentences import SentenceSegmenter
from clausewise.structure.passages import passages, without_marker
from tests.properties.test_segmentation_properties import TEXTS


@dataclass(frozen=True, slots=True, kw_only=True)
class ByHash:
    """Begins units at words without any sense, always the same ones."""

    def begins(self, words: Sequence[str]) -> NDArray[np.float32]:
        return np.array([zlib.crc32(word.encode()) % 2 for word in words], np.float32)


SEGMENTERS: dict[str, Segmenter] = {
    "sentences": SentenceSegmenter(),
    "neural": NeuralSegmenter(tagger=ByHash()),
    "neural, unmerged": NeuralSegmenter(tagger=ByHash(), merged=False),
}


@pytest.mark.parametrize("segmenter", SEGMENTERS.values(), ids=SEGMENTERS.keys())
@settings(max_examples=200, deadline=None)
@given(text=TEXTS)
def test_units_cover_any_text_but_its_white_space_in_order(segmenter: Segmenter, text: str) -> None:
    spans = segmenter.segment(text)
    assert all(span.cut(text) == span.cut(text).strip() != "" for span in spans)
    assert all(left.end <= right.start for left, right in pairwise(spans))
    covered = "".join(span.cut(text) for span in spans)
    assert "".join(covered.split()) == "".join(text.split())


@settings(max_examples=200, deadline=None)
@given(text=TEXTS)
def test_a_marker_taken_off_leaves_words(text: str) -> None:
    for passage in passages(text):
        bare = without_marker(passage.span, text=text)
        assert passage.span.start <= bare.start < bare.end == passage.span.end
