"""Turning a phrase without a subject into a question: 'on a low income' is said of the person."""

from __future__ import annotations

import re

from clausewise.askers.grammar import agreeing, question_of
from clausewise.askers.verbs import (
    ADVERBS,
    BASES,
    BE,
    MODALS,
    base_of_gerund,
    base_of_past,
    base_of_present,
)

_FINITE = BE | MODALS | {"do", "does", "did", "have", "has", "had", "need"}
_OPENINGS = {
    "be": "Are you {rest}?",
    "being": "Are you {rest}?",
    "with": "Do you have {rest}?",
    "without": "Is it true that you do not have {rest}?",
}
"""How the question goes for phrases by their first word."""
_SITUATIONS = frozenset(
    {"after", "before", "within", "during", "until", "for", "by", "from", "between", "to", "since"}
)
_STATES_LISTED = """
    in on under over at aged above below of pregnant disabled retired single married divorced
    widowed unemployed employed self-employed resident responsible able unable eligible registered
    entitled ill sick blind deaf homeless liable likely willing exempt part full full-time part-time
    available new outside inside within out away subject due ready either older younger
"""
_STATES = frozenset(_STATES_LISTED.split())
_AGE = re.compile(r"\d+ (?:or|years? old|and)\b")
_ALSO_NOUNS = frozenset({"change", "care", "support", "access", "experience", "cost", "practice"})
_GROUPS = re.compile(
    r"(?:\w++(?:[’'-]\w*+)?\s+){0,2}?(?:\w{2,}(?:ers|ors|ists|ees|ians)|people|nationals|citizens|members"
    r"|spouses|families|individuals|veterans|wives|women|men|persons|adults|households|students"
    r"|residents|tenants|applicants|claimants|parents|recipients|children)\b",
    re.IGNORECASE,
)
_SOMEBODY = re.compile(
    r"(?:the|an?|one)\s+(?:(?!of|for|from|to|by|with)[\w’'-]+\s+){0,3}?"
    r"(?:(?!letter|order|number|computer|paper|matter|error|offer|register|transfer|water|career"
    r"|member state|quarter)\w{2,}(?:er|or|ist|ee|ian)"
    r"|resident|student|parent|veteran|citizen|national|spouse|child|dad|mother|father|widow|adult"
    r"|refugee|graduate|apprentice|volunteer|person|applicant|claimant|tenant|individual|servant"
    r"|agent|family|couple|household|business|charity|company|woman|man|guardian)\b",
    re.IGNORECASE,
)
_MOST_WORDS = 14


def question_to_you(phrase: str) -> str | None:
    """Return the question for a phrase that is said of the person, None where none fits."""
    phrase = re.sub(r"^([\w-]+(?: [\w-]+)?) people$", r"\1", phrase)
    first, _, rest = phrase.partition(" ")
    word = first.lower()
    if word in _FINITE:
        return question_of(f"you {agreeing(word)} {rest}")
    if word == "having":
        return question_of(f"you have {rest}")
    if word in {"not", "never", "no"}:
        return _negative(word, rest)
    if word in {"while", "whilst"} and base_of_gerund(rest.partition(" ")[0].lower()):
        return f"Are you {rest}?"
    if opening := _OPENINGS.get(word):
        return opening.format(rest=rest)
    return _of_state(word, rest, phrase) or _of_action(word, rest, phrase)


def question_about(phrase: str) -> str | None:
    """Return the question for a bare noun or a time, None for what is longer than a phrase."""
    words = phrase.split()
    if len(words) > _MOST_WORDS:
        return None
    if phrase.endswith("years old"):
        return f"Are you {phrase}?"
    if phrase[0].islower() and _GROUPS.match(phrase) and words[0] not in _SITUATIONS:
        return f"Are you one of these: {phrase}?"
    return f"Is it {phrase}?"


def _negative(word: str, rest: str) -> str:
    first = rest.partition(" ")[0].lower()
    verb = "are"
    if first in BASES:
        verb = "do"
    elif word == "no" and first != "longer":
        verb = "have"
    return f"Is it true that you {verb} {word} {rest.removeprefix('be ')}?"


def _of_state(word: str, rest: str, phrase: str) -> str | None:
    if word in {"a", "an", "the", "one"}:
        return f"Are you {phrase}?" if _SOMEBODY.match(phrase) else None
    if word in ADVERBS and rest:
        inner = question_to_you(rest)
        return inner.replace(" you ", f" you {word} ", 1) if inner else None
    if _GROUPS.fullmatch(phrase.partition(" aged ")[0]):
        return f"Are you one of these: {phrase}?"
    if word in _STATES or _AGE.match(phrase) or base_of_gerund(word) in BASES:
        return f"Are you {phrase}?"
    return None


def _of_action(word: str, rest: str, phrase: str) -> str | None:
    if word in BASES and word not in _ALSO_NOUNS:
        return f"Do you {phrase}?"
    if (base := base_of_present(word)) and rest:
        return f"Do you {base} {rest}?"
    return f"Are you {phrase}?" if base_of_past(word) else None
