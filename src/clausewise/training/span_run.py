"""From a configuration to a saved span finder: what `clausewise train span` does."""

from __future__ import annotations

import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import torch
from torch import Tensor, nn

from clausewise.askers.span import SpanModelConfig
from clausewise.progress import Progress, silent
from clausewise.readers.transformer.model import FULL, QUANTISED
from clausewise.training.backbone import load_backbone
from clausewise.training.loop import EpochReport, train
from clausewise.training.manifest import Manifest, notes_of, today
from clausewise.training.reader_data import ReaderData
from clausewise.training.reader_hits import hits_of
from clausewise.training.reader_run import HITS
from clausewise.training.rule_export import write_graph
from clausewise.training.run import LICENCE
from clausewise.training.span import RetrievedFor, SpanConfig, SpanNetwork, SpanTask
from clausewise.training.span_torch import save_weights
from clausewise.types import RuleText

_TOKENS = 9
"""Size of the example that the graph is traced with; it takes any."""


@dataclass(frozen=True, slots=True, kw_only=True)
class SpanReport:
    """What came of a training."""

    epochs: tuple[EpochReport, ...]
    scores: Mapping[str, float]
    """On dialogues about held-out rules, after the last epoch."""
    seconds: float
    """Of all epochs."""


def train_span(
    config: SpanConfig,
    *,
    folder: Path,
    data: Path = Path(),
    onnx: bool = True,
    command: str = "",
    progress: Progress = silent,
) -> SpanReport:
    """Train a span finder, write it into `folder` in torch and as ONNX; return how it went.

    Paths in the configuration are relative to `data`. A run that was stopped is gone on with.
    """
    read = ReaderData.read(config.samples, labels=config.labels, data=data)
    torch.manual_seed(config.loop.seed)  # of the part with random weights
    backbone = load_backbone(config.backbone)
    task = SpanTask(
        backbone,
        config=config,
        training=read.training,
        held_out=read.held_out,
        retrieved=_retrieved(config, read=read, folder=folder, data=data, progress=progress),
    )
    began = time.monotonic()
    epochs = train(task, config.loop, folder=folder, progress=progress)
    seconds = round(time.monotonic() - began, 1)
    SpanModelConfig(max_tokens=config.max_tokens).write(folder)
    backbone.tokenizer.save(str(folder / "tokenizer.json"))
    save_weights(task.model, folder=folder)
    if onnx:
        export_spans(task.model, folder=folder)
    Manifest(
        model="span finder",
        backbone=config.backbone,
        licence=LICENCE,
        command=command,
        date=today(),
        data=read.files,
        scores=epochs[-1].scores,
        seconds=seconds,
        notes=(
            f"{len(read.training)} dialogues, labels {config.labels}, seed {config.loop.seed}",
            *notes_of(epochs),
        ),
    ).write(folder)
    (folder / "checkpoint.pt").unlink(missing_ok=True)
    return SpanReport(epochs=epochs, scores=epochs[-1].scores, seconds=seconds)


def _retrieved(
    config: SpanConfig, *, read: ReaderData, folder: Path, data: Path, progress: Progress
) -> RetrievedFor:
    """Return what tells an example's rule texts: held-out ones stand among all, others don't."""
    found: dict[str, Sequence[RuleText]] = {}
    for examples, rules in ((read.training, read.rules), (read.held_out, read.all_rules)):
        if examples:
            found |= hits_of(
                {example.example_id: example.dialogue for example in examples},
                rules=rules,
                retriever=config.hits.retriever,
                top_k=config.hits.top_k,
                cache=data / config.hits.cache if config.hits.cache else folder / HITS,
                progress=progress,
            )
    return lambda example: found[example.example_id]


class _Spans(nn.Module):
    def __init__(self, network: SpanNetwork) -> None:
        super().__init__()
        self.network = network

    def forward(self, input_ids: Tensor) -> Tensor:
        scores: Tensor = self.network(input_ids, torch.ones_like(input_ids))
        return scores


def export_spans(network: SpanNetwork, *, folder: Path) -> None:
    """Write the network into a folder as ONNX, in int8 and in full."""
    device = next(network.parameters()).device
    network.cpu().eval()
    attention = network.backbone.config._attn_implementation  # noqa: SLF001
    # Plain matrix products instead of one fused call: those are what gets quantised.
    network.backbone.set_attn_implementation("eager")
    for name, quantised in ((FULL, False), (QUANTISED, True)):
        write_graph(
            _Spans(network),
            (torch.ones((1, _TOKENS), dtype=torch.long),),
            path=folder / name,
            inputs={"input_ids": (1,)},
            outputs={"spans": (1,)},
            quantised=quantised,
        )
    network.backbone.set_attn_implementation(attention)
    network.to(device)
