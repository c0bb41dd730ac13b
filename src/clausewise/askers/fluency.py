"""Whether a question is English, as far as rules can tell, and an asker that takes care of it."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Protocol

from clausewise.askers.verbs import base_of_past, base_of_present, is_participle
from clausewise.askers.writing import Draft, question_words
from clausewise.protocols import Asker
from clausewise.text import content_words
from clausewise.trees.values import Span
from clausewise.types import RuleText

_DO = frozenset({"do", "does", "did"})
_HAVE = frozenset({"have", "has", "had"})
_BE = frozenset({"am", "is", "are", "was", "were"})
_MODAL = frozenset({"can", "could", "will", "would", "should", "must", "may", "might", "shall"})
_OPENERS = _DO | _HAVE | _BE | _MODAL
_PRONOUNS = frozenset({"you", "they", "he", "she", "it", "we", "i", "there"})
_ADVERBS = frozenset({"also", "already", "always", "both", "ever", "only", "still", "not", "n't"})
_MISMATCHED = frozenset(
    {("are", "it"), ("are", "he"), ("are", "she"), ("is", "you"), ("is", "they"), ("was", "you"),
     ("does", "you"), ("does", "they"), ("do", "he"), ("do", "she"), ("do", "it"), ("has", "you"),
     ("has", "they"), ("have", "he"), ("have", "she"), ("have", "it")}
)  # fmt: skip
_DANGLING = frozenset(
    {"a", "an", "the", "and", "or", "to", "of", "your", "if", "that", "with", "for", "at"}
)
_REPEATED = re.compile(r"\b(\w+)(?:\s+\1\b)+", re.IGNORECASE)
_ALLOWED_TWICE = frozenset({"that", "had"})
_ENOUGH_WORDS = 0.5
_UNSURE = 0.5
"""What is said of a fallback's question: the fallback itself says nothing."""


def is_fluent(question: str) -> bool:
    """Say whether a question has the form of one, with verbs in the forms that belong together."""
    words = question_words(question)
    if len(words) < 3 or words[0] not in _OPENERS or words[-1] in _DANGLING:
        return False
    if (words[0], words[1]) in _MISMATCHED or _repeats(question) or not _balanced(question):
        return False
    return _verbs_agree(words)


def is_about(question: str, *, words: str) -> bool:
    """Say whether a question takes up at least half of what the words speak of, or most of it."""
    asked, said = set(content_words(question)), set(content_words(words))
    return not said or len(asked & said) >= _ENOUGH_WORDS * len(said)


class DraftsQuestions(Protocol):
    """An asker that says how sure it is."""

    def draft(self, span: Span, *, rule: RuleText) -> Draft | None:
        """Return a question with its probability; None where nothing can be asked."""
        ...


@dataclass(frozen=True, slots=True, kw_only=True)
class CheckedAsker:
    """Asks with one asker, and with another where the question of the first is not in order."""

    first: DraftsQuestions
    fallback: Asker

    def ask(self, span: Span, *, rule: RuleText) -> str:
        """Return a question whose Yes means that the condition at `span` holds."""
        return self.draft(span, rule=rule).question

    def draft(self, span: Span, *, rule: RuleText) -> Draft:
        """Return the same question, and how sure the asker is that wrote it."""
        draft = self.first.draft(span, rule=rule)
        question = draft.question if draft else ""
        if draft and is_fluent(question) and is_about(question, words=span.cut(rule.text)):
            return draft
        other = self.fallback.ask(span, rule=rule)
        if draft is None or is_fluent(other) or not is_fluent(question):
            return Draft(question=other, probability=_UNSURE)
        return draft


def _repeats(question: str) -> bool:
    return any(match[1].lower() not in _ALLOWED_TWICE for match in _REPEATED.finditer(question))


def _balanced(question: str) -> bool:
    return question.count("(") == question.count(")")


def _verbs_agree(words: list[str]) -> bool:
    """Check the word behind 'do you', 'have you', 'are you': its form follows from the opener."""
    if words[1] not in _PRONOUNS:
        return True
    verb = next((word for word in words[2:] if word not in _ADVERBS), "")
    opener = words[0]
    if opener in _DO or opener in _MODAL:
        inflected = base_of_present(verb) or base_of_past(verb)
        return not verb or (verb not in _BE and (not inflected or inflected == verb))
    if opener in _BE and words[1] != "there":
        return verb not in {"have", "has", "do", "does", "did", "live", "get", *_BE, *_MODAL}
    if opener in _HAVE:
        return verb not in _BE and (is_participle(verb) or base_of_present(verb + "s") is None)
    return True
