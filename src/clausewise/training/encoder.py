"""The dual encoder as a torch module: one network for questions and for rules."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import torch
from torch import Tensor, nn
from torch.nn import functional

from clausewise.training.batching import Tokens, by_length, tokenized, tokens_of

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray
    from tokenizers import Tokenizer

    from clausewise.training.backbone import Backbone


class DualEncoder(nn.Module):
    """Maps texts to the mean of their hidden states."""

    def __init__(self, backbone: Backbone) -> None:
        super().__init__()
        self.network = backbone.network

    def forward(self, input_ids: Tensor, attention_mask: Tensor) -> Tensor:
        """Return one vector a text, not normalised: [texts, dimensions]."""
        # [texts, tokens, dimensions]
        hidden = self.network(
            input_ids=input_ids,
            attention_mask=attention_mask,
            token_type_ids=torch.zeros_like(input_ids),
        ).last_hidden_state
        mask = attention_mask.unsqueeze(-1).to(hidden.dtype)
        pooled: Tensor = (hidden * mask).sum(1) / mask.sum(1)
        return pooled


def embed(
    model: DualEncoder,
    texts: Sequence[str],
    *,
    tokenizer: Tokenizer,
    max_tokens: int,
    size: int = 48,
) -> Tensor:
    """Return vectors of length 1, [texts, dimensions]; computed in groups of equal length."""
    encodings = tokenized(texts, tokenizer=tokenizer, max_tokens=max_tokens)
    groups = by_length([len(encoding.ids) for encoding in encodings], size=size)
    parts = [_pooled(model, tokens_of([encodings[place] for place in group])) for group in groups]
    back = torch.tensor([place for group in groups for place in group]).argsort()
    return functional.normalize(torch.cat(parts)[back], dim=-1)


def _pooled(model: DualEncoder, tokens: Tokens) -> Tensor:
    device = next(model.parameters()).device
    vectors: Tensor = model(tokens.ids.to(device), tokens.mask.to(device))
    return vectors.float()


class TorchEncoder:
    """Encodes with a model that is still being trained, as an exported one would."""

    def __init__(self, model: DualEncoder, *, tokenizer: Tokenizer, max_tokens: int) -> None:
        self._model = model
        self._tokenizer = tokenizer
        self._max_tokens = max_tokens
        self._known: dict[str, NDArray[np.float32]] = {}
        self.name = "in training"

    def remember(self, texts: Sequence[str]) -> None:
        """Encode many texts at once, so that they are at hand one by one."""
        self._model.eval()
        unknown = sorted({text for text in texts if text not in self._known})
        if unknown:
            with torch.no_grad():
                vectors = embed(
                    self._model, unknown, tokenizer=self._tokenizer, max_tokens=self._max_tokens
                )
            self._known.update(zip(unknown, vectors.cpu().numpy(), strict=True))

    def encode(self, texts: Sequence[str]) -> NDArray[np.float32]:
        """Return one vector a text, [texts, dimensions]."""
        self.remember(texts)
        return np.stack([self._known[text] for text in texts])
