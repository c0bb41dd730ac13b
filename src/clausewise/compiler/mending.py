"""The edges of tagged conditions, mended by layout and punctuation.

The network finds about where a condition stands; that a condition does not run from one paragraph
into the next, and does not stop a word before its clause ends, is known without learning it.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence
from dataclasses import replace

from clausewise.compiler.spans import Found
from clausewise.structure.clauses import clauses
from clausewise.structure.cues import CUE, Cue
from clausewise.structure.layout import Block, Kind, blocks
from clausewise.structure.wording import Wording
from clausewise.trees.values import Span

_STOPS_LISTED = """
    and or but if unless except when where who which that because provided as so before after
    until while can may must shall should will cannot is are was were has have do does
"""
_STOPS = frozenset(_STOPS_LISTED.split())
"""Words that begin another clause: a condition ends before them."""
_VERBS = frozenset(["is", "are", "was", "were", "has", "have", "had"])
_MOST_MISSED = 3
"""How many words at the end of a clause the network misses by accident; more are left out."""
_MOST_BEFORE = 5
_SHARE = 2 / 3
"""Where so many items of a list are conditions, all are."""
_LONGEST_ITEM = 30
_UNSURE = 0.5
"""How sure an item is that only its list speaks for."""
_ITEM_END = re.compile(r"(?<![\s,;:.])(?:[\s,;:.]++(?:and\b|or\b)?)+$", re.IGNORECASE)
_LETTER = re.compile(r"\w")


def mended(found: Sequence[Found], *, wording: Wording) -> tuple[Found, ...]:
    """Return the conditions with mended edges: in order, none overlapping another."""
    layout = blocks(wording.text)
    ends = [*(one.first for one in found[1:]), len(wording.words)]
    result: list[Found] = []
    for one, following in zip(found, ends, strict=True):
        free = result[-1].last if result else 0
        clipped = _within_block(one, wording=wording, layout=layout)
        longer = _to_end(clipped, before=following, wording=wording, layout=layout)
        longer = _through_verb(longer, before=following, wording=wording)
        result.append(_from_cue(longer, behind=free, wording=wording))
    return tuple(sorted((*result, *_siblings(result, wording=wording)), key=lambda one: one.first))


def _within_block(one: Found, *, wording: Wording, layout: Sequence[Block]) -> Found:
    """Cut a stretch to the block that has most of its words."""
    shares: dict[int, list[int]] = {}
    for place in range(one.first, one.last):
        block = _block_at(wording.words[place].start, layout)
        shares.setdefault(block, []).append(place)
    most = max(shares.values(), key=len)
    return replace(one, first=most[0], last=most[-1] + 1)


def _block_at(start: int, layout: Sequence[Block]) -> int:
    places = (place for place, block in enumerate(layout) if block.span.start <= start)
    return max(places, default=0)


def _to_end(one: Found, *, before: int, wording: Wording, layout: Sequence[Block]) -> Found:
    """Go on to the end of the clause where that is a few words away."""
    block = layout[_block_at(wording.words[one.last - 1].start, layout)]
    last = one.last
    while last < before and last - one.last <= _MOST_MISSED:
        word = wording.words[last]
        if word.start >= block.span.end or not _LETTER.match(word.text):
            break
        if word.text.lower() in _STOPS:
            break
        last += 1
    return one if last - one.last > _MOST_MISSED else replace(one, last=last)


def _through_verb(one: Found, *, before: int, wording: Wording) -> Found:
    """Go on where a stretch is but the subject behind a cue: 'unless the flag | is red'."""
    if one.last >= before or wording.words[one.last].text.lower() not in _VERBS:
        return one
    start, end = wording.words[one.first].start, wording.words[one.last].start
    cues = (match.end() for match in CUE.finditer(wording.text, 0, start))
    if not any(wording.text[cue:start].isspace() for cue in cues):
        return one
    for clause in clauses(wording.text):
        place = wording.place(clause.span) if clause.span.start == start else None
        if place and clause.span.end > end and place[1] <= before:
            return replace(one, last=place[1])
    return one


def _from_cue(one: Found, *, behind: int, wording: Wording) -> Found:
    """Begin behind the 'if' where only a few words of the same clause stand between."""
    start, end = wording.words[behind].start, wording.words[one.first].start
    cues = list(CUE.finditer(wording.text, start, end))
    if not cues or Cue[cues[-1].lastgroup or "IF"] is Cue.WHEN:
        return one
    between = wording.place(Span(start=cues[-1].end(), end=end)) if cues[-1].end() < end else None
    if between is None or between[0] >= one.first or one.first - between[0] > _MOST_BEFORE:
        return one
    words = wording.text[wording.words[between[0]].start : end]
    if re.search(r"[.;:\n()]", words):
        return one
    return replace(one, first=between[0])


def _siblings(found: Sequence[Found], *, wording: Wording) -> list[Found]:
    """Return the items without a condition of lists whose other items nearly all have one."""
    layout = blocks(wording.text)
    taken = {_block_at(wording.words[place].start, layout) for one in found for place in _all(one)}
    missed = [
        block
        for place, block in enumerate(layout)
        if block.kind is Kind.ITEM
        and place not in taken
        and _is_of_conditions(place, layout=layout, taken=taken)
    ]
    return [one for block in missed if (one := _item(block, wording=wording))]


def _all(one: Found) -> range:
    return range(one.first, one.last)


def _is_of_conditions(place: int, *, layout: Sequence[Block], taken: Collection[int]) -> bool:
    if any(block.parent == place for block in layout):
        return False
    items = [
        other
        for other, block in enumerate(layout)
        if block.kind is Kind.ITEM and block.parent == layout[place].parent
    ]
    return sum(other in taken for other in items) >= _SHARE * len(items)


def _item(block: Block, *, wording: Wording) -> Found | None:
    words = _ITEM_END.sub("", block.span.cut(wording.text))
    span = Span(start=block.span.start, end=block.span.start + max(len(words), 1))
    place = wording.place(span)
    if place is None or place[1] - place[0] > _LONGEST_ITEM:
        return None
    return Found(first=place[0], last=place[1], probability=_UNSURE)
