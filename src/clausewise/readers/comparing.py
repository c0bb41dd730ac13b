"""Whether an amount that a person states is within the limit of a condition: plain arithmetic.

A model tells whether the two are about the same matter; that 34 is not over 65 is no matter of
opinion.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from clausewise.readers.amounts import THIS_YEAR, Measure, Range, amounts, limit
from clausewise.readers.wording import Wording, is_negated, parts
from clausewise.trees.values import State

_SINCE = re.compile(r"\bsince\b", re.IGNORECASE)
_ALL_OF = re.compile(r"\b(?:both|all|each|every)\b", re.IGNORECASE)
_TOGETHER = re.compile(
    r"\b(?:household|family|joint|combined|together|total|between)\b", re.IGNORECASE
)
_YOUNG = frozenset({"child", "son", "daughter", "kid", "baby", "boy", "girl"})
_WED = frozenset({"wife", "husband", "partner", "spouse"})
_KIN = (
    _YOUNG
    | _WED
    | {"mother", "father", "mum", "dad", "parent", "brother", "sister"}
    | {"friend", "cousin", "uncle", "aunt"}
)
_OF_YOU = re.compile(r"\w+ you\b(?! and\b)", re.IGNORECASE)
_BOUND = re.compile(
    r"\b(?:(?:or|and) (?:over|under|more|less|fewer|older|younger|above|below|later|earlier|longer)"
    r"|between \S+ and|on or (?:after|before)|you and your \w+)\b",
    re.IGNORECASE,
)
_ONLY = re.compile(
    r"\b(?:not only|n(?:o|ot) (?:\w{4,7}) than|no other|nothing else)\b", re.IGNORECASE
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Compared:
    """What arithmetic says of a condition, and the sentences that state the amounts."""

    state: State
    places: tuple[int, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class _Stated:
    amount: Range
    place: int
    clause: str


def compare(question: str, *, said: Sequence[str]) -> Compared | None:
    """Return what the amounts in the sentences say; None where nothing compares for certain.

    The state is unknown where the only amounts of that measure are about somebody else.
    """
    wanted = limit(question)
    if wanted is None or is_negated(_ONLY.sub(" ", question)):
        return None
    found = [one for one in _stated(said, wanted=wanted) if _comparable(one.amount, wanted)]
    if not found:
        return None
    of_person = [one for one in found if _same_person(question, one.clause, measure=wanted.measure)]
    if not of_person:
        return Compared(state=State.UNKNOWN, places=())
    if any(is_negated(_ONLY.sub(" ", one.clause)) for one in of_person):
        return None
    compared = _together(of_person, wanted=wanted, all_of=bool(_ALL_OF.search(question)))
    if compared is None or not _certain(compared.state, question=question):
        return None
    return compared


def _together(found: Sequence[_Stated], *, wanted: Range, all_of: bool) -> Compared | None:
    states = {wanted.accepts(one.amount) for one in found}
    places = tuple(sorted({one.place for one in found}))
    if len(states) == 1:
        (state,) = states
        return None if state is State.UNKNOWN else Compared(state=state, places=places)
    if all_of and State.CONTRADICTED in states:
        return Compared(state=State.CONTRADICTED, places=places)
    return None


def _comparable(amount: Range, wanted: Range) -> bool:
    return (amount.measure, amount.of) == (wanted.measure, wanted.of)


def _stated(said: Sequence[str], *, wanted: Range) -> Iterator[_Stated]:
    for place, sentence in enumerate(said):
        clauses = parts(sentence)
        for clause in clauses[:-1] or clauses:
            for amount in amounts(clause):
                yield _Stated(amount=_elapsed(amount, clause, wanted), place=place, clause=clause)


def _elapsed(amount: Range, clause: str, wanted: Range) -> Range:
    """Return a date as the time since then, where a condition asks how long."""
    if wanted.measure is not Measure.TIME or amount.measure is not Measure.DATE:
        return amount
    if not _SINCE.search(clause):
        return amount
    least = max(0.0, THIS_YEAR - amount.high) * 365.25
    return replace(amount, measure=Measure.TIME, low=least, high=float("inf"), high_excluded=False)


def _certain(state: State, *, question: str) -> bool:
    """Say whether the amount settles a condition that may ask for more: 'over 60 and retired'."""
    plain = _BOUND.sub(" ", question)
    more = {State.ENTAILED: r"\band\b", State.CONTRADICTED: r"\bor\b"}[state]
    return re.search(more, plain, re.IGNORECASE) is None


def _same_person(question: str, clause: str, *, measure: Measure) -> bool:
    """Say whether an amount in the clause is one of whom the question asks about."""
    of_any = _TOGETHER.search(question) or _ALL_OF.search(question)
    if of_any or measure is Measure.COUNT:
        return True
    asked, spoken = Wording.of(question).words & _KIN, Wording.of(clause).words & _KIN
    if measure is not Measure.AGE and _OF_YOU.match(question):
        asked = frozenset()
    if not asked:
        return not spoken or not re.search(r"\byou\b|\byour\b", question, re.IGNORECASE)
    if spoken:
        return any(bool(asked & kin) and bool(spoken & kin) for kin in (_YOUNG, _WED, asked))
    return not re.search(r"\bi\b|\bi'm\b", clause, re.IGNORECASE)
