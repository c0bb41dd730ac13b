"""Rule examples as tensors."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import torch
from tokenizers import Tokenizer
from torch import Tensor

from clausewise.encoder.rules import Pieces, to_pieces
from clausewise.training.backbone import PAD_MULTIPLE
from clausewise.training.rule_examples import RuleExample
from clausewise.training.rule_network import RuleNetwork, RuleStates

IGNORED = -100
"""The target of a word that teaches nothing."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ReadyExample:
    """An example with its words in pieces."""

    example: RuleExample
    pieces: Pieces

    @classmethod
    def of(
        cls, example: RuleExample, *, tokenizer: Tokenizer, max_tokens: int
    ) -> ReadyExample | None:
        """Return the example ready to be learned; None where it has no condition or is cut."""
        pieces = to_pieces(example.wording, tokenizer=tokenizer, max_tokens=max_tokens)
        complete = len(pieces.firsts) == len(example.wording.words)
        return cls(example=example, pieces=pieces) if example.places and complete else None


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class RuleTensors:
    """Some rule texts, filled up to one length."""

    input_ids: Tensor
    mask: Tensor
    marks: Tensor
    """All three [rules, pieces]."""
    firsts: Tensor
    word_marks: Tensor
    """Both [rules, words]."""

    @classmethod
    def of(cls, ready: Sequence[ReadyExample]) -> RuleTensors:
        """Return the tensors of some examples."""
        pieces = [each.pieces for each in ready]
        return cls(
            input_ids=filled([each.ids for each in pieces], multiple=PAD_MULTIPLE // 2),
            mask=filled([[1] * len(each.ids) for each in pieces], multiple=PAD_MULTIPLE // 2),
            marks=filled([each.marks for each in pieces], multiple=PAD_MULTIPLE // 2),
            firsts=filled([each.firsts for each in pieces]),
            word_marks=filled([each.example.wording.marks for each in ready]),
        )

    def states(self, network: RuleNetwork) -> RuleStates:
        """Return what the network makes of the texts."""
        device = next(network.parameters()).device
        parts = (self.input_ids, self.mask, self.marks, self.firsts, self.word_marks)
        states: RuleStates = network(*(part.to(device) for part in parts))
        return states


def tag_targets(tags: Sequence[Sequence[int] | None]) -> Tensor:
    """Return the targets of words, [rules, words]; rules without tags teach nothing."""
    return filled([each or [] for each in tags], filling=IGNORED)


def filled(rows: Sequence[Sequence[int]], *, filling: int = 0, multiple: int = 1) -> Tensor:
    """Return rows as one tensor, filled up to the longest, a multiple of `multiple`."""
    longest = max(len(row) for row in rows)
    filled = torch.full((len(rows), -(-longest // multiple) * multiple), filling)
    for place, row in enumerate(rows):
        filled[place, : len(row)] = torch.tensor(row, dtype=torch.long)
    return filled
