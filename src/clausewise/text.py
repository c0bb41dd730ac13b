"""How the steps of a question's path see plain English text.

Segmenter, asker, compiler and judge must agree on what a word, a sentence and a content word is,
or a question that one of them wrote would not be recognised by the next.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import lru_cache

_WORD = re.compile(r"[£$€]?\d[\d,]*(?:\.\d+)?%?|[^\W\d_]+(?:['’][^\W\d_]+)*")
_SENTENCE_END = re.compile(
    r"[.!?]+[\"'”’)\]]*(?=\s+[\"'“‘(\[]*[A-Z0-9£$]|\s*$)|(?<=[a-z)]{2})\.(?=[A-Z][a-z])"
)
_BLANK = re.compile(r"\n[ \t]*\n")
_ABBREVIATION = re.compile(
    r"(?:\b(?:e\.g|i\.e|etc|mr|mrs|ms|dr|st|no|vs|inc|approx|sec|seq|u\.s|d\.c|[a-z])|^\s*\d{1,2})$",
    re.IGNORECASE,
)

_FUNCTION_WORDS_LISTED = """
    a about am an and any are as at be been being but by can could did do does doing done
    for from get got had has have having he her hers him his how i if in into is it its
    just may me might mine more must my of on or our ours out shall she should so some
    such than that the their theirs them then there these they this those to too up us was
    we were what when where which while who whom whose will with would you your yours
    yourself myself also etc ever currently either whether there's it's i'm i've i'd i'll
    you're you've you'd you'll we're we've they're they've that's
"""
FUNCTION_WORDS = frozenset(_FUNCTION_WORDS_LISTED.split())
"""Words that say how a sentence is built, not what it is about."""

_IRREGULAR_STEMS = {
    "children": "child", "wives": "wife", "lives": "live", "living": "live", "lived": "live",
    "died": "die", "dying": "die", "dies": "die", "paid": "pay", "left": "leave", "leaves": "leave",
    "sold": "sell", "bought": "buy", "lost": "lose", "born": "birth", "people": "person",
    "persons": "person", "got": "get", "gave": "give", "given": "give", "made": "make",
    "sent": "send", "told": "tell", "kept": "keep", "met": "meet", "held": "hold",
    "began": "begin", "begun": "begin", "spent": "spend", "taken": "take", "took": "take",
    "went": "go", "gone": "go", "wrote": "write", "written": "write", "built": "build",
}  # fmt: skip


@dataclass(frozen=True, slots=True, kw_only=True)
class Piece:
    """A stretch of a longer text and where it starts there."""

    start: int
    text: str

    @property
    def end(self) -> int:
        """The offset just behind it."""
        return self.start + len(self.text)


def words(text: str) -> tuple[Piece, ...]:
    """Return the words and numbers of a text, as they are written, with their offsets."""
    return tuple(Piece(start=m.start(), text=m.group()) for m in _WORD.finditer(text))


def normalised(text: str) -> str:
    """Return the words in lower case with one space between: equal for equal wordings."""
    plain = text.replace("’", "'").lower()
    return " ".join(match.group() for match in _WORD.finditer(plain))


def sentences(text: str) -> tuple[Piece, ...]:
    """Return the sentences of a text without the white space around them; none is empty."""
    pieces = []
    start = 0
    for end in [*_sentence_ends(text), len(text)]:
        raw = text[start:end]
        body = raw.strip()
        if body:
            pieces.append(Piece(start=start + raw.index(body), text=body))
        start = end
    return tuple(pieces)


def _sentence_ends(text: str) -> list[int]:
    ends = {match.end() for match in _BLANK.finditer(text)}
    for match in _SENTENCE_END.finditer(text):
        stop = text[match.start()] == "." and _ABBREVIATION.search(text, 0, match.start())
        if not stop or not text[match.end() :].strip():
            ends.add(match.end())
    return sorted(ends)


@lru_cache(maxsize=65536)
def stem(word: str) -> str:
    """Return a crude stem of a word in lower case: plural, -ing and -ed are taken off."""
    if word in _IRREGULAR_STEMS:
        return _IRREGULAR_STEMS[word]
    for suffix, replacement, rest in (
        ("'s", "", 1), ("ies", "y", 3), ("sses", "ss", 1), ("ing", "", 4), ("ed", "", 4),
        ("es", "", 4), ("s", "", 3),
    ):  # fmt: skip
        kept = word[: len(word) - len(suffix)]
        if word.endswith(suffix) and len(kept) >= rest and not word.endswith(("ss", "us", "is")):
            return _without_ending(kept + replacement)
    return _without_ending(word)


def _without_ending(word: str) -> str:
    if len(word) > 4 and word[-1] == word[-2] and word[-1] not in "lsz":
        return word[:-1]
    return word[:-1] if len(word) > 4 and word.endswith("e") else word


def content_words(text: str) -> tuple[str, ...]:
    """Return the stems of the words that say what a text is about, in order."""
    return tuple(stem(word) for word in normalised(text).split() if word not in FUNCTION_WORDS)


def same_wording(left: str, right: str) -> bool:
    """Say whether two texts are the same words, whatever their case and punctuation."""
    return normalised(left) == normalised(right)
