from __future__ import annotations

from clausewise.build import build_segmenter
from clausewise.segmenters.clauses import ClauseSegmenter
from clausewise.segmenters.sentences import SentenceSegmenter


def test_segmenters_are_built_by_name() -> None:
    assert isinstance(build_segmenter("clauses"), ClauseSegmenter)
    assert isinstance(build_segmenter("sentences"), SentenceSegmenter)
