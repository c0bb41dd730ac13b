"""How alike two wordings are, and whether one denies what the other says."""

from __future__ import annotations

import re
from dataclasses import dataclass

from clausewise.text import content_words, normalised

_NEGATION = re.compile(
    r"\b(?:not|non|no|never|neither|nor|none|nobody|nothing|nowhere|without|cannot|unable"
    r"|hardly|lack"
    r"|lacks|lacking|stopped|failed|haven't|\w+n't)\b"
)
_DOUBLE = re.compile(
    r"\bnot only\b|\bno (?:more|less|fewer) than\b|\bno later than\b|\bnothing but\b"
)
_NEGATORS_LISTED = """
    not non no never neither nor none nobody nothing nowhere without cannot unable hardly lack lacks
    lacking true only longer can't won't don't doesn't didn't isn't aren't wasn't weren't haven't
    hasn't hadn't couldn't wouldn't shouldn't
"""
_NEGATORS = frozenset(_NEGATORS_LISTED.split())
_DOUBTS = re.compile(
    r"\b(?:refus\w+|den(?:y|ied|ies)|reject\w*|declin\w+|cancel\w*|expired?|ended|remov\w+"
    r"|revok\w+|withdr[ae]w\w*|clos(?:ed|ing)|fail\w*|fell|fall short|short of|turned (?:me )?down"
    r"|opt(?:ed)? out|out of|off|yet to|instead|anything but|far from|outside|except|apart from"
    r"|less than|used to|until|before|ago|lost|left|quit|ex|former|formerly"
    r"|almost|nearly|stuck|threw|pulled|only|if|would|might|hope|want|plan|rather|wish"
    r"|going to|lapsed|missed|too(?= \w)|last|stopped)\b"
)
_OTHERS_LISTED = """
    child son daughter husband wife partner spouse mother father mum dad parent brother sister
    friend neighbour neighbor cousin boss employer landlord flatmate colleague baby grandmother
    grandfather uncle aunt kid boy girl
"""
_OTHERS = frozenset(_OTHERS_LISTED.split())
_PARTS = re.compile(r"[,;:—]\s+|\s(?:and|but|because|so|although|though)\s")


@dataclass(frozen=True, slots=True, kw_only=True)
class Wording:
    """What a sentence is about, and whether it denies it."""

    words: frozenset[str]
    """The stems of its content words, without the words that deny."""
    negated: bool

    @classmethod
    def of(cls, text: str) -> Wording:
        """Return the wording of a sentence or a question."""
        return cls(words=_subject_matter(text), negated=is_negated(text))

    @property
    def others(self) -> frozenset[str]:
        """The people it speaks of besides the speaker."""
        return self.words & _OTHERS

    @property
    def numbers(self) -> frozenset[str]:
        """The numbers in it: "under 16" and "under 18" are different questions."""
        return frozenset(word for word in self.words if any(map(str.isdigit, word)))

    def coverage(self, other: Wording) -> float:
        """Return the share of this wording's letters that stand in the other's words too."""
        total = sum(map(len, self.words))
        return sum(len(word) for word in self.words & other.words) / total if total else 0.0

    def likeness(self, other: Wording) -> float:
        """Return how much the two share, from 0 to 1 for the same words; other numbers, nothing."""
        if self.numbers != other.numbers:
            return 0.0
        return min(self.coverage(other), other.coverage(self))


def is_negated(text: str) -> bool:
    """Say whether the text denies: an odd number of words that do."""
    words = re.sub(r"\bnor\b", " ", _DOUBLE.sub(" ", normalised(text)))
    return len(_NEGATION.findall(words)) % 2 == 1


def doubts(text: str) -> frozenset[str]:
    """Return the words that may deny without a 'not': 'refused', 'before', 'almost'."""
    return frozenset(_DOUBTS.findall(normalised(text)))


def parts(sentence: str) -> tuple[str, ...]:
    """Return the clauses of a sentence and last the sentence: a 'not' belongs to its clause."""
    found = tuple(part for part in _PARTS.split(sentence) if part.strip())
    return (*found, sentence) if len(found) > 1 else (sentence,)


def _subject_matter(text: str) -> frozenset[str]:
    return frozenset(word for word in content_words(text) if word not in _NEGATORS)
