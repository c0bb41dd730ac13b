"""The network of the compiler: one encoder of rule texts, three small heads on it.

The encoder gives every word a vector; the heads tag the words (condition, outcome), tell which
conditions must not hold, and tell how every two of them are joined.
"""

from __future__ import annotations

from dataclasses import dataclass

import torch
from torch import Tensor, nn
from torch.nn import functional

from clausewise.compiler.signs import PAIR_SIGNS, SPAN_SIGNS
from clausewise.structure.wording import MARKS
from clausewise.training.backbone import Backbone

TAGS = 6
"""Starts, ends, inside of conditions; outside, begins, inside of the outcome."""
_WIDTH = 192
_MARK_WIDTH = 64
_FEW = -4.0


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class RuleStates:
    """What the encoder makes of some rule texts."""

    vectors: Tensor
    """[rules, words, dimensions]"""
    summary: Tensor
    """[rules, dimensions]"""
    tags: Tensor
    """[rules, words, TAGS]"""


class RuleNetwork(nn.Module):
    """Encodes rule texts, tags their words and joins their conditions."""

    def __init__(self, backbone: Backbone, *, dropout: float = 0.1) -> None:
        super().__init__()
        size = backbone.hidden_size
        self.backbone = backbone.network
        # Zero at first: the backbone starts from what it has learned.
        self.marks = nn.Embedding(MARKS, size)
        nn.init.zeros_(self.marks.weight)
        self.word_marks = nn.Embedding(MARKS, _MARK_WIDTH)
        self.tagger = _two_layers(size + _MARK_WIDTH, TAGS, dropout=dropout)
        # At first few conditions begin, or learning would begin with unlearning thousands.
        nn.init.constant_(self.tagger[-1].bias[:1], _FEW)  # type: ignore[index]
        self.span = nn.Sequential(nn.Dropout(dropout), nn.Linear(4 * size, _WIDTH), nn.GELU())
        self.negation = nn.Linear(_WIDTH + SPAN_SIGNS, 1)
        self.joint = _two_layers(3 * _WIDTH + 2 * size + PAIR_SIGNS, 1, dropout=dropout)

    def forward(
        self, input_ids: Tensor, mask: Tensor, marks: Tensor, firsts: Tensor, word_marks: Tensor
    ) -> RuleStates:
        """Return the states of rule texts; `firsts` [rules, words] places each word's piece."""
        words = self.backbone.get_input_embeddings()(input_ids) + self.marks(marks)
        hidden = self.backbone(inputs_embeds=words, attention_mask=mask).last_hidden_state
        places = firsts.unsqueeze(-1).expand(-1, -1, hidden.shape[-1])
        vectors = torch.gather(hidden, 1, places).float()
        tags = self.tagger(torch.cat([vectors, self.word_marks(word_marks)], -1))
        return RuleStates(vectors=vectors, summary=hidden[:, 0].float(), tags=tags)

    def join(  # noqa: PLR0917 - exported graphs take their inputs by place
        self,
        vectors: Tensor,
        summary: Tensor,
        spans: Tensor,
        span_signs: Tensor,
        pairs: Tensor,
        pair_signs: Tensor,
    ) -> tuple[Tensor, Tensor]:
        """Return scores that each span is negated, and that `or` joins each pair, of one rule.

        `spans` [spans, 2] are words [first, last), `pairs` [pairs, 2] places of spans; the signs
        are those of `LogicSigns`.
        """
        sums = functional.pad(torch.cumsum(vectors, 0), (0, 0, 1, 0))  # [words + 1, dimensions]
        states = self._span_states(vectors, sums=sums, spans=spans)
        left, right = states[pairs[:, 0]], states[pairs[:, 1]]
        start = torch.minimum(spans[pairs[:, 0], 1], spans[pairs[:, 1], 0])
        end = torch.maximum(spans[pairs[:, 1], 0], start + 1)
        end = end.clamp(max=vectors.shape[0])
        between = _mean(sums, torch.minimum(start, end - 1), end)
        whole = summary.unsqueeze(0).expand(left.shape[0], -1)
        joints = torch.cat([left, right, left * right, between, whole, pair_signs], -1)
        negated = self.negation(torch.cat([states, span_signs], -1))
        return negated.squeeze(-1), self.joint(joints).squeeze(-1)

    def _span_states(self, vectors: Tensor, *, sums: Tensor, spans: Tensor) -> Tensor:
        first, last = spans[:, 0], spans[:, 1]
        before = vectors[(first - 1).clamp(min=0)] * (first > 0).unsqueeze(-1)
        parts = [vectors[first], vectors[last - 1], _mean(sums, first, last), before]
        states: Tensor = self.span(torch.cat(parts, -1))
        return states


def _two_layers(width: int, out: int, *, dropout: float) -> nn.Sequential:
    hidden = nn.Linear(width, _WIDTH)
    last = nn.Linear(_WIDTH, out)
    return nn.Sequential(nn.Dropout(dropout), hidden, nn.GELU(), nn.Dropout(dropout), last)


def _mean(sums: Tensor, start: Tensor, end: Tensor) -> Tensor:
    return (sums[end] - sums[start]) / (end - start).unsqueeze(-1)
