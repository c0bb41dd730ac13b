"""Follow-up questions as the statements that answer them: "Do you drive?" as "I don't drive".

Many people answer before they are asked, in nearly the words of the question. The statements that
annotators wrote are further from it; a judge needs both.
"""

from __future__ import annotations

import re

_HELPERS = {
    "am": "am not",
    "are": "are not",
    "is": "is not",
    "was": "was not",
    "were": "were not",
    "have": "have not",
    "has": "has not",
    "had": "had not",
    "will": "will not",
    "would": "would not",
    "can": "cannot",
    "could": "could not",
    "do": "do not",
    "does": "does not",
    "did": "did not",
}
_QUESTION = re.compile(
    rf"(?P<helper>{'|'.join(_HELPERS)}) (?P<who>you|it|they|he|she|this|that|there"
    r"|(?:your|the|his|her|their) [\w'’-]+) (?P<rest>.+?)\?*",
    re.IGNORECASE,
)
_QUALIFIED = re.compile(r"-|(?:ed|ing|al|ive|ic|ous|ble|ry|ent)$", re.IGNORECASE)
"""The ends of words behind which the noun of 'your existing loan' is still to come."""
_TO_SPEAKER = {
    "you": "I",
    "your": "my",
    "yours": "mine",
    "yourself": "myself",
    "you’re": "I'm",
    "you're": "I'm",
    "you’ve": "I've",
    "you've": "I've",
}
_FIRST_PERSON = {"are": "am", "were": "was", "are not": "am not", "were not": "was not"}
_SECOND = re.compile(r"\b(?:you[’'](?:re|ve)|yourself|yours|your|you)\b", re.IGNORECASE)
_DROPPED = frozenset(["do", "did", "does"])
_OBJECT = re.compile(
    r"\b(to|for|with|from|of|by|about|on|at|gives?|pays?|paid|gave|asks?|told|allows?|lets?)"
    r" you\b",
    re.IGNORECASE,
)


def restated(question: str, *, holds: bool) -> str | None:
    """Return what somebody says to whom the answer is yes, or no; None where that isn't plain."""
    match = _QUESTION.fullmatch(question.strip())
    if match is None or _QUALIFIED.search(match["who"]):
        return None
    helper, who = match["helper"].lower(), _as_speaker(match["who"])
    if who == "I" and " you are" in match["rest"]:
        return None
    verb = helper if holds else _HELPERS[helper]
    if match["who"].lower() == "you":
        verb = _FIRST_PERSON.get(verb, verb)
    rest = _as_speaker(match["rest"])
    if holds and helper in _DROPPED:
        if helper != "do":
            return f"Yes, {who} {helper} {rest}."
        return f"{_capital(who)} {rest}."
    return f"{_capital(who)} {verb} {rest}."


def _as_speaker(text: str) -> str:
    """Return the text with the person spoken to as the person who speaks."""
    objects = _OBJECT.sub(r"\1 me", text)
    return _SECOND.sub(lambda match: _TO_SPEAKER[match[0].lower()], objects)


def _capital(text: str) -> str:
    return text[:1].upper() + text[1:]
