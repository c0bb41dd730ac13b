"""Sequences and what is right for them, as tensors."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import torch
from torch import Tensor

from clausewise.readers.transformer.config import ReaderModelConfig
from clausewise.readers.transformer.encode import MAX_USER_PIECES, NO_PIECE, Packed, Packer
from clausewise.readers.transformer.extraction import (
    Places,
    candidates,
    overlaps,
    places_of,
    rule_tokens,
    span_at,
)
from clausewise.readers.transformer.scores import DECISIONS, STATES
from clausewise.training.backbone import PAD_MULTIPLE
from clausewise.training.reader_examples import Example, unit_states
from clausewise.training.reader_layers import Inputs
from clausewise.types import RuleText

IGNORED = -100
"""What is right where nothing is to be learned."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Extraction:
    """What E3 learns besides the decision."""

    starts: tuple[int, ...]
    """The first tokens of the rule's conditions."""
    ends: tuple[int, ...]
    candidates: tuple[Places, ...]
    """The conditions and the list items: the spans that may be asked about."""
    overlaps: tuple[tuple[float, float], ...]
    """For every candidate."""
    chosen: int
    """Which candidate is asked about, or IGNORED."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Item:
    """A sequence and what is right for it."""

    packed: Packed
    decision: int
    states: tuple[int, ...]
    """Of the units."""
    asked: Places | None = None
    """The first and the last token to ask about."""
    extraction: Extraction | None = None

    def __len__(self) -> int:
        """Return how many tokens the sequence has."""
        return len(self.packed.ids)


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Targets:
    """What is right for a batch; IGNORED where nothing is."""

    decision: Tensor
    """[sequences]"""
    states: Tensor
    """[sequences, units]"""
    asked: Tensor
    """[sequences, 2]: the first and the last token."""
    ends: Tensor
    """[sequences, tokens, 2]: 1 for starts and ends of conditions, 0 for other tokens of rules."""
    candidates: Tensor
    """[sequences, spans, 2]: first and last tokens, or NO_PIECE."""
    overlaps: Tensor
    """[sequences, spans, 2]"""
    chosen: Tensor
    """[sequences]: the candidate to ask about."""


def item_of(
    example: Example, *, hits: Sequence[RuleText], packer: Packer, config: ReaderModelConfig
) -> Item:
    """Return an example as its system learns it; the right rule text is in it in any case."""
    packed, rules = packer.pack_with(
        example.dialogue, rules=hits if config.reads_many else (), gold=example.rule
    )
    gold = next(place for place, rule in enumerate(rules) if rule.text == example.rule.text)
    states = unit_states(example.settled, units=packed.units, rule=gold)
    asked = None if example.asked is None else places_of(example.asked, packed, rule=gold)
    extraction = _extraction(example, packed, asked=asked) if config.system == "e3" else None
    return Item(
        packed=packed,
        decision=DECISIONS.index(example.decision),
        states=tuple(STATES.index(state) for state in states),
        asked=asked,
        extraction=extraction,
    )


def _extraction(example: Example, packed: Packed, *, asked: Places | None) -> Extraction:
    conditions = [
        places
        for span in (*example.conditions, *([example.asked] if example.asked else []))
        if (places := places_of(span, packed)) is not None
    ]
    spans = candidates(conditions, packed, text=example.rule.text)
    return Extraction(
        starts=tuple(start for start, _ in conditions),
        ends=tuple(end for _, end in conditions),
        candidates=tuple(spans),
        overlaps=tuple(
            overlaps(span_at(each, packed).cut(example.rule.text), example.dialogue)
            for each in spans
        ),
        chosen=IGNORED if asked is None else spans.index(asked),
    )


def inputs_of(packs: Sequence[Packed], *, filling: int) -> Inputs:
    """Return sequences as tensors, filled up to one length."""
    longest = max(len(packed.ids) for packed in packs)
    width = -(-longest // PAD_MULTIPLE) * PAD_MULTIPLE
    units = max(len(packed.units) for packed in packs)
    return Inputs(
        input_ids=_filled([packed.ids for packed in packs], width=width, filling=filling),
        attention_mask=_filled([[1] * len(packed.ids) for packed in packs], width=width, filling=0),
        user_places=_filled(
            [[piece.start for piece in packed.user] for packed in packs],
            width=MAX_USER_PIECES,
            filling=NO_PIECE,
        ),
        unit_places=_filled(
            [[piece.start for piece in packed.units] for packed in packs],
            width=units,
            filling=NO_PIECE,
        ),
        token_units=_filled(
            [packed.token_units for packed in packs], width=width, filling=NO_PIECE
        ),
    )


def targets_of(items: Sequence[Item], *, tokens: int) -> Targets:
    """Return what is right for some sequences that are filled up to `tokens`."""
    units = max(len(item.states) for item in items)
    spans = max(len(item.extraction.candidates) if item.extraction else 0 for item in items)
    found = [item.extraction for item in items]
    return Targets(
        decision=torch.tensor([item.decision for item in items]),
        states=_filled([item.states for item in items], width=units, filling=IGNORED),
        asked=torch.tensor([item.asked or (IGNORED, IGNORED) for item in items]),
        ends=torch.stack([_ends(item, width=tokens) for item in items]),
        candidates=_padded([each.candidates if each else () for each in found], spans, NO_PIECE),
        overlaps=_padded([each.overlaps if each else () for each in found], spans, 0.0),
        chosen=torch.tensor([each.chosen if each else IGNORED for each in found]),
    )


def _ends(item: Item, *, width: int) -> Tensor:
    ends = torch.full((width, 2), float(IGNORED))
    if item.extraction is not None:
        ends[list(rule_tokens(item.packed))] = 0.0
        ends[list(item.extraction.starts), 0] = 1.0
        ends[list(item.extraction.ends), 1] = 1.0
    return ends


def _filled(rows: Sequence[Sequence[int]], *, width: int, filling: int) -> Tensor:
    filled = np.full((len(rows), width), filling, np.int64)
    for place, row in enumerate(rows):
        filled[place, : len(row)] = row
    return torch.from_numpy(filled)


def _padded(rows: Sequence[Sequence[tuple[float, float]]], width: int, filling: float) -> Tensor:
    return torch.tensor(
        [[*row, *[(filling, filling)] * (width - len(row))] for row in rows]
    ).reshape(len(rows), width, 2)
