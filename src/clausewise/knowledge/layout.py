"""The lines of a Markdown file that are rule text, and which of them are headings.

Only as much of Markdown as decides where a rule begins: headings in both styles, code fences
(whose `#` is no heading), HTML comments and YAML front matter (which are no rule text).
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from clausewise.errors import RuleTextError, Where

_HEADING = re.compile(r" {0,3}(?P<marks>#{1,6})(?:[ \t]+(?P<title>.*?))?(?:[ \t]+#+)?[ \t]*")
_UNDERLINE = re.compile(r" {0,3}(?P<marks>=+|-+)[ \t]*")
_NO_PARAGRAPH = re.compile(r" {4}|\t| {0,3}(?:[-+*>|]|\d+[.)][ \t]|$)")
_FENCE = re.compile(r" {0,3}(?P<fence>`{3,}(?!.*`)|~{3,})")
_EXPLICIT_ID = re.compile(r"(?P<title>.*?)[ \t]*\{#(?P<id>[^\s{}]+)\}")


@dataclass(frozen=True, slots=True, kw_only=True)
class Heading:
    """What a heading says, and how deep it stands."""

    level: int
    """From 1, the title of the page, to 6."""
    title: str
    explicit_id: str | None = None
    """The id that its owner gave it: `## Second permit {#second-permit}`."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Line:
    """A line of rule text."""

    number: int
    """In the file, counted from 1."""
    text: str
    """Without its line ending."""
    heading: Heading | None = None
    literal: bool = False
    """Inside a code fence."""

    @property
    def is_blank(self) -> bool:
        """Whether nothing can be seen of it; a blank line of code is not blank."""
        return not self.literal and not self.text.strip()


def lay_out(text: str, *, file: str) -> tuple[Line, ...]:
    """Return the lines of rule text in a Markdown file; RuleTextError where it isn't closed."""
    numbered = list(enumerate(text.split("\n"), start=1))
    visible = _without_comments(numbered[_front_matter(numbered) :], file=file)
    return _with_underlined_headings(tuple(_marked(visible, file=file)))


def _front_matter(lines: Sequence[tuple[int, str]]) -> int:
    """Return how many lines at the top are YAML front matter."""
    if lines[0][1].rstrip() != "---":
        return 0
    for number, line in lines[1:]:
        if line.rstrip() in ("---", "..."):
            return number
    return 0


def _without_comments(lines: Sequence[tuple[int, str]], *, file: str) -> Iterator[tuple[int, str]]:
    """Yield the lines with HTML comments cut out; a line that was all comment is left out."""
    opened_at = None
    fence = ""
    for number, line in lines:
        fence = fence if opened_at else _fence_after(line, fence=fence)
        if fence:
            yield number, line
            continue
        rest, kept, was_open = line, "", opened_at is not None
        while rest:
            if opened_at is None:
                before, start, rest = rest.partition("<!--")
                kept += before
                opened_at = number if start else None
            else:
                _, end, rest = rest.partition("-->")
                opened_at = None if end else opened_at
        if kept.strip() or not (was_open or kept != line):
            yield number, kept
    if opened_at:
        message = "a comment starts here and never ends, expected -->"
        raise RuleTextError(message, where=Where(file=file, line=opened_at))


def _fence_after(line: str, *, fence: str) -> str:
    """Return the fence that the text behind this line stands in; empty for none."""
    found = _FENCE.match(line)
    if not fence:
        return found["fence"] if found else ""
    closes = line.strip() and not line.strip().strip(fence[0]) and len(line.strip()) >= len(fence)
    return "" if closes else fence


def _marked(lines: Iterator[tuple[int, str]], *, file: str) -> Iterator[Line]:
    fence, opened_at = "", 0
    for number, text in lines:
        before, fence = fence, _fence_after(text, fence=fence)
        opened_at = number if fence and not before else opened_at
        if before or fence:
            yield Line(number=number, text=text, literal=True)
        else:
            yield Line(number=number, text=text, heading=_heading(text))
    if fence:
        message = f"a code block starts here and never ends, expected {fence}"
        raise RuleTextError(message, where=Where(file=file, line=opened_at))


def _heading(text: str) -> Heading | None:
    match = _HEADING.fullmatch(text)
    if not match:
        return None
    return _named(match["title"] or "", level=len(match["marks"]))


def _named(title: str, *, level: int) -> Heading:
    explicit = _EXPLICIT_ID.fullmatch(title.strip())
    if explicit:
        return Heading(level=level, title=explicit["title"].strip(), explicit_id=explicit["id"])
    return Heading(level=level, title=title.strip())


def _with_underlined_headings(lines: Sequence[Line]) -> tuple[Line, ...]:
    """Return the lines with the headings found that are underlined with === or ---.

    Such a heading and its underline become one line.
    """
    found: list[Line] = []
    paragraph_may_start = True
    for line in lines:
        underline = None if line.literal else _UNDERLINE.fullmatch(line.text)
        if underline and found and paragraph_may_start and _is_plain(found[-1]):
            above = found.pop()
            heading = _named(above.text, level=1 if "=" in underline["marks"] else 2)
            text = f"{above.text}\n{line.text}"
            line = Line(number=above.number, text=text, heading=heading)  # noqa: PLW2901
        paragraph_may_start = not found or found[-1].is_blank or found[-1].heading is not None
        found.append(line)
    return tuple(found)


def _is_plain(line: Line) -> bool:
    return not (line.literal or line.heading or _NO_PARAGRAPH.match(line.text))
