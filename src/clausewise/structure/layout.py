"""The lines of a rule text as its owner laid them out: headings, prose, list items in lists.

A list item is half a sentence; what its other half is can only be read from the layout.
"""

from __future__ import annotations

import enum
import re
from dataclasses import dataclass
from functools import lru_cache

from clausewise.trees.values import Span

MAX_LEVEL = 20
"""Items deeper in lists than this count as this deep, so that nothing can exhaust the stack."""
_HEADING = re.compile(r"[ \t]*#{1,6}(?:[ \t]+|$)")
_MARKER = re.compile(
    r"(?P<indent>[ \t]*)"
    r"(?:(?P<stars>\*{2,4}(?![^\n]*\*\*)|[*+•‣◦·–—-])(?:[ \t]+|$)"
    r"|(?P<number>\(?(?:\d{1,2}|[a-z]|[ivx]{1,4})[.)])[ \t]+)"
)
_LINE = re.compile(r"[^\n]+")
_LISTED = re.compile(r"(?:;|,)(?:\s+(?:and|or))?\s*$|:\s*$", re.IGNORECASE)


class Kind(enum.Enum):
    """What a line of a rule text is."""

    HEADING = "heading"
    PROSE = "prose"
    ITEM = "item"


@dataclass(frozen=True, slots=True, kw_only=True)
class Block:
    """A heading, a paragraph or a list item, without its marker; wrapped lines are one block."""

    kind: Kind
    span: Span
    level: int = 0
    """How deep in lists it stands: 0 outside, 1 for an item of an outer list."""
    parent: int | None = None
    """The place, among the blocks, of the line that introduces the item."""


@dataclass(frozen=True, slots=True, kw_only=True)
class _Line:
    kind: Kind
    start: int
    end: int
    indent: int = 0
    after_blank: bool = False


@lru_cache(maxsize=128)
def blocks(text: str) -> tuple[Block, ...]:
    """Return the blocks of a rule text in order; they don't overlap and none is blank.

    Every condition of a rule looks at them, so those of the latest texts are remembered.
    """
    found: list[Block] = []
    indents: list[int] = []
    latest: dict[int, int] = {}  # by level, the place of the last block
    for line in _unwrapped(_lines(text), text=text):
        if line.kind is not Kind.ITEM:
            indents = []
        while indents and indents[-1] >= line.indent:
            indents.pop()
        if line.kind is Kind.ITEM:
            indents.append(line.indent)
        level = min(len(indents), MAX_LEVEL)
        parent = max((place for other, place in latest.items() if other < level), default=None)
        latest[level] = len(found)
        span = Span(start=line.start, end=line.end)
        found.append(Block(kind=line.kind, span=span, level=level, parent=parent))
    return tuple(found)


def _lines(text: str) -> list[_Line]:
    lines: list[_Line] = []
    previous_end = 0
    for match in _LINE.finditer(text):
        if match.group().strip():
            after_blank = text.count("\n", previous_end, match.start()) > 1
            lines.append(_line(match.group(), start=match.start(), after_blank=after_blank))
            previous_end = match.end()
    return lines


def _line(raw: str, *, start: int, after_blank: bool) -> _Line:
    kind, skipped, indent = Kind.PROSE, 0, len(raw) - len(raw.lstrip())
    if heading := _HEADING.match(raw):
        kind, skipped = Kind.HEADING, heading.end()
    elif marker := _MARKER.match(raw):
        kind, skipped, indent = Kind.ITEM, marker.end(), _indent(marker)
    body = raw[skipped:].strip() or raw.strip()
    first = raw.index(body, skipped if raw[skipped:].strip() else 0)
    return _Line(
        kind=kind,
        start=start + first,
        end=start + first + len(body),
        indent=indent,
        after_blank=after_blank,
    )


def _indent(marker: re.Match[str]) -> int:
    return len(marker["indent"].expandtabs(4)) + 2 * (len(marker["stars"] or "*") - 1)


def _unwrapped(lines: list[_Line], *, text: str) -> list[_Line]:
    """Join wrapped lines, and take the lines of a list that lost its markers for items."""
    joined: list[_Line] = []
    for line in lines:
        last = joined[-1] if joined else None
        if last is None or line.kind is not Kind.PROSE or last.kind is Kind.HEADING:
            joined.append(line)
        elif _is_bare_item(line, last=last, text=text):
            joined.append(_Line(kind=Kind.ITEM, start=line.start, end=line.end, indent=line.indent))
        elif line.after_blank:
            joined.append(line)
        else:
            joined[-1] = _Line(kind=last.kind, start=last.start, end=line.end, indent=last.indent)
    return joined


def _is_bare_item(line: _Line, *, last: _Line, text: str) -> bool:
    """Say whether a line without a marker goes on a list: 'a person who: | lives here; or'."""
    above = text[last.start : last.end]
    if line.after_blank or not _LISTED.search(above):
        return False
    return not above.endswith(",") and (last.kind is Kind.ITEM or above.endswith(":"))
