"""A JSON object of id -> rule text, the form in which research data sets keep their rules.

Python's own parser keeps the last of two equal keys and knows no lines of what is well-formed but
wrong; so the object is walked entry by entry once it is known to be JSON.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from dataclasses import dataclass

from clausewise.errors import RuleTextError, Where
from clausewise.knowledge.files import check_length
from clausewise.types import RuleText

_BETWEEN = re.compile(r"[ \t\n]*[{,:]?[ \t\n]*")
_DECODER = json.JSONDecoder()


@dataclass(frozen=True, slots=True, kw_only=True)
class _Entry:
    key: str
    value: object
    line: int
    """Where the key stands."""


def rules_of_json(text: str, *, page: str, file: str) -> tuple[RuleText, ...]:
    """Return the rule texts of a JSON object, in its order.

    `page` is what sources begin with; `file` names the file in errors.
    """
    _check_is_object(text, file=file)
    lines: dict[str, int] = {}
    rules = []
    for entry in _entries(text):
        where = Where(file=file, line=entry.line)
        if entry.key in lines:
            first = lines[entry.key]
            message = f"the id {entry.key!r} stands on line {first} already, expected another"
            raise RuleTextError(message, where=where)
        lines[entry.key] = entry.line
        rule_text = _checked(entry, where=where)
        source = f"{page}:{entry.line}"
        rules.append(RuleText(rule_id=entry.key, text=rule_text, source=source))
    return tuple(rules)


def _check_is_object(text: str, *, file: str) -> None:
    try:
        value = json.loads(text)
    except json.JSONDecodeError as error:
        where = Where(file=file, line=error.lineno, column=error.colno)
        raise RuleTextError(f"is no JSON: {error.msg}", where=where) from error
    except RecursionError as error:
        message = "is nested too deeply, expected one object of id -> rule text"
        raise RuleTextError(message, where=Where(file=file)) from error
    if not isinstance(value, dict):
        message = f"holds {_kind(value)}, expected one object of id -> rule text"
        raise RuleTextError(message, where=Where(file=file, line=1))


def _entries(text: str) -> Iterator[_Entry]:
    place = _behind(text, 0)
    while text[place] != "}":
        line = text.count("\n", 0, place) + 1
        key, place = _DECODER.raw_decode(text, place)
        value, place = _DECODER.raw_decode(text, _behind(text, place))
        yield _Entry(key=key, value=value, line=line)
        place = _behind(text, place)


def _behind(text: str, place: int) -> int:
    """Return the place behind white space and at most one of { : and comma."""
    between = _BETWEEN.match(text, place)
    assert between  # it matches the empty text
    return between.end()


def _checked(entry: _Entry, *, where: Where) -> str:
    value = entry.value
    if not isinstance(value, str):
        message = f"the rule {entry.key!r} is {_kind(value)}, expected its text"
        raise RuleTextError(message, where=where)
    if not entry.key.strip() or not value.strip():
        missing = "text" if entry.key.strip() else "id"
        message = f"the {missing} of the rule {entry.key!r} is empty, expected at least one word"
        raise RuleTextError(message, where=where)
    try:
        (entry.key + value).encode("utf-8")
    except UnicodeEncodeError as error:
        message = f"the rule {entry.key!r} holds half a character (a surrogate), expected Unicode"
        raise RuleTextError(message, where=where) from error
    check_length(value, where=where)
    return value


def _kind(value: object) -> str:
    match value:
        case None:
            return "null"
        case bool():
            return "true or false"
        case int() | float():
            return "a number"
        case str():
            return "a text"
        case list():
            return "a list"
        case _:
            return "an object"
