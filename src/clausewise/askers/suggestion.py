"""A rule and the question that a template would ask, side by side: what the trained asker reads.

The template is right more often than not. With its words at hand a small network needs to learn
only where to leave them, not how to write questions.
"""

from __future__ import annotations

import dataclasses
from dataclasses import dataclass

import numpy as np

from clausewise.askers.copying import Source
from clausewise.encoder.rules import EncodedRule, EncodesRules
from clausewise.protocols import Asker
from clausewise.structure.wording import Wording
from clausewise.text import Piece
from clausewise.trees.values import Span
from clausewise.types import RuleText


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Reading:
    """A rule's words with a suggestion's behind them, and the condition to ask about."""

    encoded: EncodedRule
    """Of both."""
    source: Source
    first: int
    last: int
    """The condition is the words [first, last) of the rule."""
    suggestion: str


def read(span: Span, *, rule: RuleText, encoder: EncodesRules, template: Asker) -> Reading | None:
    """Return what an asker reads; None where the span has no word that the encoder reads."""
    encoded = encoder.encode(rule.text)
    place = encoded.wording.place(span)
    if place is None:
        return None
    suggestion = template.ask(span, rule=rule)
    suggested = encoder.encode(suggestion.rstrip("? "))
    both = _joined(encoded, suggested)
    return Reading(
        encoded=both,
        source=Source.of(both.wording, suggested=len(suggested.wording.words)),
        first=place[0],
        last=place[1],
        suggestion=suggestion,
    )


def _joined(rule: EncodedRule, suggested: EncodedRule) -> EncodedRule:
    """Return the words of both as if they stood in one text."""
    start = len(rule.wording.text) + 1
    words = tuple(
        Piece(start=start + word.start, text=word.text) for word in suggested.wording.words
    )
    wording = Wording(
        text=f"{rule.wording.text}\n{suggested.wording.text}",
        words=(*rule.wording.words, *words),
        marks=(*rule.wording.marks, *suggested.wording.marks),
    )
    vectors = np.concatenate([rule.vectors, suggested.vectors])
    return dataclasses.replace(rule, wording=wording, vectors=vectors)
