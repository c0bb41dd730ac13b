"""The span finder as torch runs it: a file of samples at once, on whichever device is there."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from pathlib import Path

import torch
from safetensors.torch import load_file, save_file
from transformers import AutoConfig, AutoModel

from clausewise.askers.span import SpanModelConfig
from clausewise.datasets.orsharc import read_samples
from clausewise.errors import ConfigError, Where
from clausewise.files import write_whole
from clausewise.knowledge.base import KnowledgeBase
from clausewise.readers.transformer.encode import Packer
from clausewise.readers.transformer.tokens import PieceTokenizer
from clausewise.training.reader_predict import given_rules
from clausewise.training.reader_torch import BACKBONE, WEIGHTS
from clausewise.training.span import SpanNetwork, find_spans, sentence_packer
from clausewise.types import Dialogue, FoundSpan, Hit, RuleText


class TorchSpanFinder:
    """Finds spans with a network in torch."""

    def __init__(self, network: SpanNetwork, *, packer: Packer) -> None:
        self._network = network
        self._packer = packer

    @classmethod
    def load(cls, folder: Path) -> TorchSpanFinder:
        """Return the finder in a folder; on the accelerator that torch sees, if any."""
        config = SpanModelConfig.read(folder)
        if not (folder / WEIGHTS).is_file():
            message = f"holds no {WEIGHTS}, expected a folder of `clausewise train span`"
            raise ConfigError(message, where=Where(file=str(folder)))
        shape = AutoConfig.from_pretrained(folder / BACKBONE)
        backbone = AutoModel.from_config(shape, add_pooling_layer=False)
        network = SpanNetwork(backbone, size=shape.hidden_size)
        network.load_state_dict(load_file(folder / WEIGHTS))
        network.to("cuda" if torch.cuda.is_available() else "cpu").eval()
        packer = sentence_packer(PieceTokenizer.load(folder), config.max_tokens)
        return cls(network, packer=packer)

    def find(self, dialogue: Dialogue, *, hits: Sequence[Hit]) -> FoundSpan:
        """Return a span that is not empty, in one of the hits, of which there is at least one."""
        (found,) = self.find_all([dialogue], rules=[[hit.rule for hit in hits]])
        return found

    def find_all(
        self, dialogues: Sequence[Dialogue], *, rules: Sequence[Sequence[RuleText]]
    ) -> list[FoundSpan]:
        """Return the span for each dialogue in its rule texts, many at once."""
        return find_spans(self._network, packer=self._packer, dialogues=dialogues, rules=rules)


def save_weights(network: SpanNetwork, *, folder: Path) -> None:
    """Write a network in torch into a folder that `TorchSpanFinder.load` reads."""
    network.backbone.config.save_pretrained(folder / BACKBONE)
    weights = {name: one.detach().cpu().contiguous() for name, one in network.state_dict().items()}
    save_file(weights, folder / WEIGHTS, metadata={"format": "pt"})


def predict_spans(
    folder: Path,
    *,
    samples: Path,
    rules: Path,
    out: Path,
    hits: Mapping[str, Sequence[str]] | None = None,
    top_k: int | None = None,
) -> int:
    """Write what to ask about at every sample, as JSON lines; return how many there are.

    A line holds `utterance_id`, `rule_id`, `start` and `end`. `hits` tells by utterance id which
    rule texts of `rules` are read, best first, `top_k` of them; without, it is the right one.
    """
    read = read_samples(samples)
    by_id = {rule.rule_id: rule for rule in KnowledgeBase.open(rules)}
    given = [given_rules(sample, rules=by_id, hits=hits)[:top_k] for sample in read]
    found = TorchSpanFinder.load(folder).find_all([one.dialogue for one in read], rules=given)
    lines = (
        json.dumps(
            {
                "utterance_id": sample.utterance_id,
                "rule_id": one.rule.rule_id,
                "start": one.span.start,
                "end": one.span.end,
            }
        )
        + "\n"
        for sample, one in zip(read, found, strict=True)
    )
    write_whole(out, lines)
    return len(found)
