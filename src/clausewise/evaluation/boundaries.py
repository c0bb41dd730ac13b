"""How well a tagger finds where discourse units begin, sentences given.

`boundary F1` counts every beginning, as the shared tasks of the field do (DISRPT, treebanked); the
first word of a sentence is one that nobody can miss, so `inner F1` counts the others alone.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING

from clausewise.datasets.discourse import MarkedSentence

if TYPE_CHECKING:
    from clausewise.segmenters.neural import MarksUnits


def boundary_scores(
    tagger: MarksUnits, sentences: Iterable[MarkedSentence], *, threshold: float = 0.5
) -> Mapping[str, float]:
    """Return precision, recall and F1 of the beginnings found, in percent."""
    right = found = marked = given = 0
    for sentence in sentences:
        likely = tagger.begins(sentence.words)
        inner = {place for place in range(1, len(likely)) if likely[place] >= threshold}
        wanted = sentence.begins - {0}
        right += len(inner & wanted)
        found += len(inner)
        marked += len(wanted)
        given += 1
    return {
        "boundary F1": _f1(right + given, found=found + given, marked=marked + given),
        "inner F1": _f1(right, found=found, marked=marked),
        "inner precision": _percent(right, found),
        "inner recall": _percent(right, marked),
    }


def _f1(right: int, *, found: int, marked: int) -> float:
    return _percent(2 * right, found + marked)


def _percent(part: int, whole: int) -> float:
    return round(100 * part / max(1, whole), 2)
