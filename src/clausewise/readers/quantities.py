"""Numbers that people state and the limits that rules set: ages, money, durations, counts.

A comparison is made only between numbers of one kind, so 'I am 34' says nothing of a fee over £30.
"""

from __future__ import annotations

import enum
import re
from dataclasses import dataclass

from clausewise.trees.values import State


class Kind(enum.Enum):
    """What a number counts."""

    AGE = "age"
    MONEY = "money"
    TIME = "time"


@dataclass(frozen=True, slots=True, kw_only=True)
class Amount:
    """A stated number: years of age, units of a currency a period, or days."""

    kind: Kind
    value: float
    per: str = ""
    """The period of money: week, month, year; empty where none is stated."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Limit:
    """A range of numbers that a rule accepts."""

    kind: Kind
    low: float = float("-inf")
    high: float = float("inf")
    low_excluded: bool = False
    high_excluded: bool = False
    per: str = ""

    def judge(self, amount: Amount) -> State:
        """Return whether the amount is within the limit, unknown where they don't compare."""
        if amount.kind is not self.kind or amount.per != self.per:
            return State.UNKNOWN
        low = amount.value > self.low if self.low_excluded else amount.value >= self.low
        high = amount.value < self.high if self.high_excluded else amount.value <= self.high
        return State.of(low and high)


_SCALES = {"o": 1.0, "k": 1e3, "t": 1e3, "m": 1e6, "b": 1e9}
_DAYS = {"day": 1.0, "week": 7.0, "month": 30.44, "year": 365.25}
_NUMBER = r"\d[\d,]*(?:\.\d+)?"
_UNIT = r"(?:days?|weeks?|months?|years?)"
_PERIOD = r"(?:\s*(?:a|per|each|every|an|/)\s*(?P<per>hour|day|week|month|year))?"
_SCALE = r"(?:\s?(?P<scale>k|thousand|m|million|bn|billion)\b)?"
_MONEY = rf"[£$€]\s?(?P<money>{_NUMBER}){_SCALE}{_PERIOD}"
_TIME = rf"(?P<time>{_NUMBER})[ -](?P<unit>{_UNIT})(?!\s+old\b|-old\b|\s+of age\b)"
_IS = r"(?:\bi(?:['’]m| am| was)|\bs?he(?:['’]s| is)|\bis|\bturn(?:ed)?|\baged?)"
_AGE = (
    rf"(?:{_IS}\s+(?:only |just |now |already )?(?P<age>\d{{1,3}})"
    r"(?=[.,;!]|$|\s+(?:and|years? old|but|now|so|this)\b)"
    r"|(?P<age2>\d{1,3})[ -]years?[ -](?:old|of age))"
)
_STATED = re.compile(rf"{_AGE}|{_MONEY}|{_TIME}", re.IGNORECASE)
_OVER = r"(?:over|more than|above|older than|exceed(?:s|ing)?|greater than|longer than|after)"
_UNDER = r"(?:under|less than|below|younger than|fewer than|shorter than|not yet)"
_AT_LEAST = r"(?:at least|a minimum of|minimum|no less than|not less than|no younger than)"
_AT_MOST = r"(?:at most|no more than|not more than|up to|a maximum of|maximum|within|no older than)"
_LIMIT = re.compile(
    rf"(?:(?P<over>{_OVER})|(?P<under>{_UNDER})|(?P<least>{_AT_LEAST})|(?P<most>{_AT_MOST}))?\s*"
    rf"(?:the age of |age |aged )?(?P<currency>[£$€])?\s?(?P<number>{_NUMBER}){_SCALE}"
    rf"(?:[ -](?P<unit>{_UNIT})(?P<old>[ -](?:old|of age))?)?{_PERIOD}"
    r"(?:\s+(?:(?P<ormore>(?:or|and) (?:over|more|older|above))"
    r"|(?P<orless>(?:or|and) (?:under|less|younger|below|fewer))))?",
    re.IGNORECASE,
)
_OF_AGE = re.compile(r"\b(?:aged?|old|older|younger|birthday|over|under)\b", re.IGNORECASE)


def stated(text: str) -> tuple[Amount, ...]:
    """Return the amounts that a sentence states as facts."""
    return tuple(_amount(match) for match in _STATED.finditer(text))


def _amount(match: re.Match[str]) -> Amount:
    if age := match["age"] or match["age2"]:
        return Amount(kind=Kind.AGE, value=float(age))
    if match["money"]:
        value = _value(match["money"]) * _scale(match)
        return Amount(kind=Kind.MONEY, value=value, per=(match["per"] or "").lower())
    return Amount(kind=Kind.TIME, value=_value(match["time"]) * _days(match["unit"]))


def limit(text: str) -> Limit | None:
    """Return the one limit that a condition sets, None where it sets none or several."""
    found = [match for match in _LIMIT.finditer(text) if _sets_limit(match)]
    if len(found) != 1 or len(re.findall(r"\d[\d,.]*", text)) != 1:
        return None
    match = found[0]
    value, kind = _value(match["number"]) * _scale(match), _kind(match, text)
    if kind is None:
        return None
    value *= _days(match["unit"]) if kind is Kind.TIME else 1
    return _range(match, value=value, kind=kind)


def _range(match: re.Match[str], *, value: float, kind: Kind) -> Limit:
    per = (match["per"] or "").lower()
    if match["over"]:
        return Limit(kind=kind, low=value, low_excluded=True, per=per)
    if match["under"]:
        return Limit(kind=kind, high=value, high_excluded=True, per=per)
    if match["least"] or match["ormore"]:
        return Limit(kind=kind, low=value, per=per)
    return Limit(kind=kind, high=value, per=per)


def _sets_limit(match: re.Match[str]) -> bool:
    names = ("over", "under", "least", "most", "ormore", "orless")
    return any(match[name] for name in names)


def _kind(match: re.Match[str], text: str) -> Kind | None:
    if match["currency"]:
        return Kind.MONEY
    if match["unit"] and not match["old"]:
        return Kind.TIME
    plain = match["old"] or (_OF_AGE.search(text) and _value(match["number"]) < 120)
    follows = re.match(
        r"\s+(?!or\b|and\b|years?\b|at\b|on\b|when\b|by\b)[a-z]", text[match.end() :]
    )
    return Kind.AGE if plain and not follows else None


def _value(number: str) -> float:
    return float(number.replace(",", ""))


def _scale(match: re.Match[str]) -> float:
    return _SCALES[(match["scale"] or "one")[0].lower()]


def _days(unit: str) -> float:
    return _DAYS[unit.lower().rstrip("s")]
