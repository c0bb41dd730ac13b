"""From a configuration to a joint reader that runs without torch: `clausewise train reader`."""

from __future__ import annotations

import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

import torch

from clausewise.build import build_segmenter, load_segmenter
from clausewise.config import SegmenterName
from clausewise.errors import ConfigError, Where
from clausewise.progress import Progress, silent
from clausewise.protocols import Segmenter
from clausewise.readers.transformer.encode import Packer
from clausewise.readers.transformer.tokens import PieceTokenizer
from clausewise.training.backbone import Backbone, load_backbone, load_tokenizer
from clausewise.training.loop import EpochReport, train
from clausewise.training.manifest import Manifest, today
from clausewise.training.reader_batches import Item, item_of
from clausewise.training.reader_config import ReaderConfig
from clausewise.training.reader_data import ReaderData
from clausewise.training.reader_examples import Example
from clausewise.training.reader_export import export_reader
from clausewise.training.reader_hits import hits_of
from clausewise.training.reader_task import ReaderTask
from clausewise.training.run import LICENCE
from clausewise.trees.values import Span
from clausewise.types import RuleText

Found = Mapping[str, Sequence[RuleText]]
HITS = "hits.json"
"""What a retriever found for the examples, where no shared file is named."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ReaderReport:
    """What came of a training."""

    epochs: tuple[EpochReport, ...]
    scores: Mapping[str, float]
    """On dialogues about held-out rules, after the last epoch."""
    seconds: float
    """Of all epochs."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Prepared:
    """What a system learns from, in tokens; the same for all seeds."""

    data: ReaderData
    training: Sequence[Item]
    held_out: Sequence[Item]


def train_reader(
    config: ReaderConfig,
    *,
    folder: Path,
    data: Path = Path(),
    prepared: Prepared | None = None,
    onnx: bool = True,
    command: str = "",
    progress: Progress = silent,
) -> ReaderReport:
    """Train a joint reader, write it into `folder` in torch and as ONNX; return how it went.

    Paths in the configuration are relative to `data`. A run that was stopped is gone on with.
    """
    if prepared is None:
        prepared = prepare_reader(config, folder=folder, data=data, progress=progress)
    torch.manual_seed(config.loop.seed)  # of the parts with random weights
    backbone = load_backbone(config.backbone)
    _check_length(config, backbone=backbone)
    task = ReaderTask(
        backbone, config=config, training=prepared.training, held_out=prepared.held_out
    )
    began = time.monotonic()
    epochs = train(task, config.loop, folder=folder, progress=progress)
    report = ReaderReport(
        epochs=epochs, scores=epochs[-1].scores, seconds=round(time.monotonic() - began, 1)
    )
    task.reader.save(folder)
    backbone.tokenizer.save(str(folder / "tokenizer.json"))
    if onnx:
        export_reader(task.model, folder=folder)
    _manifest(config, read=prepared.data, command=command, report=report).write(folder)
    (folder / "checkpoint.pt").unlink(missing_ok=True)
    return report


def prepare_reader(
    config: ReaderConfig, *, folder: Path, data: Path = Path(), progress: Progress = silent
) -> Prepared:
    """Return what the configuration learns from; hits go into `folder` without a shared cache."""
    read = ReaderData.read(config.samples, labels=config.labels, data=data)
    training, held_out = look_up(config, read=read, folder=folder, data=data, progress=progress)
    packer = Packer(
        PieceTokenizer(load_tokenizer(config.backbone)),
        segmenter=segmenter_of(config.segmenter, folder=config.segmenter_model),
        max_tokens=config.max_tokens,
        layout=config.model.layout,
    )

    def items(examples: Sequence[Example], hits: Found) -> list[Item]:
        return [
            item_of(
                example,
                hits=hits.get(example.example_id, ()),
                packer=packer,
                config=config.model,
            )
            for example in progress(examples, label="Packing", total=len(examples))
        ]

    return Prepared(
        data=read, training=items(read.training, training), held_out=items(read.held_out, held_out)
    )


def look_up(
    config: ReaderConfig,
    *,
    read: ReaderData,
    folder: Path,
    data: Path = Path(),
    progress: Progress = silent,
) -> tuple[Found, Found]:
    """Return what is found for training and for the held-out examples, where a system needs it."""
    if not config.model.reads_many:
        return {}, {}
    training, held_out = (
        hits_of(
            {example.example_id: example.dialogue for example in examples},
            rules=rules,
            retriever=config.hits.retriever,
            top_k=config.hits.top_k,
            cache=data / config.hits.cache if config.hits.cache else folder / HITS,
            progress=progress,
        )
        for examples, rules in ((read.training, read.rules), (read.held_out, read.all_rules))
    )
    return training, held_out


def _check_length(config: ReaderConfig, *, backbone: Backbone) -> None:
    """Raise a ConfigError where the backbone has no positions for the longest sequence."""
    shape = backbone.network.config
    # RoBERTa counts positions from behind the number of its filling token.
    first = shape.pad_token_id + 1 if "roberta" in shape.model_type else 0
    known = shape.max_position_embeddings - first
    if config.max_tokens > known:
        message = f"{config.max_tokens} is more than the {known} tokens that the backbone reads"
        raise ConfigError(message, where=Where(field="max_tokens"))


class RememberingSegmenter:
    """Cuts a rule text once, for all systems and seeds."""

    def __init__(self, segmenter: Segmenter) -> None:
        self._segmenter = segmenter
        self._known: dict[str, tuple[Span, ...]] = {}

    def segment(self, text: str) -> tuple[Span, ...]:
        """Return the spans that the segmenter finds."""
        if text not in self._known:
            self._known[text] = self._segmenter.segment(text)
        return self._known[text]


@lru_cache
def segmenter_of(name: SegmenterName, *, folder: Path | None = None) -> Segmenter:
    """Return the segmenter of that name; `neural` from a folder, where one is given."""
    if name == "neural" and folder is not None:
        return RememberingSegmenter(load_segmenter(folder))
    return RememberingSegmenter(build_segmenter(name))


def _manifest(
    config: ReaderConfig, *, read: ReaderData, command: str, report: ReaderReport
) -> Manifest:
    source = "simulated dialogues" if config.samples.file is None else "dialogues"
    return Manifest(
        model=f"reader {config.system}",
        backbone=config.backbone,
        licence=LICENCE,
        command=command,
        date=today(),
        data=read.files,
        scores=report.scores,
        seconds=report.seconds,
        notes=(
            f"{len(read.training)} {source}, seed {config.loop.seed}, {report.seconds} s",
            f"segmenter {config.segmenter}, labels {config.labels}, layers {config.layers}, "
            f"head {config.head}, entailment weight {config.entailment_weight}",
            *(
                f"epoch {each.epoch}: loss {each.loss}, {each.seconds} s, {dict(each.scores)}"
                for each in report.epochs
            ),
        ),
    )
