"""Amounts in a text with their units: what people state and what conditions limit, as ranges.

An amount is a range because people are seldom exact: 'in 2015', 'in my forties', 'over £500'.
"""

from __future__ import annotations

import enum
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace

from clausewise.readers.digits import in_digits
from clausewise.text import stem
from clausewise.trees.values import State


class Measure(enum.Enum):
    """What an amount measures; only amounts of the same measure are compared."""

    AGE = "years of age"
    MONEY = "money"
    INCOME = "money a year"
    TIME = "days"
    HOURS = "hours a week"
    DISTANCE = "metres"
    WEIGHT = "kilograms"
    SHARE = "percent"
    DATE = "year"
    SEASON = "part of the year"
    COUNT = "things"


@dataclass(frozen=True, slots=True, kw_only=True)
class Range:
    """An amount, or what a limit accepts: all values from `low` to `high`."""

    measure: Measure
    low: float = float("-inf")
    high: float = float("inf")
    low_excluded: bool = False
    high_excluded: bool = False
    of: str = ""
    """The stem of the noun that a count counts."""

    def accepts(self, amount: Range) -> State:
        """Return whether the amount lies within, unknown where it only may."""
        if (amount.measure, amount.of) != (self.measure, self.of):
            return State.UNKNOWN
        above = amount.low > self.low or (amount.low == self.low and self._takes_low(amount))
        below = amount.high < self.high or (amount.high == self.high and self._takes_high(amount))
        if above and below:
            return State.ENTAILED
        return State.CONTRADICTED if self._apart(amount) else State.UNKNOWN

    def _takes_low(self, amount: Range) -> bool:
        return amount.low_excluded or not self.low_excluded

    def _takes_high(self, amount: Range) -> bool:
        return amount.high_excluded or not self.high_excluded

    def _apart(self, amount: Range) -> bool:
        under = amount.high < self.low
        under |= amount.high == self.low and (amount.high_excluded or self.low_excluded)
        over = amount.low > self.high
        over |= amount.low == self.high and (amount.low_excluded or self.high_excluded)
        return under or over


@dataclass(frozen=True, slots=True, kw_only=True)
class _Found:
    """An amount, where it stands in the text, and whether a word says how it is limited."""

    range: Range
    start: int
    end: int
    bound: str | None = None


_N = r"\d+(?:\.\d+)?"
_DAYS = {"minute": 1 / 1440, "hour": 1 / 24, "night": 1, "day": 1, "week": 7, "fortnight": 14,
         "month": 30.44, "year": 365.25, "decade": 3652.5}  # fmt: skip
_A_YEAR = {"day": 365.25, "week": 365.25 / 7, "month": 12, "year": 1}
_METRES = {"mile": 1609.34, "km": 1000, "kilomet": 1000, "met": 1, "yard": 0.9144}
_KILOS = {"ton": 1000, "k": 1, "g": 0.001, "lb": 0.4536}
_SIZES: Mapping[Measure, Mapping[str, float]] = {
    Measure.AGE: {unit: days / _DAYS["year"] for unit, days in _DAYS.items()},
    Measure.TIME: _DAYS,
    Measure.DISTANCE: _METRES,
    Measure.WEIGHT: _KILOS,
}
_MEASURED = {
    "percent": Measure.SHARE,
    "hours": Measure.HOURS,
    "age": Measure.AGE,
    "distance": Measure.DISTANCE,
    "weight": Measure.WEIGHT,
    "time": Measure.TIME,
}
_OLDEST = 120
_MONTHS = "january february march april may june july august september october november december"
_MAY = r"(?:(?<=\bin )|(?<=since )|(?<=by )|(?<=after )|(?<=before )|(?<=\d ))may|may(?= \d{4})"
_MONTH = rf"(?P<month>{_MONTHS.replace(' ', '|').replace('|may|', f'|{_MAY}|')})"
_PER = (
    r"(?: ?(?:a|per|each|every|an|/) ?(?P<{0}>hour|day|week|month|year)\b"
    r"| (?P<{0}ly>week|month|year)ly\b)?"
)
_UNIT_OF_TIME = r"(?P<time_unit>minute|hour|night|day|week|fortnight|month|year|decade)s?'?"
_NO_NOUN = r"(?:or|and|when|on|by|at|until|but|now|so|in|this|then|today|for|to|last|with|of)"
_PATTERN = re.compile(
    rf"\b(?P<range_low>{_N}) (?:and|to|-) (?P<range_high>{_N})(?: years? (?:old|of age))?(?! ?\w)"
    rf"|[£$€] ?(?P<money>{_N}){_PER.format('per')}"
    rf"|\b(?P<coins>{_N}) (?:pounds|euros|dollars|quid)\b{_PER.format('each')}"
    rf"|(?<![£$€\d.])\b(?P<pay>{_N}) (?:a|per|each|every) (?P<pay_per>week|month|year)\b"
    rf"|\b(?P<percent>{_N}) ?(?:%|percent\b|per cent\b)"
    rf"|\b(?P<age>{_N})[ -](?P<age_unit>day|week|month|year)s?[ -](?:old|of age)\b"
    rf"|\b(?P<distance>{_N})[ -]?(?P<distance_unit>miles?|km|(?:kilo)?met(?:re|er)s?|yards?)\b"
    rf"|\b(?P<weight>{_N})[ -]?(?P<weight_unit>tonnes?|tons?|kg|kilos?|g|grams?|lbs?)\b"
    rf"|\b(?P<hours>{_N}) hours? (?:a|per|each|every) week\b"
    rf"|\b(?P<time>{_N})[ -]{_UNIT_OF_TIME}(?!\w)(?P<ago> ago\b)?"
    rf"|\b(?P<decade>(?:1[89]|20)\d0)s\b"
    rf"|\b(?:(?P<day>\d{{1,2}})(?:st|nd|rd|th)?(?: of)? )?{_MONTH}\b(?:,? (?P<of_year>\d{{4}}))?"
    rf"|(?<![£$€\d])\b(?P<year>(?:1[89]|20)\d\d)\b(?! \w*s\b)"
    rf"|\blast (?P<last>week|month|year)\b"
    rf"|\b(?P<count>{_N})(?:[ -](?P<noun>(?!{_NO_NOUN}\b)[a-z]{{2,}}))?",
)
_BEFORE = {
    "over": r"(?:over|more than|above|older than|exceed(?:s|ing)?|greater than|longer than"
    r"|heavier than|after|later than)",
    "under": r"(?:under|less than|below|younger than|fewer than|shorter than|lighter than|before"
    r"|earlier than|not yet)",
    "least": r"(?:at least|a minimum of|minimum|no less than|not less than|no fewer than"
    r"|no younger than|on or after|from|reached|turned|have been)",
    "most": r"(?:at most|no more than|not more than|up to|a maximum of|maximum|within|no older than"
    r"|on or before|by|not exceed(?:ing)?|no later than|the last)",
}
_AFTER = {
    "least": r"(?:or|and) (?:over|more|older|above|later|longer)",
    "most": r"(?:or|and) (?:under|less|younger|below|fewer|earlier)",
}
_AGE_WORDS = r"(?: (?:the )?age(?:d)?(?: of)?)?(?: the year)? ?[£$€]?$"
_BOUND_BEFORE = {
    name: re.compile(rf"\b{words}{_AGE_WORDS}")
    for name, words in (("least", _BEFORE["least"]), ("most", _BEFORE["most"]),
                        ("over", _BEFORE["over"]), ("under", _BEFORE["under"]))
}  # fmt: skip
_BOUND_AFTER = {name: re.compile(rf" ?\w*? ?{words}\b") for name, words in _AFTER.items()}
_NO_MORE = re.compile(r"\b(?:no|not) (?:more|less|fewer|older|younger|later) than$")
_IS_AGED = re.compile(
    r"(?:\b(?:i|he|she)(?:'m|'s| am| is| was)|\b(?:is|am|are|turn(?:ed)?|aged?|at|be))"
    r" (?:only |just |now |already |both )*$"
)
_OR_MORE = re.compile(r" or (?:more|fewer|less) ([a-z]{3,})")
_SYNONYMS = {"kid": "child", "member": "member", "employee": "person", "staff": "person"}
THIS_YEAR = 2026
"""Whoever speaks does it in this year or later, so 'since 2015' means ten years or more: the
engine reads no clock, as the same dialogue must get the same reply."""


def amounts(text: str) -> tuple[Range, ...]:
    """Return the amounts that a text states, without those of unknown unit."""
    plain = in_digits(text)
    found = (one for one in _found(plain) if one.range.of or one.range.measure is not Measure.COUNT)
    return tuple(_bounded(one) for one in found)


def limit(question: str) -> Range | None:
    """Return what the one amount in a question accepts; None for none, several or a plain one."""
    plain = in_digits(question)
    found = list(_found(plain))
    if len(found) != 1:
        return None
    one = found[0]
    if one.range.measure is Measure.COUNT and not one.range.of:
        one = replace(one, range=replace(one.range, measure=Measure.AGE))
    if one.bound is not None or re.search(r"\b(?:between|aged|from) $", plain[: one.start]):
        return _bounded(one) if one.bound else one.range
    return None


def _bounded(one: _Found) -> Range:
    """Return the range behind 'over' and the like: an exact 'over 60' has no upper end."""
    span = one.range
    match one.bound:
        case "over":
            return replace(span, low=span.high, high=float("inf"), low_excluded=True)
        case "under":
            excluded = replace(span, low=float("-inf"), high=span.low, high_excluded=True)
            return replace(excluded, low_excluded=False)
        case "least":
            return replace(span, high=float("inf"), high_excluded=False)
        case "most":
            return replace(span, low=float("-inf"))
        case _:
            return span


def _found(plain: str) -> Iterator[_Found]:
    for match in _PATTERN.finditer(plain):
        span = _range(match, plain=plain)
        if span is not None:
            bound = _bound(match, plain=plain, measure=span.measure)
            yield _Found(range=span, start=match.start(), end=match.end(), bound=bound)


def _bound(match: re.Match[str], *, plain: str, measure: Measure) -> str | None:
    before, after = plain[: match.start()].rstrip(), plain[match.end() :]
    for name, pattern in _BOUND_AFTER.items():
        if pattern.match(after):
            return name
    for name, pattern in _BOUND_BEFORE.items():
        hit = pattern.search(before)
        if hit and not (name in ("over", "under") and _NO_MORE.search(before)):
            dated = measure in (Measure.DATE, Measure.SEASON)
            by = hit.group().split()[0] in ("by", "from", "after", "before")
            if dated or not by:
                return name
    return None


def _range(match: re.Match[str], *, plain: str) -> Range | None:
    if match["range_low"]:
        low, high = float(match["range_low"]), float(match["range_high"])
        return Range(measure=Measure.AGE, low=low, high=high) if high < _OLDEST else None
    if match["last"]:
        return Range(measure=Measure.TIME, low=0, high=2.0 * _DAYS[match["last"]])
    if match["money"] or match["coins"] or match["pay"]:
        return _money(match, plain=plain)
    if match["count"]:
        return _count(match, plain=plain)
    return _measured(match) or _date(match)


def _measured(match: re.Match[str]) -> Range | None:
    for group, measure in _MEASURED.items():
        if match[group]:
            unit = match.groupdict().get(f"{group}_unit")
            size = 1.0 if unit is None else _size(_SIZES[measure], unit)
            return _exact(measure, float(match[group]) * size)
    return None


def _exact(measure: Measure, value: float, *, of: str = "") -> Range:
    return Range(measure=measure, low=value, high=value, of=of)


def _size(sizes: Mapping[str, float], unit: str) -> float:
    return next(size for name, size in sizes.items() if unit.startswith(name))


def _money(match: re.Match[str], *, plain: str) -> Range | None:
    value = float(match["money"] or match["coins"] or match["pay"])
    named = match["per"] or match["perly"] or match["each"] or match["eachly"] or match["pay_per"]
    far = re.match(
        r"(?: in \w+)? (?:every|each|a|per) (day|week|month|year)\b", plain[match.end() :]
    )
    period = named or (far[1] if far else None)
    if period is None:
        return _exact(Measure.MONEY, value)
    return _exact(Measure.INCOME, value * _A_YEAR[period]) if period in _A_YEAR else None


def _count(match: re.Match[str], *, plain: str) -> Range | None:
    value = float(match["count"])
    further = _OR_MORE.match(plain[match.end() :])
    noun = match["noun"] or (further[1] if further else None)
    if noun is None:
        several = re.match(r" of (?:us|them)\b", plain[match.end() :])
        aged = _IS_AGED.search(plain[: match.start()]) and value < _OLDEST and not several
        return _exact(Measure.AGE if aged else Measure.COUNT, value)
    thing = stem(noun)
    return _exact(Measure.COUNT, value, of=_SYNONYMS.get(thing, thing))


def _date(match: re.Match[str]) -> Range:
    if match["decade"]:
        return _during(Measure.DATE, float(match["decade"]), 10.0)
    if match["year"]:
        return _during(Measure.DATE, float(match["year"]), 1.0)
    low, length = _MONTHS.split().index(match["month"]) / 12, 1 / 12
    if match["day"]:
        low, length = low + (int(match["day"]) - 1) / 372, 1 / 372
    if match["of_year"]:
        return _during(Measure.DATE, low + float(match["of_year"]), length)
    return _during(Measure.SEASON, low, length)


def _during(measure: Measure, low: float, length: float) -> Range:
    return Range(measure=measure, low=low, high=low + length, high_excluded=True)
