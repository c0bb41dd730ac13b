"""The signs of a rule text that the network weighs besides its own reading of the words.

To what the layout and the words between two conditions show, the logic that cue words alone would
give is added: the network learns when to follow it.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from clausewise.compiler.cues import key_of
from clausewise.compiler.joining import Joiner
from clausewise.compiler.literals import joined_by_or, negated_keys
from clausewise.errors import LogicError
from clausewise.structure.joints import SIGNS as JOINT_SIGNS
from clausewise.structure.joints import signs_between
from clausewise.structure.layout import Kind, blocks
from clausewise.structure.negation import denies
from clausewise.trees.logic import Logic, Name, all_of
from clausewise.trees.values import Span

PAIR_SIGNS = JOINT_SIGNS + 2
SPAN_SIGNS = 4
_EXCEPTS = re.compile(r"\b(?:unless|except(?: \w+)?|other than|but not|not|n['’]t)\W*$", re.I)


@dataclass(frozen=True, slots=True, kw_only=True)
class LogicSigns:
    """The signs of some conditions, in their order, and of every two of them."""

    spans: tuple[tuple[bool, ...], ...]
    """[spans, SPAN_SIGNS]"""
    pairs: tuple[tuple[int, int], ...]
    """[pairs, 2]"""
    joints: tuple[tuple[bool, ...], ...]
    """[pairs, PAIR_SIGNS]"""
    lists: tuple[int | None, ...] = ()
    """[spans]; the line that leads in the list of which the condition is an item, if it is one."""

    @classmethod
    def of(cls, spans: Sequence[Span], *, text: str) -> LogicSigns:
        """Return the signs of conditions with these spans."""
        keys = [key_of(place) for place in range(len(spans))]
        logic = _by_cues(spans, keys=keys, text=text)
        negated, by_or = negated_keys(logic), joined_by_or(logic)
        everywhere = all(negated.values())
        signed = signs_between(spans, text=text)
        return cls(
            spans=tuple(
                (negated[key], everywhere, denies(text), _excepted(span, text=text))
                for key, span in zip(keys, spans, strict=True)
            ),
            pairs=tuple((pair.left, pair.right) for pair in signed),
            joints=tuple(
                (*pair.signs, *_cue(by_or, negated, keys[pair.left], keys[pair.right]))
                for pair in signed
            ),
            lists=tuple(_list_of(span, text=text) for span in spans),
        )


def _list_of(span: Span, *, text: str) -> int | None:
    """Return the list of an item; None elsewhere, and behind an 'unless' of the item's own."""
    for block in blocks(text):
        if block.kind is Kind.ITEM and block.span.start <= span.start < block.span.end:
            return None if _excepted(span, text=text) else block.parent
    return None


def _by_cues(spans: Sequence[Span], *, keys: Sequence[str], text: str) -> Logic:
    try:
        return Joiner.of(text, conditions=list(zip(keys, spans, strict=True))).logic()
    except (LogicError, KeyError, IndexError):
        return all_of(Name(key) for key in keys)


def _cue(
    by_or: dict[tuple[str, str], bool], negated: dict[str, bool], left: str, right: str
) -> tuple[bool, bool]:
    found = by_or.get((left, right))
    if found is None:
        return False, False
    says_or = found != (negated[left] and negated[right])
    return says_or, not says_or


def _excepted(span: Span, *, text: str) -> bool:
    return bool(_EXCEPTS.search(text[max(0, span.start - 24) : span.start]))
