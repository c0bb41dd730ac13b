"""Negation in the words of a rule and of a question about them.

A condition that says 'you don't own a home' is best asked as 'Do you own a home?': then Yes means
that the condition does not hold, and the logic of the tree has to say so.
"""

from __future__ import annotations

import re

_NEGATION = re.compile(
    r"n['’]t\b|\b(?:not|no|never|without|cannot|neither|nor|none|fail(?:ed|s|ure)?|other than)\b",
    re.IGNORECASE,
)
_DENIES = re.compile(
    r"\b(?:can|do|does|is|are|will|may|must|shall|would|should)\s?(?:n['’]t|not)\b|\bcannot\b"
    r"|\b(?:ca|wo|sha)n['’]t\b|['’]re not\b"
    r"|\bnot (?:be )?(?:eligible|entitled|qualify)|\b(?:prohibited|illegal|banned|ineligible)\b",
    re.IGNORECASE,
)


def is_turned(words: str, *, question: str) -> bool:
    """Say whether the question asks for the opposite of the words: they negate, it doesn't."""
    return bool(_NEGATION.search(words)) and not _NEGATION.search(question)


def denies(text: str) -> bool:
    """Say whether a text forbids or withholds something: 'you can't', 'not eligible'."""
    return bool(_DENIES.search(text))
