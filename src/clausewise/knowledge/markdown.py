"""Markdown into rule texts: a heading and what stands below it is one rule.

Organisations keep their rules as pages with headings; nothing has to be marked up for Clausewise.
Ids come from the headings, so they survive edits of the text and moves within the page.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from clausewise.errors import RuleTextError, Where
from clausewise.knowledge.files import check_length
from clausewise.knowledge.layout import Heading, Line, lay_out
from clausewise.knowledge.splitting import split
from clausewise.types import RuleText

_NO_ALPHANUMERICS = re.compile(r"[\W_]+")


@dataclass(frozen=True, slots=True, kw_only=True)
class _Section:
    """A heading, what stands above it, and the lines up to the next heading."""

    path: tuple[Heading, ...]
    """The headings above it and its own, outermost first; none before the first heading."""
    lines: tuple[Line, ...]
    """Without blank lines around them."""

    @property
    def has_body(self) -> bool:
        return any(not line.is_blank and line.heading is None for line in self.lines)

    @property
    def title(self) -> str:
        return " > ".join(heading.title for heading in self.path if heading.title)


def rules_of_markdown(text: str, *, page: str, file: str) -> tuple[RuleText, ...]:
    """Return the rule texts of a Markdown file, in its order; none where it has no body.

    `page` is the file's path below the knowledge base, which ids and sources begin with; `file`
    names it in errors.
    """
    sections = [section for section in _sections(lay_out(text, file=file)) if section.has_body]
    rules: list[RuleText] = []
    for section, rule_id in zip(sections, _ids(sections, page=page, file=file), strict=True):
        start = section.lines[0].number
        whole = "\n".join(line.text for line in section.lines)
        check_length(whole, where=Where(file=file, line=start))
        rules.extend(_rules(section, rule_id=rule_id, page=page))
    return tuple(rules)


def slug(heading: str) -> str:
    """Return a heading as it stands in an id: lower case, everything else a hyphen."""
    return _NO_ALPHANUMERICS.sub("-", heading.lower()).strip("-") or "section"


def _sections(lines: Sequence[Line]) -> Iterator[_Section]:
    path: tuple[Heading, ...] = ()
    start = 0
    for place, line in enumerate(lines):
        if line.heading:
            yield _section(lines[start:place], path=path)
            path = (*(above for above in path if above.level < line.heading.level), line.heading)
            start = place
    yield _section(lines[start:], path=path)


def _section(lines: Sequence[Line], *, path: tuple[Heading, ...]) -> _Section:
    seen = [place for place, line in enumerate(lines) if not line.is_blank]
    kept = lines[seen[0] : seen[-1] + 1] if seen else ()
    return _Section(path=path, lines=tuple(kept))


def _rules(section: _Section, *, rule_id: str, page: str) -> Iterator[RuleText]:
    parts = split(section.lines)
    for number, part in enumerate(parts, start=1):
        yield RuleText(
            rule_id=f"{rule_id}/{number}" if len(parts) > 1 else rule_id,
            text="\n".join(line.text for line in part),
            title=section.title,
            source=f"{page}:{part[0].number}",
        )


def _ids(sections: Sequence[_Section], *, page: str, file: str) -> list[str]:
    explicit = _explicit_ids(sections, file=file)
    taken = set(explicit)
    ids = []
    for section in sections:
        own = section.path[-1].explicit_id if section.path else None
        wanted = own or _automatic_id(section.path, page=page)
        rule_id, number = wanted, 1
        while not own and rule_id in taken:
            number += 1
            rule_id = f"{wanted}-{number}"
        taken.add(rule_id)
        ids.append(rule_id)
    return ids


def _explicit_ids(sections: Sequence[_Section], *, file: str) -> dict[str, int]:
    """Return the ids that were given by hand with their lines; RuleTextError where one repeats."""
    lines: dict[str, int] = {}
    for section in sections:
        given = section.path[-1].explicit_id if section.path else None
        if given is None:
            continue
        line = section.lines[0].number
        if given in lines:
            message = f"the id {given!r} stands on line {lines[given]} already, expected another"
            raise RuleTextError(message, where=Where(file=file, line=line))
        lines[given] = line
    return lines


def _automatic_id(path: Sequence[Heading], *, page: str) -> str:
    stem = page.rpartition(".")[0] or page
    if not path:
        return stem
    below = [slug(heading.title) for heading in path if heading.level > 1]
    return f"{stem}#{'/'.join(below or [slug(path[-1].title)])}"
