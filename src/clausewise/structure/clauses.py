"""The conditions of a rule text, each with the cue that makes it one."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from clausewise.structure.cues import (
    COORDINATION,
    CUE,
    ENDS_CLAUSE,
    EXAMPLES,
    FOLLOWING,
    LEADING,
    MAIN_CLAUSE,
    MUST,
    MUST_OR_MAY,
    OUTCOME,
    POINTER,
    PURPOSE,
    STRENGTH,
    TIME,
    TRAILING,
    WHO,
    Cue,
)
from clausewise.structure.layout import Block, Kind, blocks
from clausewise.text import Piece, sentences
from clausewise.trees.values import Span

_LETTER = re.compile(r"\w")
_BEFORE_OPENING = re.compile(
    r"(?:.*[).:,;—–-])?\W*(?:(?:and|or|but|so|then|however|even|only)\W+)*", re.I | re.S
)

_SHORT = 8
"""No condition is cut off that has this few characters or fewer."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Clause:
    """A condition's words and what makes them a condition."""

    span: Span
    cue: Cue
    block: int
    """The place of its block among the text's blocks."""


def clauses(text: str) -> tuple[Clause, ...]:
    """Return the conditions of a rule text in order, without overlap; none only for no words."""
    layout = blocks(text)
    found = [clause for place in range(len(layout)) for clause in _of_block(place, layout, text)]
    found = found or list(_whole(layout, text))
    strongest = max((STRENGTH[clause.cue] for clause in found), default=0)
    return tuple(clause for clause in found if STRENGTH[clause.cue] == strongest)


def _of_block(place: int, layout: tuple[Block, ...], text: str) -> Iterator[Clause]:
    block = layout[place]
    if block.kind is Kind.HEADING:
        return
    leads = any(other.parent == place for other in layout)
    examples = block.parent is not None and EXAMPLES.search(
        layout[block.parent].span.cut(text).rstrip(" :")
    )
    pieces = [
        Piece(start=block.span.start + piece.start, text=piece.text)
        for piece in sentences(block.span.cut(text))
    ]
    for piece in pieces[:1] if block.kind is Kind.ITEM and not leads else pieces:
        last = leads and piece is pieces[-1] and not piece.text.endswith((".", "!", "?"))
        for start, end, cue in _of_sentence(piece, item=block.kind is Kind.ITEM, leads=last):
            if span := trimmed(Span(start=start, end=max(start, end)), text):
                example = cue is Cue.ITEM and (examples or POINTER.match(text, span.start))
                yield Clause(span=span, cue=Cue.EXAMPLE if example else cue, block=place)


def _whole(layout: tuple[Block, ...], text: str) -> Iterator[Clause]:
    """Fall back to the first sentence that isn't a heading, else to the heading."""
    prose = [place for place, block in enumerate(layout) if block.kind is not Kind.HEADING]
    for place in [*prose, *range(len(layout))]:
        block = layout[place]
        for piece in sentences(block.span.cut(text)):
            start = block.span.start + piece.start
            if span := trimmed(Span(start=start, end=start + len(piece.text)), text):
                yield Clause(span=span, cue=Cue.SENTENCE, block=place)
                return
    if _LETTER.search(text):
        start = len(text) - len(text.lstrip())
        span = Span(start=start, end=start + len(text.strip()))
        yield Clause(span=span, cue=Cue.SENTENCE, block=0)


def trimmed(span: Span, text: str) -> Span | None:
    """Return the span without what a condition neither starts nor ends with, None if empty."""
    start, end = span.start, span.end
    if leading := LEADING.match(text, start, end):
        start = leading.end()
    if trailing := TRAILING.search(text, start, end):
        end = trailing.start()
    if not _LETTER.search(text, start, end):
        return None
    return Span(start=start, end=end)


def _of_sentence(piece: Piece, *, item: bool, leads: bool) -> Iterator[tuple[int, int, Cue]]:
    opens = CUE.match(piece.text)
    if item and not leads and not opens:
        ends = ENDS_CLAUSE.search(piece.text)
        end = ends.start() if ends and ends.start() > 2 else len(piece.text)
        yield piece.start, piece.start + end, Cue.ITEM
        return
    found = [*_cued(piece)] or [*_weak(piece)]
    for start, end, cue in found:
        for part in _coordinated(piece, start, end, leads=leads):
            announces = FOLLOWING.search(piece.text[slice(*part)])
            if announces or (leads and part[1] == len(piece.text.rstrip(" :"))):
                continue
            yield piece.start + part[0], piece.start + part[1], cue


def _cued(piece: Piece) -> Iterator[tuple[int, int, Cue]]:
    cues = list(CUE.finditer(piece.text))
    for match, following in zip(cues, [*cues, None][1:], strict=True):
        limit = following.start() if following else len(piece.text.rstrip(" :"))
        kind = Cue[match.lastgroup or "IF"]
        opening = bool(_BEFORE_OPENING.fullmatch(piece.text, 0, match.start()))
        end = _end(piece.text, match.end(), limit, opening=opening)
        yield match.end(), end, kind


def _end(sentence: str, start: int, limit: int, *, opening: bool) -> int:
    if opening:
        commas = [match.start() for match in re.finditer(",", sentence[start:limit])]
        for comma in commas:
            place = start + comma
            if MAIN_CLAUSE.match(sentence, place + 1) and _depth(sentence, start, place) == 0:
                return place
        if outcome := OUTCOME.search(sentence, start + 4, limit):
            return outcome.start()
        if commas and not _LETTER.search(sentence[:start].partition(" ")[2]):
            return start + commas[-1]
    ends = ENDS_CLAUSE.search(sentence, start + 1, limit)
    return ends.start() if ends else limit


def _depth(sentence: str, start: int, end: int) -> int:
    return sentence.count("(", start, end) - sentence.count(")", start, end)


def _weak(piece: Piece) -> Iterator[tuple[int, int, Cue]]:
    limit = len(piece.text.rstrip(" :"))
    for pattern, cue, ending in (
        (WHO, Cue.WHO, MUST_OR_MAY),
        (MUST, Cue.MUST, PURPOSE),
        (TIME, Cue.WHEN, PURPOSE),
    ):
        if found := pattern.search(piece.text):
            ends = ending.search(piece.text, found.end() + 3)
            yield found.end("skipped"), ends.start() if ends else limit, cue
            return


def _coordinated(piece: Piece, start: int, end: int, *, leads: bool) -> Iterator[tuple[int, int]]:
    previous = start
    for match in COORDINATION.finditer(piece.text, start, end):
        goes_on = leads and end == len(piece.text.rstrip(" :"))
        if match.start() - previous > _SHORT and (goes_on or end - match.end() > _SHORT):
            yield previous, match.start()
            previous = match.end()
    yield previous, end
