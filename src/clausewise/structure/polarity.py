"""What a rule does when its conditions are met: permits, requires, forbids, or does not apply."""

from __future__ import annotations

import enum
import re

_NOT = r"(?:not|n['’]t)"
_EXCLUDES = re.compile(
    rf"(?:\b(?:do|does|is|are|will|wo)|['’](?:re|s))\s?{_NOT} (?:\w+ )?(?:apply|eligible|entitled"
    r"|qualify|covered|count|included?|get|need|have to)\b"
    r"|\b(?:ineligible|exempt|excluded|left out)\b",
    re.IGNORECASE,
)
_FORBIDS = re.compile(
    rf"\b(?:can|may|must|shall|should|could)\s?{_NOT}\b|\bcan(?:not|['’]t)\b"
    r"|\bno \w+ (?:may|shall|can)\b"
    rf"|\b(?:is|are) {_NOT} (?:allowed|permitted)\b|\b(?:prohibited|forbidden|illegal|banned)\b"
    r"|\b(?:against the law|refused?|barred)\b",
    re.IGNORECASE,
)
_REQUIRES = re.compile(
    r"\b(?:must|shall|needs? to|ha(?:ve|s) to|required? to|be (?:fined|charged|taxed)"
    r"|pay (?:tax|a (?:fine|penalty|charge))|responsible for|liable)\b",
    re.IGNORECASE,
)


class Polarity(enum.Enum):
    """What meeting the conditions brings."""

    PERMITS = "permits"
    """Something may be had or done."""
    REQUIRES = "requires"
    """Something must be done or borne."""
    FORBIDS = "forbids"
    """Something may not be done."""
    EXCLUDES = "does not apply"
    """A right or a duty does not exist."""


def polarity_of(words: str) -> Polarity:
    """Return what the words of an outcome say."""
    if _EXCLUDES.search(words):
        return Polarity.EXCLUDES
    if _FORBIDS.search(words):
        return Polarity.FORBIDS
    return Polarity.REQUIRES if _REQUIRES.search(words) else Polarity.PERMITS
