"""Turns a user's question round: 'Can I claim X?' into 'Am I barred from claiming X?'.

OR-ShARC's questions nearly all ask for a right, so a model can learn that meeting the conditions
means Yes without reading the question. The reversed question has the opposite answer. Only
wordings that come out grammatical and unambiguous are turned; for all others there is None.
"""

from __future__ import annotations

import re

_REQUIRED = re.compile(r"(?:Do I (?:have|need) to|Must I|Will I have to) (?P<action>.+)\?")
_ALLOWED = re.compile(r"(?:(?:Can|May|Could) I|Am I (?:able|allowed) to) (?P<action>.+)\?")
_ELIGIBLE_TO = re.compile(r"Am I eligible to (?P<action>.+)\?")
_ELIGIBLE_FOR = re.compile(r"(?:Am I eligible|Do I qualify) for (?P<thing>.+)\?")

_VERBS_LISTED = """
    add appeal apply appoint ask attend book borrow bring build buy carry change choose
    claim collect cross defer drive enroll enter export file get give have hire hold import
    join keep leave make move open order own park pay receive register renew rent request
    return sell send share sign start stay stop study submit take transfer use visit
    withdraw work write
"""
_VERBS = frozenset(_VERBS_LISTED.split())
"""Verbs that can follow 'I' as they are, and whose gerund `gerund` spells right."""
_DOUBLED = frozenset({"defer", "get", "stop", "submit", "transfer"})
_JOINED = re.compile(r"[,;]|\b(?:and|or|but|either|also|too|any|if I)\b", flags=re.IGNORECASE)
"""Words that would have to change as well, or whose scope a reversal would shift."""


def reverse(question: str) -> str | None:
    """Return a question whose answer is Yes exactly where that of `question` is No."""
    if _JOINED.search(question):
        return None
    if match := _REQUIRED.fullmatch(question):
        return _with_verb("Am I exempt from having to {}?", match["action"])
    if match := _ELIGIBLE_TO.fullmatch(question):
        return _with_verb("Am I ineligible to {}?", match["action"])
    if match := _ELIGIBLE_FOR.fullmatch(question):
        return f"Am I ineligible for {match['thing']}?"
    if match := _ALLOWED.fullmatch(question):
        return _barred(match["action"])
    return None


def gerund(verb: str) -> str:
    """Return the -ing form of one of the plain verbs that this module knows."""
    if verb in _DOUBLED:
        return f"{verb}{verb[-1]}ing"
    return f"{verb.removesuffix('e')}ing"


def _with_verb(pattern: str, action: str) -> str | None:
    return pattern.format(action) if action.split(maxsplit=1)[0] in _VERBS else None


def _barred(action: str) -> str | None:
    verb, _, rest = action.partition(" ")
    return f"Am I barred from {gerund(verb)} {rest}?" if verb in _VERBS and rest else None
