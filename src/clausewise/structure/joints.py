"""What a rule text shows of how two of its conditions are joined: with `and` or with `or`.

The words between them, the line that leads their list in, the layout: each is one sign, true or
false. A model weighs them; none of them decides alone.
"""

from __future__ import annotations

import itertools
import re
from collections.abc import Sequence
from dataclasses import dataclass

from clausewise.structure.layout import Block, Kind, blocks
from clausewise.structure.negation import denies
from clausewise.trees.values import Span

SIGNS = 30
"""How many signs there are."""
_NEAR = 14
_LEAD = 60

_OR, _AND = re.compile(r"\bor\b"), re.compile(r"\band\b")
_EXCEPT = re.compile(r"unless|except|other than")
_STOP = re.compile(r"[.;]\s")
_IF = re.compile(r"\bif\b|\bwhen\b")
_WHO = re.compile(r"who|that|which|with")
_ANY = re.compile(r"\beither\b|\bany\b|\bone of\b|\bone or more\b|at least one")
_ALL = re.compile(r"\bboth\b|\ball\b|\bmust\b|\beach\b")
_LEAD_IF = re.compile(r"\bif\b")
_EITHER, _BOTH = re.compile(r"\beither\b"), re.compile(r"\bboth\b")
_EXAMPLES = re.compile(r"including|such as|for example|like")
_PERSON = re.compile(r"\byou(?:\W|$)|they")
_REASONS = re.compile(r"because|these include|examples")


@dataclass(frozen=True, slots=True, kw_only=True)
class SignedPair:
    """Two spans, by their places, and the signs of how they are joined."""

    left: int
    right: int
    signs: tuple[bool, ...]


def joint_signs(
    first: Span, second: Span, *, text: str, layout: Sequence[Block], distance: int
) -> tuple[bool, ...]:
    """Return the signs of how two spans are joined that stand `distance` places apart."""
    start, end = min(first.end, second.end), max(first.start, second.start)
    between = text[start:end].lower()
    blocks = _block_of(first, layout), _block_of(second, layout)
    return (
        *_of_layout(blocks, distance=distance),
        *_of_words(between),
        *_of_list(blocks, text=text, layout=layout),
        *_of_surroundings(min(first.start, second.start), text=text),
        first.overlaps(second),
    )


def signs_between(spans: Sequence[Span], *, text: str) -> list[SignedPair]:
    """Return every two of some spans, in their order, with the signs of how they are joined."""
    layout = blocks(text)
    pairs = itertools.combinations(range(len(spans)), 2)
    return [
        SignedPair(
            left=left,
            right=right,
            signs=joint_signs(
                spans[left], spans[right], text=text, layout=layout, distance=right - left
            ),
        )
        for left, right in pairs
    ]


def _block_of(span: Span, layout: Sequence[Block]) -> Block | None:
    return next(
        (block for block in layout if block.span.start <= span.start < block.span.end), None
    )


def _of_layout(blocks: tuple[Block | None, Block | None], *, distance: int) -> tuple[bool, ...]:
    same = blocks[0] is blocks[1]
    siblings = _are_siblings(blocks)
    return same, siblings, not siblings and not same, distance == 1, distance == 2, distance > 2


def _are_siblings(blocks: tuple[Block | None, Block | None]) -> bool:
    first, second = blocks
    if first is None or second is None or first is second:
        return False
    items = first.kind is Kind.ITEM and second.kind is Kind.ITEM
    return items and first.parent == second.parent


def _of_words(between: str) -> tuple[bool, ...]:
    near, bare = between[-_NEAR:], between.strip()
    return (
        bool(_OR.search(between)),
        bool(_AND.search(between)),
        bool(_OR.search(near)),
        bool(_AND.search(near)),
        bool(_EXCEPT.search(between)),
        bool(_STOP.search(between)),
        bool(_IF.search(near)),
        bool(_WHO.search(near)),
        len(bare) < 6,
        len(between) > 80,
        bare.endswith(","),
    )


def _of_list(
    blocks: tuple[Block | None, Block | None], *, text: str, layout: Sequence[Block]
) -> tuple[bool, ...]:
    parent = blocks[0].parent if blocks[0] and _are_siblings(blocks) else None
    lead = layout[parent].span.cut(text).lower() if parent is not None else ""
    tail = lead[-_LEAD:]
    ends = _ends_of_items(parent, text=text, layout=layout) if _are_siblings(blocks) else ""
    return (
        bool(_ANY.search(tail)),
        bool(_ALL.search(tail)),
        bool(_LEAD_IF.search(tail)),
        denies(lead),
        bool(_OR.search(ends)),
        bool(_AND.search(ends)) and not _OR.search(ends),
        bool(_EXAMPLES.search(lead)),
        bool(_PERSON.search(lead[-12:])),
        bool(_REASONS.search(tail)),
    )


def _ends_of_items(parent: int | None, *, text: str, layout: Sequence[Block]) -> str:
    """Return the first and last letters of the items of a list, where its 'or' and 'and' stand."""
    items = (block for block in layout if block.kind is Kind.ITEM and block.parent == parent)
    words = (text[block.span.start : block.span.end + 1].lower() for block in items)
    return " | ".join(f"{word[-6:]} | {word[:4]}" for word in words)


def _of_surroundings(start: int, *, text: str) -> tuple[bool, ...]:
    before = text[max(0, start - 40) : start].lower().rpartition("\n")[2]
    return bool(_EITHER.search(before)), bool(_BOTH.search(before)), denies(text)
