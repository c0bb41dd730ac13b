"""What a question so far says about which word of the rule comes next.

Most words of a good follow-up question stand in the rule, in the same order. So besides what a
network makes of them, every word of the rule carries plain signs: is it the one behind the word
that was just taken, is it the first of the condition that is not used yet. They make copying
something that needs not be learned from thousands of examples.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from clausewise.askers.verbs import base_of_gerund, base_of_past, base_of_present
from clausewise.structure.wording import Wording, lowered

SIGNS = 14
"""How many signs a word of the rule carries."""
OUTSIDE, INSIDE, BEGINS, SUGGESTED = range(4)
"""Where a word stands: outside the condition, inside it, as its first, or in a suggestion."""
PLACES = 4
_ABSENT = -1
Signs = NDArray[np.uint8]
Floats = NDArray[np.float32]
Integers = NDArray[np.int64]


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Source:
    """The words that a question can be made of: a rule's, as they stand and in their base form.

    Behind the rule's words stand those of a suggestion, the question that a template makes.
    """

    words: tuple[str, ...]
    """As the rule has them."""
    names: dict[str, int]
    """A number for every word and base form, in lower case."""
    surfaces: Integers
    """[words]; the number of each word."""
    bases: Integers
    """[words]; the number of each word's base form: 'live' for 'lives', 'be' for 'are'."""

    suggested: int
    """How many words at the end are the suggestion's."""

    @classmethod
    def of(cls, wording: Wording, *, suggested: int = 0) -> Source:
        """Return the words of a rule as a source; the last `suggested` are a suggestion's."""
        words = tuple(word.text for word in wording.words)
        plain = [lowered(word) for word in words]
        bases = [base_form(word) for word in plain]
        names = {name: place for place, name in enumerate(dict.fromkeys([*plain, *bases]))}
        return cls(
            words=words,
            names=names,
            surfaces=np.array([names[word] for word in plain], np.int64),
            bases=np.array([names[word] for word in bases], np.int64),
            suggested=suggested,
        )

    def places(self, *, first: int, last: int) -> Integers:
        """Return for every word where it stands, with the condition at the words [first, last)."""
        places = np.full(len(self.words), OUTSIDE, np.int64)
        places[first:last] = INSIDE
        places[first] = BEGINS
        places[len(places) - self.suggested :] = SUGGESTED
        return places

    def numbers(self, words: Sequence[str]) -> list[int]:
        """Return the numbers of some words in lower case; those not in the rule have none."""
        return [self.names.get(word, _ABSENT) for word in words]

    def signs(self, question: Sequence[int], *, places: Integers) -> Signs:
        """Return the signs of every word after the words of a question: [words, SIGNS]."""
        last, before = _last_two(question)
        inside = (places == INSIDE) | (places == BEGINS)
        suggested = places == SUGGESTED
        used = np.isin(self.surfaces, question)
        follows = _shifted(self.surfaces == last, by=1)
        signs = np.zeros((len(self.words), SIGNS), np.uint8)
        signs[:, 0] = follows
        signs[:, 1] = follows & _shifted(self.surfaces == before, by=2)
        signs[:, 2] = inside
        signs[:, 3] = inside & follows
        signs[:, 4] = places == BEGINS
        signs[:, 5] = used
        signs[:, 6] = _shifted(self.bases == last, by=1)
        signs[:, 7] = _shifted(self.surfaces == last, by=2)
        unused = ~used & ~np.isin(self.bases, question)
        signs[np.flatnonzero(inside & unused)[:1], 8] = 1
        signs[:, 9] = not question
        signs[:, 10] = suggested
        signs[:, 11] = suggested & follows
        signs[:, 12] = suggested & signs[:, 1].astype(np.bool_)
        signs[np.flatnonzero(suggested & unused)[:1], 13] = 1
        return signs

    def taken(self, question: Sequence[int], *, places: Integers) -> Floats:
        """Return how likely each word is the one that the question's last word was: [words]."""
        last, before = _last_two(question)
        same, base = self.surfaces == last, self.bases == last
        found = same | base
        weights = np.where(same, 1.0, 0.3) + 10.0 * _shifted(self.surfaces == before, by=1)
        weights = np.where(found, weights + 3.0 * (places != OUTSIDE), 0.0)
        shares: Floats = (weights / max(weights.sum(), 1e-9)).astype(np.float32)
        return shares


def base_form(word: str) -> str:
    """Return the base form of a word in lower case; a noun's without its plural."""
    if word in {"is", "are", "was", "were", "am"}:
        return "be"
    verb = base_of_past(word) or base_of_present(word) or base_of_gerund(word)
    plural = len(word) > 3 and word.endswith("s") and not word.endswith("ss")
    return verb or (word[:-1] if plural else word)


def _last_two(question: Sequence[int]) -> tuple[int, int]:
    """Return the last word and the one before; numbers below _ABSENT match nothing."""
    padded = [_ABSENT, _ABSENT, *question]
    last, before = padded[-1], padded[-2]
    return (last if last >= 0 else _ABSENT - 1, before if before >= 0 else _ABSENT - 1)


def _shifted(found: NDArray[np.bool_], *, by: int) -> NDArray[np.bool_]:
    shifted = np.zeros_like(found)
    shifted[by:] = found[: len(found) - by]
    return shifted
