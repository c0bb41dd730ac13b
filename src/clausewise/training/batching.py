"""Batches of texts as tensors: sorted by length, so that little is computed for padding."""

from __future__ import annotations

import random
from dataclasses import dataclass
from typing import TYPE_CHECKING

import torch
from torch import Tensor

from clausewise.training.backbone import PAD_MULTIPLE

if TYPE_CHECKING:
    from collections.abc import Sequence

    from tokenizers import Encoding, Tokenizer


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Tokens:
    """Texts as token ids, filled up to one length."""

    ids: Tensor
    """[texts, tokens]"""
    mask: Tensor
    """[texts, tokens]; 1 for a token, 0 for filling."""
    types: Tensor
    """[texts, tokens]; 1 for the second text of a pair."""


def tokens_of(encodings: Sequence[Encoding]) -> Tokens:
    """Return the tensors of some tokenized texts, or pairs of texts."""
    longest = max(len(encoding.ids) for encoding in encodings)
    width = -(-longest // PAD_MULTIPLE) * PAD_MULTIPLE
    ids = torch.zeros((len(encodings), width), dtype=torch.long)
    mask, types = torch.zeros_like(ids), torch.zeros_like(ids)
    for row, encoding in enumerate(encodings):
        length = len(encoding.ids)
        ids[row, :length] = torch.tensor(encoding.ids)
        types[row, :length] = torch.tensor(encoding.type_ids)
        mask[row, :length] = 1
    return Tokens(ids=ids, mask=mask, types=types)


def tokenized(
    texts: Sequence[str] | Sequence[tuple[str, str]], *, tokenizer: Tokenizer, max_tokens: int
) -> list[Encoding]:
    """Return the texts, or pairs of texts, in tokens; longer ones are cut."""
    tokenizer.no_padding()
    tokenizer.enable_truncation(max_tokens)
    return list(tokenizer.encode_batch(list(texts)))


def by_length(lengths: Sequence[int], *, size: int) -> list[list[int]]:
    """Return the places of items in groups of at most `size` that are about equally long."""
    order = sorted(range(len(lengths)), key=lambda place: lengths[place])
    return [order[start : start + size] for start in range(0, len(order), size)]


def bucketed(lengths: Sequence[int], *, size: int, seed: str) -> list[list[int]]:
    """Return the places of items in random batches whose items are about equally long.

    Items are shuffled, sorted within stretches of fifty batches, and the batches shuffled again.
    """
    lot = random.Random(seed)  # noqa: S311 - nothing here is secret
    order = list(range(len(lengths)))
    lot.shuffle(order)
    stretch = 50 * size
    batches = [
        [part[place] for place in group]
        for start in range(0, len(order), stretch)
        for part in [order[start : start + stretch]]
        for group in by_length([lengths[place] for place in part], size=size)
    ]
    lot.shuffle(batches)
    return batches
