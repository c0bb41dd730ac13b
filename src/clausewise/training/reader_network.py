"""The networks of the joint readers, as the papers and their released code have them."""

from __future__ import annotations

from typing import TYPE_CHECKING

import torch
from torch import Tensor, nn

from clausewise.readers.transformer.encode import NO_PIECE
from clausewise.readers.transformer.scores import UNKNOWN
from clausewise.training.reader_layers import (
    DROPOUT,
    Inputs,
    InterSentence,
    Outputs,
    Summary,
    at,
)

if TYPE_CHECKING:
    from clausewise.readers.transformer.config import ReaderModelConfig

CLASSES = 3
"""Of decisions, and of states."""


class Mudern(nn.Module):
    """MUDERN (Gao et al. 2021, section 4.2.2), and DISCERN (Gao et al. 2020b) by its head."""

    def __init__(self, backbone: nn.Module, *, config: ReaderModelConfig) -> None:
        super().__init__()
        self.backbone = backbone
        size, heads = backbone.config.hidden_size, backbone.config.num_attention_heads
        self.between = InterSentence(size, heads=heads, layers=config.layers)
        self.entails = nn.Linear(size, CLASSES) if config.has_states else None
        # Each state has a vector; DISCERN joins their mixture to the unit's own.
        self.states = nn.Linear(CLASSES, size, bias=False) if config.state_head else None
        self.decide = Summary(2 * size if config.state_head else size)
        self.dropout = nn.Dropout(DROPOUT)

    def forward(self, inputs: Inputs) -> Outputs:
        """Return decision and states."""
        hidden = hidden_states(self.backbone, inputs)
        places = torch.cat([inputs.user_places, inputs.unit_places], dim=1)
        pieces = self.between(at(hidden, places), places != NO_PIECE)
        units = pieces[:, inputs.user_places.shape[1] :]
        states = None if self.entails is None else self.entails(self.dropout(units))
        if self.states is None:
            return Outputs(decision=self.decide(pieces, places != NO_PIECE), states=states)
        joined = torch.cat([self.states(states), units], dim=-1)  # [sequences, units, 2 size]
        decision = self.decide(joined, inputs.unit_places != NO_PIECE)
        return Outputs(decision=decision, states=states)


class FirstToken(nn.Module):
    """MP-RoBERTa (Gao et al. 2021, section 5.2): the first token decides."""

    def __init__(self, backbone: nn.Module) -> None:
        super().__init__()
        self.backbone = backbone
        self.decide = nn.Linear(backbone.config.hidden_size, CLASSES)
        self.dropout = nn.Dropout(DROPOUT)

    def forward(self, inputs: Inputs) -> Outputs:
        """Return the decision."""
        hidden = hidden_states(self.backbone, inputs)
        return Outputs(decision=self.decide(self.dropout(hidden[:, 0])))


class ExplicitMemory(nn.Module):
    """EMT (Gao et al. 2020a): what was said updates one memory cell a rule sentence."""

    def __init__(self, backbone: nn.Module) -> None:
        super().__init__()
        self.backbone = backbone
        size = backbone.config.hidden_size
        self.by_piece, self.by_key, self.by_value = (nn.Linear(size, size) for _ in range(3))
        self.entails = nn.Linear(2 * size, CLASSES)
        self.decide = Summary(2 * size)
        self.ends = nn.Linear(size, 2)
        self.dropout = nn.Dropout(DROPOUT)

    def forward(self, inputs: Inputs) -> Outputs:
        """Return decision, states, and scores of starts and ends."""
        hidden = hidden_states(self.backbone, inputs)
        keys = at(hidden, inputs.unit_places)  # [sequences, units, size]
        values = self.memory(keys, at(hidden, inputs.user_places), inputs.user_places != NO_PIECE)
        cells = torch.cat([values.to(keys.dtype), keys], dim=-1)
        states = self.entails(self.dropout(cells))
        decision = self.decide(cells, inputs.unit_places != NO_PIECE)
        chances = states.float().softmax(-1)[..., UNKNOWN]  # [sequences, units]
        of_tokens = chances.gather(1, inputs.token_units.clamp(min=0))  # [sequences, tokens]
        tokens = self.ends(self.dropout(hidden)).float() * of_tokens.unsqueeze(-1)
        return Outputs(decision=decision, states=states, tokens=tokens)

    def memory(self, keys: Tensor, said: Tensor, known: Tensor) -> Tensor:
        """Return the cells after everything that was said, in its order (equations 1 to 3)."""
        values = keys
        for turn in range(said.shape[1]):
            piece = said[:, turn : turn + 1]  # [sequences, 1, size]
            gate = torch.sigmoid((piece * keys).sum(-1) + (piece * values).sum(-1)).unsqueeze(-1)
            candidate = torch.relu(self.by_piece(piece) + self.by_key(keys) + self.by_value(values))
            updated = nn.functional.normalize((values + gate * candidate).float(), dim=-1)
            values = torch.where(known[:, turn, None, None], updated.to(keys.dtype), values)
        return values


class ExtractEntailEdit(nn.Module):
    """E3 (Zhong and Zettlemoyer 2019), all but its editor.

    The score of a span is linear in its summary, so a number a token is enough to work it out.
    """

    def __init__(self, backbone: nn.Module) -> None:
        super().__init__()
        self.backbone = backbone
        size = backbone.config.hidden_size
        self.decide = Summary(size)
        self.tokens = nn.Linear(size, 4)
        self.overlap = nn.Parameter(torch.zeros(CLASSES))
        self.dropout = nn.Dropout(DROPOUT)

    def forward(self, inputs: Inputs) -> Outputs:
        """Return the decision, and what spans are extracted and weighed by."""
        hidden = hidden_states(self.backbone, inputs)
        return Outputs(
            decision=self.decide(hidden, inputs.attention_mask.bool()),
            tokens=self.tokens(self.dropout(hidden)).float(),
            overlap=self.overlap.expand(len(hidden), -1),
        )


def hidden_states(backbone: nn.Module, inputs: Inputs) -> Tensor:
    """Return the vectors of the tokens, [sequences, tokens, size]."""
    hidden: Tensor = backbone(
        input_ids=inputs.input_ids, attention_mask=inputs.attention_mask
    ).last_hidden_state
    return hidden


def network_of(backbone: nn.Module, *, config: ReaderModelConfig) -> nn.Module:
    """Return the network of a system, its own parts with random weights."""
    match config.system:
        case "mudern" | "discern":
            return Mudern(backbone, config=config)
        case "mp":
            return FirstToken(backbone)
        case "emt":
            return ExplicitMemory(backbone)
        case "e3":
            return ExtractEntailEdit(backbone)
