"""The network of E3's editor: a recurrent encoder of the rule, one recurrent decoder a side."""

from __future__ import annotations

import math
from dataclasses import dataclass

import torch
from torch import Tensor, nn
from torch.nn.utils.rnn import pack_padded_sequence, pad_packed_sequence

from clausewise.askers.editor import SIDES, Side
from clausewise.structure.wording import MARKS

_NEVER = -1e9


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Memory:
    """What was read of some rules."""

    memory: Tensor
    """[questions, pieces, 2 * width]"""
    known: Tensor
    """[questions, pieces]; false where a rule is filled up."""
    meaning: Tensor
    """[questions, 2 * width]; of the words asked about."""


class SideDecoder(nn.Module):
    """Writes one side, word by word, attending to the rule (Luong et al. 2015)."""

    def __init__(self, *, vocabulary: int, width: int, dropout: float) -> None:
        super().__init__()
        self.own = nn.Embedding(vocabulary, width)
        self.start = nn.Linear(width, width)
        self.cell = nn.GRUCell(width, width)
        self.attend = nn.Linear(width, width)
        self.mix = nn.Linear(2 * width, width)
        self.bias = nn.Parameter(torch.zeros(vocabulary))
        self.dropout = nn.Dropout(dropout)

    def forward(
        self, memory: Tensor, known: Tensor | None, state: Tensor, word: Tensor
    ) -> tuple[Tensor, Tensor]:
        """Return the scores of the next word, [questions, vocabulary], and the next state."""
        after = self.cell(self.dropout(self.own(word)), state)  # [questions, width]
        scores = (memory @ self.attend(after).unsqueeze(-1)).squeeze(-1)  # [questions, pieces]
        scores = scores / math.sqrt(after.shape[-1])
        if known is not None:
            scores = scores.masked_fill(~known, _NEVER)
        context = (scores.softmax(-1).unsqueeze(1) @ memory).squeeze(1)
        mixed = torch.tanh(self.mix(torch.cat([after, context], -1)))
        return self.dropout(mixed) @ self.own.weight.T + self.bias, after


class EditorNetwork(nn.Module):
    """Reads the words asked about within their rule, and writes what stands around them."""

    def __init__(
        self, pieces: Tensor, *, vocabulary: int, width: int, dropout: float = 0.3
    ) -> None:
        super().__init__()
        self.pieces = nn.Embedding.from_pretrained(pieces.detach().clone(), freeze=False)
        self.marks = nn.Embedding(MARKS, pieces.shape[1])
        self.inside = nn.Embedding(2, pieces.shape[1])
        for added in (self.marks, self.inside):
            nn.init.normal_(added.weight, std=0.02)
        self.norm = nn.LayerNorm(pieces.shape[1])
        self.read = nn.GRU(pieces.shape[1], width, bidirectional=True, batch_first=True)
        self.sides = nn.ModuleDict(
            {
                side: SideDecoder(vocabulary=vocabulary, width=2 * width, dropout=dropout)
                for side in SIDES
            }
        )
        self.dropout = nn.Dropout(dropout)

    def begin(
        self, input_ids: Tensor, marks: Tensor, inside: Tensor, counts: Tensor | None = None
    ) -> Memory:
        """Return what the network makes of some rules.

        `counts`, on the CPU, are the pieces of each source; without, all have all.
        """
        given = self.pieces(input_ids) + self.marks(marks) + self.inside(inside)
        vectors = self.dropout(self.norm(given)).float()
        # Not in bfloat16: it is no faster here, and not every machine has it.
        with torch.autocast(vectors.device.type, enabled=False):
            memory = self._read(vectors, counts)
        known = torch.arange(memory.shape[1], device=memory.device) < (
            torch.full((len(memory), 1), memory.shape[1], device=memory.device)
            if counts is None
            else counts.to(memory.device).unsqueeze(1)
        )
        asked = inside.unsqueeze(-1).to(memory.dtype)
        return Memory(
            memory=self.dropout(memory),
            known=known,
            meaning=(memory * asked).sum(1) / asked.sum(1).clamp(min=1),
        )

    def _read(self, vectors: Tensor, counts: Tensor | None) -> Tensor:
        if counts is None:
            memory: Tensor = self.read(vectors)[0]
            return memory
        packed = pack_padded_sequence(vectors, counts, batch_first=True, enforce_sorted=False)
        padded, _ = pad_packed_sequence(
            self.read(packed)[0], batch_first=True, total_length=vectors.shape[1]
        )
        return padded

    def written(self, side: Side, read: Memory, *, words: Tensor) -> Tensor:
        """Return the scores of each next word, [questions, steps, vocabulary].

        `words` [questions, steps] are the words before each step.
        """
        state, scores = self.first_state(side, read.meaning), []
        for word in words.unbind(1):
            scored, state = self.sides[side](read.memory, read.known, state, word)
            scores.append(scored)
        return torch.stack(scores, 1)

    def first_state(self, side: Side, meaning: Tensor) -> Tensor:
        """Return the state in which a side's writing begins, [questions, width]."""
        return torch.tanh(self.sides[side].start(meaning))  # type: ignore[operator]

    def step(
        self, side: Side, memory: Tensor, state: Tensor, word: Tensor
    ) -> tuple[Tensor, Tensor]:
        """Return the scores of the next word, [questions, vocabulary], and the next state."""
        scored: tuple[Tensor, Tensor] = self.sides[side](memory, None, state, word)
        return scored
