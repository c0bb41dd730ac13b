"""The networks of compiler and asker in training, behind the same methods as the exported ones."""

from __future__ import annotations

import numpy as np
import torch
from tokenizers import Tokenizer
from torch import Tensor

from clausewise.askers.copying import Integers
from clausewise.askers.rewrite import State, StepInput
from clausewise.compiler.joiner import Joined
from clausewise.compiler.signs import PAIR_SIGNS, SPAN_SIGNS, LogicSigns
from clausewise.encoder.rules import EncodedRule, Floats, to_pieces
from clausewise.structure.wording import Wording
from clausewise.training.question_network import Memory, QuestionNetwork, WriterState
from clausewise.training.rule_network import RuleNetwork


class TorchRuleEncoder:
    """Encodes with a network that still learns; nothing is remembered but the last text."""

    def __init__(self, network: RuleNetwork, *, tokenizer: Tokenizer, max_tokens: int) -> None:
        self._network = network
        self._tokenizer = tokenizer
        self._max_tokens = max_tokens
        self._last: tuple[str, EncodedRule] | None = None

    def encode(self, text: str) -> EncodedRule:
        """Return the words of a rule text with their vectors."""
        if self._last is None or self._last[0] != text:
            self._last = (text, self._encoded(text))
        return self._last[1]

    @torch.no_grad()
    def _encoded(self, text: str) -> EncodedRule:
        self._network.eval()
        wording = Wording.of(text)
        pieces = to_pieces(wording, tokenizer=self._tokenizer, max_tokens=self._max_tokens)
        known = len(pieces.firsts)
        device = next(self._network.parameters()).device
        ids = torch.tensor([pieces.ids], device=device)
        states = self._network(
            ids,
            torch.ones_like(ids),
            torch.tensor([pieces.marks], device=device),
            torch.tensor([pieces.firsts], device=device),
            torch.tensor([wording.marks[:known]], device=device),
        )
        return EncodedRule(
            wording=Wording(text=text, words=wording.words[:known], marks=wording.marks[:known]),
            vectors=states.vectors[0].cpu().numpy(),
            summary=states.summary[0].cpu().numpy(),
            tags=states.tags[0].cpu().numpy(),
            complete=known == len(wording.words),
        )


class TorchJoiner:
    """Joins with a network that still learns."""

    def __init__(self, network: RuleNetwork) -> None:
        self._network = network

    @torch.no_grad()
    def join(
        self, encoded: EncodedRule, *, places: list[tuple[int, int]], signs: LogicSigns
    ) -> Joined:
        """Return how likely each condition is negated, and each pair joined by `or`."""
        self._network.eval()
        parts = (
            torch.from_numpy(encoded.vectors),
            torch.from_numpy(encoded.summary),
            torch.tensor(places),
            torch.tensor(signs.spans, dtype=torch.float).reshape(-1, SPAN_SIGNS),
            torch.tensor(signs.pairs, dtype=torch.long).reshape(-1, 2),
            torch.tensor(signs.joints, dtype=torch.float).reshape(-1, PAIR_SIGNS),
        )
        device = next(self._network.parameters()).device
        negated, joined = self._network.join(*(part.to(device) for part in parts))
        return Joined(negated=_chances(negated), by_or=_chances(joined))


class TorchWriter:
    """Writes with a network that still learns."""

    def __init__(self, network: QuestionNetwork) -> None:
        self._network = network

    @torch.no_grad()
    def begin(self, vectors: Floats, *, places: Integers) -> tuple[State, State]:
        """Return what stays the same while a question is written, and the first state."""
        self._network.eval()
        memory, state = self._network.begin(
            torch.from_numpy(vectors)[None], torch.from_numpy(places)[None]
        )
        return _arrays(memory.vectors, memory.attention_keys, memory.copy_keys), _arrays(
            state.lower, state.upper
        )

    @torch.no_grad()
    def step(self, memory: State, state: State, *, given: StepInput) -> tuple[Floats, State]:
        """Return log-probabilities [beginnings, vocabulary + 2 * words] and the next state."""
        vectors, attention, copy = (torch.from_numpy(part) for part in memory)
        lower, upper = (torch.from_numpy(part) for part in state)
        scores, after = self._network(
            Memory(vectors=vectors, attention_keys=attention, copy_keys=copy),
            WriterState(lower=lower, upper=upper),
            words=torch.from_numpy(given.word)[:, None],
            taken=torch.from_numpy(given.taken)[:, None],
            signs=torch.from_numpy(given.signs).float()[:, None],
            known=torch.ones(given.taken.shape, dtype=torch.bool),
        )
        return scores[:, 0].numpy(), _arrays(after.lower, after.upper)


def _chances(scores: Tensor) -> Floats:
    chances: Floats = torch.sigmoid(scores).float().cpu().numpy().astype(np.float32)
    return chances


def _arrays(*parts: Tensor) -> State:
    return tuple(part.float().numpy() for part in parts)
