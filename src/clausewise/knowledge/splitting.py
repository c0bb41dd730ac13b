"""Long sections into parts that a person, and a model with a short memory, can take in.

A part ends at a blank line, but never between a list and the sentence that introduces it: "if
you are one of:" means nothing without what follows.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from clausewise.knowledge.layout import Line

MAXIMUM_WORDS = 300
"""Parts are longer only where one list or paragraph is."""

_LIST_ITEM = re.compile(r"\s*(?:[-+*]|\(?\w{1,4}[.)])\s|\s{2,}\S")

Lines = tuple[Line, ...]


def split(lines: Sequence[Line]) -> tuple[Lines, ...]:
    """Return the lines in parts of at most about 300 words, without blank lines around them."""
    if _words(lines) <= MAXIMUM_WORDS:
        return (tuple(lines),)
    parts: list[list[Line]] = []
    for block in _blocks(lines):
        if parts and _words([*parts[-1], *block]) <= MAXIMUM_WORDS:
            parts[-1].extend(block)
        else:
            parts.append(block)
    return tuple(_trimmed(part) for part in parts)


def _blocks(lines: Sequence[Line]) -> list[list[Line]]:
    """Return what must stay together: paragraphs, each with the list below and its heading."""
    blocks: list[list[Line]] = [[]]
    after_blank = False
    for line in lines:
        heads_only = all(before.heading or before.is_blank for before in blocks[-1])
        belongs_above = line.is_blank or line.literal or _LIST_ITEM.match(line.text) is not None
        if after_blank and not belongs_above and not heads_only:
            blocks.append([])
        blocks[-1].append(line)
        after_blank = line.is_blank
    return blocks


def _words(lines: Sequence[Line]) -> int:
    return sum(len(line.text.split()) for line in lines)


def _trimmed(part: Sequence[Line]) -> Lines:
    end = len(part)
    while part[end - 1].is_blank:
        end -= 1
    return tuple(part[:end])
