"""What a rule text says before a condition: the half of its sentence that stands elsewhere."""

from __future__ import annotations

import re

from clausewise.structure.layout import Block, Kind, blocks
from clausewise.text import sentences
from clausewise.trees.values import Span

_CLAUSE_START = re.compile(
    r"(?:.*(?:\b(?:if|unless|when|where|that|provided|once|while|whether|and|or)|[,:;—])"
    r"\s+)?"
    r"(?P<clause>(?:you|they|he|she|it|the \w+(?: \w+)?|your \w+(?: \w+)?|an? \w+|applicants?"
    r"|people|anyone|those|someone)(?:['’]\w+)?(?:\s.*)?)$",
    re.IGNORECASE | re.DOTALL,
)
_RELATIVE = re.compile(
    r".*\b(?P<clause>(?:people|anyone|those|\w+s|someone|person) who(?:['’]\w+)?\b.*)$",
    re.IGNORECASE | re.DOTALL,
)
_ANNOUNCES = re.compile(
    r"\b(?:following|below|of (?:these|those|them)|requirements|conditions|criteria|true|met)\b"
    r"[^,]*$",
    re.IGNORECASE,
)
_LISTING = re.compile(r"(?:,|\b(?:and|or))$")
_LISTING_START = re.compile(r",|\s(?:and|or)\b")
_LAST_HINGE = re.compile(
    r".*\b(?:in|of|for|to|with|on|by|from|are|is|be|was|were|have|has|had|gets?|receive|using"
    r"|an?|the)\b",
    re.IGNORECASE | re.DOTALL,
)
_SETTLED = re.compile(
    r"\b(?:can|may|could|might|cannot|(?:do not|don['’]t) (?:\w+ )?(?:need|have)|provides?"
    r"|includes?|pay|can['’]t|won['’]t|eligible|entitled|qualify|apply|applies)\b",
    re.IGNORECASE,
)
"""Words of an outcome: what a clause with them grants or denies is no half of a condition."""


def said_before(span: Span, *, text: str) -> str:
    """Return the unfinished clause that the words of the span go on with; empty where none is.

    For 'a card' in 'You must have: * a card' that is 'You must have'.
    """
    layout = blocks(text)
    place = _place(span, layout)
    if place is None:
        return ""
    block = layout[place]
    start = _sentence_start(block, span, text)
    own = text[start : max(span.start, start)]
    if re.search(r"\w", own) or block.kind is not Kind.ITEM or block.parent is None:
        return _unfinished(own)
    parent = layout[block.parent]
    above = sentences(parent.span.cut(text))[-1].text
    if parent.kind is Kind.ITEM and (outer := said_before(parent.span, text=text)):
        above = f"{outer} {above}"
    return _unfinished(above)


def _place(span: Span, layout: tuple[Block, ...]) -> int | None:
    return next((place for place, block in enumerate(layout) if block.span.overlaps(span)), None)


def _sentence_start(block: Block, span: Span, text: str) -> int:
    starts = [block.span.start + piece.start for piece in sentences(block.span.cut(text))]
    return max((start for start in starts if start <= span.start), default=span.start)


def _unfinished(words: str) -> str:
    plain = " ".join(words.rstrip(" :—–-\n").split())
    if not plain or _ANNOUNCES.search(plain):
        return ""
    plain = re.sub(
        r"\s*\b(?:either|both|all|any|one|at least one)(?: of)?(?: the following)?$", "", plain
    )
    found = _RELATIVE.match(plain) or _CLAUSE_START.match(plain)
    if found is None or re.search(
        r"\b(?:if|unless|when|where|because|for example)$", plain, re.IGNORECASE
    ):
        return ""
    clause = found["clause"]
    return "" if _SETTLED.search(clause) else _without_siblings(clause)


def _without_siblings(clause: str) -> str:
    """Drop what stands beside the phrase: of 'you live in Bath, York or' 'you live in' stays."""
    if not _LISTING.search(clause):
        return clause
    first = _LISTING_START.split(clause, maxsplit=1)[0]
    kept = _LAST_HINGE.match(first)
    return kept[0] if kept else ""
