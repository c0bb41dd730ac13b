"""The parts that the networks of joint readers share."""

from __future__ import annotations

from typing import NamedTuple

import torch
from torch import Tensor, nn

DROPOUT = 0.1


class Inputs(NamedTuple):
    """Some sequences, as every network takes them."""

    input_ids: Tensor
    """[sequences, tokens]"""
    attention_mask: Tensor
    """[sequences, tokens]; 1 for a token, 0 for filling."""
    user_places: Tensor
    """[sequences, MAX_USER_PIECES]: where the parts of the dialogue begin, or NO_PIECE."""
    unit_places: Tensor
    """[sequences, units]: where the units begin, or NO_PIECE."""
    token_units: Tensor
    """[sequences, tokens]: the unit that a token is of, or NO_PIECE."""


class Outputs(NamedTuple):
    """What a network says of some sequences: scores, not probabilities."""

    decision: Tensor
    """[sequences, 3]"""
    states: Tensor | None = None
    """[sequences, units, 3]"""
    tokens: Tensor | None = None
    """[sequences, tokens, 2 or 4]: see `readers.transformer.scores`."""
    overlap: Tensor | None = None
    """[sequences, 3]: the same for all"""


class InterSentenceLayer(nn.Module):
    """A transformer layer over pieces (Vaswani et al. 2017), the norms behind the additions."""

    def __init__(self, size: int, *, heads: int) -> None:
        super().__init__()
        self.heads = heads
        self.query, self.key, self.value, self.out = (nn.Linear(size, size) for _ in range(4))
        self.widen, self.narrow = nn.Linear(size, 4 * size), nn.Linear(4 * size, size)
        self.norm_attention, self.norm_forward = nn.LayerNorm(size), nn.LayerNorm(size)
        self.dropout = nn.Dropout(DROPOUT)

    def forward(self, pieces: Tensor, known: Tensor) -> Tensor:
        """Return the pieces, [sequences, pieces, size], each aware of the known others."""
        attended = self.out(self._attended(pieces, known))
        pieces = self.norm_attention(pieces + self.dropout(attended))
        forward = self.narrow(self.dropout(torch.relu(self.widen(pieces))))
        normed: Tensor = self.norm_forward(pieces + self.dropout(forward))
        return normed

    def _attended(self, pieces: Tensor, known: Tensor) -> Tensor:
        query, key, value = (
            self._by_head(layer(pieces)) for layer in (self.query, self.key, self.value)
        )
        # [sequences, heads, pieces, pieces]
        scores = query @ key.transpose(-1, -2) / (query.shape[-1] ** 0.5)
        weights = masked_softmax(scores, known[:, None, None, :]).to(value.dtype)
        mixed = self.dropout(weights) @ value
        return mixed.transpose(1, 2).flatten(2)

    def _by_head(self, vectors: Tensor) -> Tensor:
        # [sequences, heads, pieces, size / heads]
        return vectors.unflatten(-1, (self.heads, -1)).transpose(1, 2)


class InterSentence(nn.Module):
    """Layers over pieces and a norm at the end; without layers the pieces stay as they are."""

    def __init__(self, size: int, *, heads: int, layers: int) -> None:
        super().__init__()
        self.layers = nn.ModuleList(InterSentenceLayer(size, heads=heads) for _ in range(layers))
        self.norm = nn.LayerNorm(size) if layers else nn.Identity()

    def forward(self, pieces: Tensor, known: Tensor) -> Tensor:
        """Return the pieces, [sequences, pieces, size], each aware of the known others."""
        for layer in self.layers:
            pieces = layer(pieces, known)
        normed: Tensor = self.norm(pieces)
        return normed


class Summary(nn.Module):
    """Decides by a weighted sum (MUDERN, equations 6 to 9): a weight and a vector a piece."""

    def __init__(self, size: int, *, classes: int = 3) -> None:
        super().__init__()
        self.weight = nn.Linear(size, 1)
        self.out = nn.Linear(size, classes)
        self.dropout = nn.Dropout(DROPOUT)

    def forward(self, pieces: Tensor, known: Tensor) -> Tensor:
        """Return one score a class, [sequences, classes]."""
        pieces = self.dropout(pieces)
        weights = masked_softmax(self.weight(pieces).squeeze(-1), known)  # [sequences, pieces]
        summary = (weights.unsqueeze(-1) * pieces.float()).sum(1)  # [sequences, size]
        scores: Tensor = self.out(summary)
        return scores


def masked_softmax(scores: Tensor, known: Tensor) -> Tensor:
    """Return weights that add up to 1 over what is known, along the last axis."""
    lowest = torch.finfo(torch.float32).min
    return scores.float().masked_fill(~known, lowest).softmax(-1)


def at(hidden: Tensor, places: Tensor) -> Tensor:
    """Return the vectors at some places: [sequences, tokens, size] -> [sequences, places, size]."""
    wanted = places.clamp(min=0).unsqueeze(-1).expand(-1, -1, hidden.shape[-1])
    return hidden.gather(1, wanted)
