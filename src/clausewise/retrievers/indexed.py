"""What is indexed of a rule: its text, its title and, where there are any, more words for it.

Rule bases in Markdown say half of what they mean in headings ("Students > Second permit"), and a
reviewed rule tree holds the questions that people ask about its rule: both help to find it.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Protocol, runtime_checkable

from clausewise.types import RuleText

Terms = Callable[[str], list[str]]
Key = Callable[[str], int]


@dataclass(frozen=True, slots=True, kw_only=True)
class FieldWeights:
    """How much a word counts by where it stands; in the text of the rule it counts 1."""

    title: float = 1.0
    extra: float = 0.25
    """In the extra texts that were given for a rule."""


def count_terms(
    rules: Sequence[RuleText],
    *,
    terms: Terms,
    key: Key,
    extra_texts: Mapping[str, Sequence[str]],
    weights: FieldWeights,
) -> Iterator[dict[int, float]]:
    """Return for every rule how often it has each term, weighted by field.

    `extra_texts` are by rule id.
    """
    for rule in rules:
        counts: dict[int, float] = {}
        _add(counts, rule.text, terms=terms, key=key, weight=1.0)
        _add(counts, rule.title, terms=terms, key=key, weight=weights.title)
        for text in extra_texts.get(rule.rule_id, ()):
            _add(counts, text, terms=terms, key=key, weight=weights.extra)
        yield counts


def _add(counts: dict[int, float], text: str, *, terms: Terms, key: Key, weight: float) -> None:
    if weight:
        for term in terms(text):
            number = key(term)
            counts[number] = counts.get(number, 0.0) + weight


@runtime_checkable
class Fingerprinted(Protocol):
    """Rules that are too many to be read whenever an index is opened, and bring their hash."""

    @property
    def fingerprint(self) -> str:
        """What changes when any of the rules does."""
        ...


def unchanging(rules: Sequence[RuleText]) -> Sequence[RuleText]:
    """Return the rules so that nobody can change them; those that are read on demand stay so."""
    return rules if isinstance(rules, Fingerprinted) else tuple(rules)


def fingerprint(rules: Sequence[RuleText]) -> str:
    """Return a hash of all that is indexed of some rules, so that a stale index is noticed."""
    if isinstance(rules, Fingerprinted):
        return rules.fingerprint
    digest = hashlib.sha256()
    for rule in rules:
        digest.update(repr((rule.rule_id, rule.title, rule.content_hash)).encode("utf-8"))
    return digest.hexdigest()
