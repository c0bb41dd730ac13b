"""Numbers in words written as digits, so that one pattern finds them: 'half a million', '40k'."""

from __future__ import annotations

import re

_ONES_LISTED = """
    zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen
    sixteen seventeen eighteen nineteen
"""
_TENS_LISTED = "twenty thirty forty fifty sixty seventy eighty ninety"
_ONES = {word: float(value) for value, word in enumerate(_ONES_LISTED.split())}
_TENS = {word: 10.0 * value for value, word in enumerate(_TENS_LISTED.split(), start=2)}
_SMALL = _ONES | _TENS
_SCALES = {"hundred": 1e2, "thousand": 1e3, "million": 1e6, "billion": 1e9, "dozen": 12.0}
_SHORT = {"k": 1e3, "m": 1e6, "bn": 1e9}
_BIRTHDAYS = {"first": 1, "second": 2, "third": 3, "fifth": 5, "tenth": 10}
_UNITS = r"(?:minute|hour|night|day|week|fortnight|month|year|decade|mile|kilomet(?:er|re)|tonne)"
_WORD = rf"(?:{'|'.join(sorted(_SMALL, key=len, reverse=True))})"
_BIG = rf"(?:{'|'.join(_SCALES)})"
_HALF = re.compile(rf"\bhalf an? (?={_BIG}|{_UNITS})")
_ONE = re.compile(rf"\b(?:an?|one) (?={_BIG}\b)")
_SPELT = re.compile(rf"\b(?:{'|'.join(_TENS)})[- ](?:{'|'.join(list(_ONES)[1:10])})\b|\b{_WORD}\b")
_SCALED = re.compile(rf"(\d[\d,]*(?:\.\d+)?)(?: ({_BIG})s?|\s?(k|m|bn))\b")
_AND_A_HALF = re.compile(r"\b(\d+) and a half\b")
_BEFORE_A = "for of in gave give after least than already within under over them only about him her"
_LONE_UNIT = re.compile(rf"(?<!\d)(?<!\d )(\b(?:{_BEFORE_A.replace(' ', '|')}) )an? (?={_UNITS}\b)")
_DECADE_OF_LIFE = re.compile(rf"\b(early|mid|late)[- ]({'|'.join(t[:-1] for t in _TENS)})ies\b")
_BIRTHDAY = re.compile(rf"\b(?:(\d+)(?:st|nd|rd|th)|({'|'.join(_BIRTHDAYS)})) birthday\b")
_THOUSANDS = re.compile(r"(?<=\d),(?=\d{3}\b)")


def in_digits(text: str) -> str:
    """Return the text in lower case with its numbers as plain digits: '2.5', '500000'."""
    plain = text.lower().replace("’", "'")
    plain = _DECADE_OF_LIFE.sub(_years_of_life, plain)
    plain = _BIRTHDAY.sub(_age, plain)
    plain = _HALF.sub("0.5 ", plain)
    plain = _LONE_UNIT.sub(r"\g<1>1 ", _ONE.sub("1 ", plain))
    plain = _AND_A_HALF.sub(r"\1.5", _SPELT.sub(_digits, plain))
    plain = _THOUSANDS.sub("", plain)
    return _SCALED.sub(_scaled, plain)


def _digits(match: re.Match[str]) -> str:
    return f"{sum(_SMALL[word] for word in re.split('[- ]', match.group())):g}"


def _scaled(match: re.Match[str]) -> str:
    factor = _SCALES[match[2]] if match[2] else _SHORT[match[3]]
    return f"{float(match[1].replace(',', '')) * factor:.10g}"


def _years_of_life(match: re.Match[str]) -> str:
    start = _TENS[match[2] + "y"] + {"early": 0, "mid": 4, "late": 6}[match[1]]
    return f"between {start:g} and {start + 3:g} years old"


def _age(match: re.Match[str]) -> str:
    return f"{match[1] or _BIRTHDAYS[match[2]]} years old"
