"""A backbone with fewer and narrower layers and shorter texts, for tasks that need no more."""

from __future__ import annotations

import dataclasses

import torch
from torch import nn

from clausewise.errors import ConfigError, Where
from clausewise.training.backbone import Backbone


def with_layers(backbone: Backbone, layers: int) -> Backbone:
    """Return the backbone with its first layers alone; what they learned stays."""
    if not 1 <= layers <= backbone.layers:
        message = f"{layers} layers can't be kept, expected 1 to {backbone.layers}"
        raise ConfigError(message, where=Where(field="layers"))
    encoder = backbone.network.encoder
    encoder.layer = encoder.layer[:layers]  # type: ignore[union-attr, index]
    backbone.network.config.num_hidden_layers = layers  # type: ignore[union-attr]
    return dataclasses.replace(backbone, layers=layers)


def with_inner(backbone: Backbone, inner: int) -> Backbone:
    """Return the backbone with `inner` units in each layer's feed-forward part.

    Those are kept whose weights, in and out, are greatest together (Michel et al. 2019 prune heads
    that way; here it is units).
    """
    for layer in backbone.network.encoder.layer:  # type: ignore[union-attr]
        rising, falling = layer.intermediate.dense, layer.output.dense
        weight = rising.weight.data.norm(dim=1) * falling.weight.data.norm(dim=0)  # [units]
        kept = torch.sort(torch.topk(weight, min(inner, len(weight))).indices).values
        layer.intermediate.dense = _linear(rising.weight.data[kept], rising.bias.data[kept])
        layer.output.dense = _linear(falling.weight.data[:, kept], falling.bias.data)
    backbone.network.config.intermediate_size = inner  # type: ignore[union-attr]
    return backbone


def with_positions(backbone: Backbone, positions: int) -> Backbone:
    """Return the backbone with its first positions alone: no text is longer."""
    embeddings = backbone.network.embeddings
    table = embeddings.position_embeddings  # type: ignore[union-attr]
    kept = table.weight.data[:positions].clone()
    shorter = nn.Embedding(len(kept), kept.shape[1], padding_idx=table.padding_idx)
    shorter.weight.data.copy_(kept)
    embeddings.position_embeddings = shorter  # type: ignore[union-attr]
    backbone.network.config.max_position_embeddings = len(kept)  # type: ignore[union-attr]
    return backbone


def _linear(weight: torch.Tensor, bias: torch.Tensor) -> nn.Linear:
    linear = nn.Linear(weight.shape[1], weight.shape[0])
    linear.weight.data.copy_(weight)
    linear.bias.data.copy_(bias)
    return linear
