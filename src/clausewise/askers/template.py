"""The asker that needs no model: it turns the words of a condition round into a question.

Its questions stay close to the rule's own words, so a person can see what is asked and why.
"""

from __future__ import annotations

import re

from clausewise.askers.grammar import addressed, expanded, question_of
from clausewise.askers.phrases import question_about, question_to_you
from clausewise.structure.context import said_before
from clausewise.trees.values import Span
from clausewise.types import RuleText

_LEADING = re.compile(
    r"^(?:(?:only if|even if|as long as|provided that|and|or|but|if|unless|when|where|while|that"
    r"|except(?: if| when| for)?)\s+|\W++)+",
    re.IGNORECASE,
)
# Possessive: a run that may be cut anywhere takes longer than anybody waits for thirty full stops.
_TRAILING = re.compile(r"(?<![\s,;:.!?–—-])(?:[\s,;:.!?–—-]++(?:and|or)?)+$")
_SUBJECT = re.compile(
    r"(?:both|all|none|neither|no(?! longer)|each|every|(?:at least )?one of|some|most|you|they|he"
    r"|she|it|i|we|there|your|their|the|an?|any|this|these|nobody|anyone|someone|people|those"
    r"|everyone|applicants?|claimants?)(?:['’]\w+)?\s",
    re.IGNORECASE,
)
_VERB_FIRST = re.compile(r"(?:have|has|had|is|are|was|were|do|does|did)\b", re.IGNORECASE)
_ENDS_OTHERWISE = re.compile(
    r"\b(?:am|is|are|was|were|be|been|have|has|had|in|of|for|to|with|on|by|from|at|an?|the)$",
    re.IGNORECASE,
)
_OF_THEM = re.compile(r"(?:all|none|some|most|both|each|one) of (?:it|them|these|this)\b", re.I)
_OF_OTHERS = re.compile(
    r"(?:another|each|every|one|no other|some other|any other)\s(?:[\w’'-]+\s){1,4}?"
    r"(?:has|have|is|are|was|were|can|will)\s",
    re.IGNORECASE,
)
"""Somebody or something else as the subject, and its verb."""


class TemplateAsker:
    """Asks whether a condition holds, in the words of the rule."""

    def ask(self, span: Span, *, rule: RuleText) -> str:
        """Return a question of one line whose Yes means that the condition holds."""
        phrase = _plain(span.cut(rule.text))
        if not re.search(r"\w", phrase):
            return "Does this apply to you?"
        lead = said_before(span, text=rule.text)
        return _finished(_question(phrase, lead=lead) or f"Does this apply to you: {phrase}?")


def _question(phrase: str, *, lead: str) -> str | None:
    phrase = _lowered(expanded(phrase))
    clause = addressed(phrase)
    if _SUBJECT.match(clause) and (standing := question_of(clause)):
        return standing
    before = addressed(expanded(f"{lead} ").strip())
    continued = question_of(f"{_joinable(before)} {phrase}") if before else None
    if continued and not _is_broken(phrase, lead=before):
        return continued
    if _OF_OTHERS.match(clause) and (standing := question_of(clause)):
        return standing
    if _OF_THEM.match(clause):
        return f"Is it true that {clause}?"
    return question_to_you(clause) or question_about(phrase)


def _is_broken(phrase: str, *, lead: str) -> bool:
    """Say whether a phrase has a verb where the words before it leave none to come."""
    begins = _VERB_FIRST.match(phrase)
    return bool(begins and _ENDS_OTHERWISE.search(lead))


def _joinable(lead: str) -> str:
    """Return the words before a phrase; what is needed is asked for as what is had."""
    lead = lead[:1].lower() + lead[1:]
    return re.sub(r"\b(?:will )?needs?$", "have", lead)


def _plain(text: str) -> str:
    one_line = " ".join(re.sub(r"[*_`#]+|\n\s*[-•]\s", " ", text).split())
    phrase = _TRAILING.sub("", _LEADING.sub("", one_line))
    return phrase.rstrip(")") if phrase.count(")") > phrase.count("(") else phrase


def _lowered(phrase: str) -> str:
    """Take the capital off an item's first word unless it looks like a name: 'Harbour Ward'."""
    first, *others = phrase.split()[:3] or [""]
    if _SUBJECT.match(phrase) and first not in {"I", "I’m", "I'm"}:
        return phrase[:1].lower() + phrase[1:]
    name = first[1:] != first[1:].lower() or (others and others[0][:1].isupper())
    return phrase if name or not others else phrase[:1].lower() + phrase[1:]


def _finished(question: str) -> str:
    one_line = " ".join(question.split()).replace(" ?", "?")
    one_line = one_line.lstrip()
    return one_line[:1].upper() + re.sub(r"[?.,;:\s]*\?+$", "?", one_line[1:])
