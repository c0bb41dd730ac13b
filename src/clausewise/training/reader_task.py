"""A joint reader in training: all systems learn by the same loop from the same batches."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np
from torch import Tensor

from clausewise.readers.transformer.scores import STATES
from clausewise.readers.transformer.tokens import PieceTokenizer
from clausewise.training.backbone import Backbone
from clausewise.training.batching import bucketed
from clausewise.training.reader_batches import Item, Targets, inputs_of, targets_of
from clausewise.training.reader_config import ReaderConfig
from clausewise.training.reader_loss import LossWeights, reader_loss
from clausewise.training.reader_network import network_of
from clausewise.training.reader_torch import TorchReaderModel, on

Batch = Sequence[int]
"""The places of some items among all that are learned from."""


class ReaderTask:
    """Trains a joint reader and measures it on dialogues about held-out rules."""

    def __init__(
        self,
        backbone: Backbone,
        *,
        config: ReaderConfig,
        training: Sequence[Item],
        held_out: Sequence[Item],
    ) -> None:
        self.model = network_of(backbone.network, config=config.model)
        self.reader = TorchReaderModel(
            self.model, config=config.model, tokenizer=PieceTokenizer(backbone.tokenizer)
        )
        self._config = config
        self._training = training
        self._held_out = held_out
        self._weights = LossWeights(
            entailment=config.entailment_weight,
            span=config.span_weight,
            extraction=config.extraction_weight,
        )

    def batches(self, epoch: int) -> Sequence[Batch]:
        """Return the batches of an epoch: all examples, in another order each time."""
        return bucketed(
            [len(item) for item in self._training],
            size=self._config.batch_size,
            seed=f"{self._config.loop.seed}/{epoch}",
        )

    def loss(self, batch: Batch) -> Tensor:
        """Return the loss of a batch."""
        items = [self._training[place] for place in batch]
        device = next(self.model.parameters()).device
        inputs = inputs_of([item.packed for item in items], filling=self.reader.tokenizer.filling)
        inputs = on(inputs, device)
        targets = targets_of(items, tokens=inputs.input_ids.shape[1])
        return reader_loss(
            self.model(inputs),
            targets_on(targets, device=str(device)),
            token_units=inputs.token_units,
            weights=self._weights,
        )

    def evaluate(self) -> Mapping[str, float]:
        """Return accuracies on the held-out dialogues, in percent; nothing where there are none."""
        if not self._held_out:
            return {}
        scores = self.reader.run_all([item.packed for item in self._held_out])
        decided = np.array([one.decision.argmax() for one in scores])
        figures = _accuracies(decided, gold=np.array([item.decision for item in self._held_out]))
        if scores[0].states is not None:
            found = np.concatenate(
                [one.states.argmax(1) for one in scores if one.states is not None]
            )
            gold = np.concatenate([item.states for item in self._held_out])
            figures["macro f1 of states"] = _macro_f1(found, gold=gold)
        return figures


def targets_on(targets: Targets, *, device: str) -> Targets:
    """Return what is right on a device."""
    names = Targets.__dataclass_fields__
    return Targets(**{name: getattr(targets, name).to(device) for name in names})


def _accuracies(decided: np.ndarray, *, gold: np.ndarray) -> dict[str, float]:
    right = decided == gold
    recalls = [right[gold == label].mean() for label in np.unique(gold)]
    return {
        "micro": round(float(100 * right.mean()), 2),
        "macro": round(float(100 * np.mean(recalls)), 2),
    }


def _macro_f1(found: np.ndarray, *, gold: np.ndarray) -> float:
    scores = [
        2
        * np.sum((found == label) & (gold == label))
        / max(1, np.sum(found == label) + np.sum(gold == label))
        for label in range(len(STATES))
    ]
    return round(float(100 * np.mean(scores)), 2)
