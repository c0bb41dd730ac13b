"""The segmenter that reads the layout and the cue words of a rule text; it needs no model."""

from __future__ import annotations

from clausewise.structure.clauses import clauses
from clausewise.trees.values import Span


class ClauseSegmenter:
    """Finds conditions by list items, cue words and sentence ends."""

    def segment(self, text: str) -> tuple[Span, ...]:
        """Return the spans of the conditions; at least one where the text has a word."""
        return tuple(clause.span for clause in clauses(text))
