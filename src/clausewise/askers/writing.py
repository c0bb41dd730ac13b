"""From words to the text of a question, and back: what the asker's network reads and writes."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from clausewise.structure.wording import Wording, lowered, split_words

BEGIN, END, UNKNOWN = "<begin>", "<end>", "<unknown>"
_ENDING = re.compile(r"\s*+\?*+\s*+$")
_NO_SPACE_BEFORE = re.compile(r"[.,;:!?%)\]’'”]|n['’]t$|['’]\w{1,2}$")
_NO_SPACE_AFTER = frozenset("([£$€“‘")
_PRONOUN = frozenset({"i"})


@dataclass(frozen=True, slots=True, kw_only=True)
class Written:
    """A word of a question that is being written."""

    word: str
    """In lower case, as the network knows it."""
    place: int | None = None
    """Which word of the rule it was copied from, as it stands there."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Draft:
    """A question and how sure the network is of it."""

    question: str
    probability: float
    """The geometric mean over its words."""


def question_words(question: str) -> list[str]:
    """Return the words of a question in lower case, without its question mark."""
    return [lowered(word.text) for word in split_words(_ENDING.sub("", question.strip()))]


def spelled(words: Sequence[Written], *, wording: Wording) -> str:
    """Return the question that some words make; copied words keep their letters and spaces."""
    text = ""
    previous: Written | None = None
    for word in words:
        space = _space(previous, word, wording=wording) if previous else ""
        text += space + _letters(word, wording=wording)
        previous = word
    return text[:1].upper() + text[1:] + "?"


def _letters(word: Written, *, wording: Wording) -> str:
    if word.place is None:
        return word.word.upper() if word.word in _PRONOUN else word.word
    letters = wording.words[word.place].text
    # The first word of a sentence or an item is written large there only; names are not known.
    first = wording.marks[word.place] // 3 % 2 == 1 or _opens_sentence(word.place, wording)
    lower = first and letters[1:] == letters[1:].lower() and letters[0].isalpha()
    return letters.lower() if lower else letters


def _opens_sentence(place: int, wording: Wording) -> bool:
    return place == 0 or wording.words[place - 1].text in {".", "!", "?", ":"}


def _space(previous: Written, word: Written, *, wording: Wording) -> str:
    if previous.place is not None and word.place == previous.place + 1:
        between = wording.text[wording.words[previous.place].end : wording.words[word.place].start]
        return " " if between.strip(" ") or between else ""
    if _NO_SPACE_BEFORE.match(word.word) or previous.word in _NO_SPACE_AFTER:
        return ""
    return " "
