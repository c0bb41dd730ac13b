"""The network of the asker: two recurrent layers that copy from the rule or bring a word.

At every step it weighs a small vocabulary of its own (the words that questions are built with)
against the words of the rule, as they stand and in their base form (See et al. 2017, 'Get to the
point'). Plain signs of `clausewise.askers.copying` add to the scores of the rule's words.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import torch
from torch import Tensor, nn
from torch.nn import functional

from clausewise.askers.copying import PLACES, SIGNS

_NEVER = -1e9


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Memory:
    """What stays the same while a question is written."""

    vectors: Tensor
    """[questions, words, width]"""
    attention_keys: Tensor
    """[questions, words, width]"""
    copy_keys: Tensor
    """[questions, words, 2 * width]; for words as they stand, then for base forms."""


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class WriterState:
    """What changes from word to word."""

    lower: Tensor
    """[questions, width]; of the first layer."""
    upper: Tensor
    """[questions, width]; of the second layer."""


class QuestionNetwork(nn.Module):
    """Writes a question word by word."""

    def __init__(
        self, *, dimensions: int, vocabulary: int, width: int = 320, dropout: float = 0.2
    ) -> None:
        super().__init__()
        self.width = width
        self.memory = nn.Linear(dimensions, width)
        self.place = nn.Embedding(PLACES, width)
        self.start = nn.Linear(2 * dimensions, 2 * width)
        self.own = nn.Embedding(vocabulary, width)
        self.own_bias = nn.Parameter(torch.zeros(vocabulary))
        self.taken = nn.Linear(width, width)
        self.lower = nn.GRUCell(width, width)
        self.upper = nn.GRUCell(width, width)
        self.attend = nn.Linear(width, width)
        self.attend_keys = nn.Linear(width, width)
        self.copy = nn.Linear(width, width)
        self.copy_keys = nn.Linear(width, 2 * width)
        self.signs = nn.Linear(SIGNS, 2)
        self.mix = nn.Sequential(nn.Dropout(dropout), nn.Linear(2 * width, width), nn.Tanh())
        self.bring = nn.Linear(2 * width, 1)
        self.dropout = nn.Dropout(dropout)

    def begin(self, vectors: Tensor, places: Tensor) -> tuple[Memory, WriterState]:
        """Return where writing starts; `places` [questions, words] as `Source.places` has them."""
        memory = torch.tanh(self.memory(vectors) + self.place(places))
        inside = ((places > 0) & (places < 3)).unsqueeze(-1).to(vectors.dtype)
        average = (vectors * inside).sum(1) / inside.sum(1)
        first = (vectors * (places == 2).unsqueeze(-1).to(vectors.dtype)).sum(1)
        lower, upper = torch.tanh(self.start(torch.cat([average, first], -1))).chunk(2, -1)
        keys = Memory(
            vectors=memory,
            attention_keys=self.attend_keys(memory),
            copy_keys=self.copy_keys(memory),
        )
        return keys, WriterState(lower=lower, upper=upper)

    def forward(
        self,
        memory: Memory,
        state: WriterState,
        *,
        words: Tensor,
        taken: Tensor,
        signs: Tensor,
        known: Tensor,
    ) -> tuple[Tensor, WriterState]:
        """Return log-probabilities [questions, steps, vocabulary + 2 * rule] and the next state.

        `words` [questions, steps] are the numbers of the words before each step, `taken`
        [questions, steps, rule] where in the rule they stand, `signs` [questions, steps, rule,
        SIGNS] those of `Source`; `known` [questions, rule] is false where a rule is filled up.
        """
        before = self.own(words) + self.taken(taken @ memory.vectors)
        uppers, after = self._read(self.dropout(before), state)
        bonus = self.signs(signs)  # [questions, steps, rule, 2]
        hidden = ~known.unsqueeze(1)
        seen = _matched(self.attend(uppers), memory.attention_keys) + bonus[..., 0]
        context = seen.masked_fill(hidden, _NEVER).softmax(-1) @ memory.vectors
        both = torch.cat([uppers, context], -1)
        return self._scores(memory, both, bonus=bonus, hidden=hidden), after

    def _read(self, before: Tensor, state: WriterState) -> tuple[Tensor, WriterState]:
        lower, upper, uppers = state.lower, state.upper, []
        for word in before.unbind(1):
            lower = self.lower(word, lower)
            upper = self.upper(self.dropout(lower), upper)
            uppers.append(upper)
        return torch.stack(uppers, 1), WriterState(lower=lower, upper=upper)

    def _scores(self, memory: Memory, both: Tensor, *, bonus: Tensor, hidden: Tensor) -> Tensor:
        mixed, bring = self.mix(both), self.bring(both)
        query = self.copy(mixed)
        surface_keys, base_keys = memory.copy_keys.chunk(2, -1)
        surface = (_matched(query, surface_keys) + bonus[..., 0]).masked_fill(hidden, _NEVER)
        base = (_matched(query, base_keys) + bonus[..., 1]).masked_fill(hidden, _NEVER)
        own = functional.log_softmax(mixed @ self.own.weight.T + self.own_bias, -1)
        copied = functional.log_softmax(torch.cat([surface, base], -1), -1)
        brought = own + functional.logsigmoid(bring)
        return torch.cat([brought, copied + functional.logsigmoid(-bring)], -1)


def _matched(query: Tensor, keys: Tensor) -> Tensor:
    """Return how well each query [.., steps, width] fits each key [.., rule, width]."""
    return query @ keys.transpose(-1, -2) / math.sqrt(query.shape[-1])
