"""The segmenter that cuts a rule text at its sentences, list items and headings, no finer."""

from __future__ import annotations

from clausewise.structure.passages import passages
from clausewise.trees.values import Span


class SentenceSegmenter:
    """Takes every sentence, list item and heading for a unit."""

    def segment(self, text: str) -> tuple[Span, ...]:
        """Return the spans of the sentences; they cover the text but for its white space."""
        return tuple(passage.span for passage in passages(text))
