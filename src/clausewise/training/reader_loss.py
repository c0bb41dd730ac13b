"""What the joint readers learn from: one term for each thing that they say."""

from __future__ import annotations

from dataclasses import dataclass

import torch
from torch import Tensor
from torch.nn import functional

from clausewise.readers.transformer.encode import NO_PIECE
from clausewise.training.reader_batches import IGNORED, Targets
from clausewise.training.reader_layers import Outputs, masked_softmax


@dataclass(frozen=True, slots=True, kw_only=True)
class LossWeights:
    """How much each term counts, beside the decision's 1."""

    entailment: float
    """Lambda in MUDERN."""
    span: float
    extraction: float


def reader_loss(
    outputs: Outputs, targets: Targets, *, token_units: Tensor, weights: LossWeights
) -> Tensor:
    """Return the loss of a batch (MUDERN, equation 11), and the span's where a system has one."""
    loss = functional.cross_entropy(outputs.decision.float(), targets.decision)
    if outputs.states is not None and weights.entailment:
        loss = loss + weights.entailment * entailment_loss(outputs.states, targets.states)
    if outputs.tokens is None:
        return loss
    if outputs.overlap is None:
        return loss + weights.span * ends_loss(
            outputs.tokens, targets.asked, known=token_units != NO_PIECE
        )
    scores = span_scores(outputs.tokens, outputs.overlap, targets=targets)
    loss = loss + weights.span * _cross_entropy(scores, targets.chosen)
    return loss + weights.extraction * extraction_loss(outputs.tokens[..., :2], targets.ends)


def entailment_loss(states: Tensor, right: Tensor) -> Tensor:
    """Return the cross-entropy over all units of a batch (MUDERN, equation 5)."""
    return _cross_entropy(states.flatten(0, 1).float(), right.flatten())


def ends_loss(tokens: Tensor, asked: Tensor, *, known: Tensor) -> Tensor:
    """Return the cross-entropy of the first and the last token to ask about, among `known`."""
    lowest = torch.finfo(torch.float32).min
    scores = tokens.float().masked_fill(~known.unsqueeze(-1), lowest)  # [sequences, tokens, 2]
    return _cross_entropy(scores.transpose(1, 2).flatten(0, 1), asked.flatten())


def extraction_loss(scores: Tensor, right: Tensor) -> Tensor:
    """Return the binary cross-entropy of starts and ends over the tokens of rule texts."""
    known = right != IGNORED
    losses = functional.binary_cross_entropy_with_logits(
        scores[known].float(), right[known], reduction="sum"
    )
    return losses / known.sum().clamp(min=1)


def span_scores(tokens: Tensor, overlap: Tensor, *, targets: Targets) -> Tensor:
    """Return how much each candidate asks to be asked about, [sequences, spans] (E3)."""
    first, last = targets.candidates.unbind(-1)  # [sequences, spans]
    places = torch.arange(tokens.shape[1], device=tokens.device)
    inside = (places >= first.unsqueeze(-1)) & (places <= last.unsqueeze(-1))
    attention, value = tokens[..., 2].unsqueeze(1), tokens[..., 3].unsqueeze(1)
    weights = masked_softmax(attention.expand(inside.shape), inside)  # [sequences, spans, tokens]
    shared = (targets.overlaps * overlap[:, None, :2]).sum(-1) + overlap[:, 2:]
    scores = (weights * value).sum(-1) + shared
    return scores.masked_fill(first == NO_PIECE, torch.finfo(torch.float32).min)


def _cross_entropy(scores: Tensor, right: Tensor) -> Tensor:
    """Return the mean over what is not ignored; 0 where all is."""
    count = (right != IGNORED).sum().clamp(min=1)
    return functional.cross_entropy(scores, right, ignore_index=IGNORED, reduction="sum") / count
