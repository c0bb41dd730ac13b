"""From a configuration to a joint reader that runs without torch: `clausewise train reader`."""

from __future__ import annotations

import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import torch
from tokenizers import Tokenizer

from clausewise.build import build_segmenter, load_segmenter
from clausewise.config import SegmenterName
from clausewise.progress import Progress, silent
from clausewise.protocols import Segmenter
from clausewise.readers.transformer.encode import Packer
from clausewise.readers.transformer.tokens import PieceTokenizer
from clausewise.training.backbone import load_backbone
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
from clausewise.types import RuleText

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


def train_reader(
    config: ReaderConfig,
    *,
    folder: Path,
    data: Path = Path(),
    command: str = "",
    progress: Progress = silent,
) -> ReaderReport:
    """Train a joint reader, write it into `folder` in torch and as ONNX; return how it went.

    Paths in the configuration are relative to `data`. A run that was stopped is gone on with.
    """
    read = ReaderData.read(config.samples, labels=config.labels, data=data)
    torch.manual_seed(config.loop.seed)  # of the parts with random weights
    backbone = load_backbone(config.backbone)
    preparing = _Preparing(config, tokenizer=backbone.tokenizer, folder=folder, data=data)
    task = ReaderTask(
        backbone,
        config=config,
        training=preparing.items(read.training, rules=read.rules, progress=progress),
        held_out=preparing.items(read.held_out, rules=read.all_rules, progress=progress),
    )
    began = time.monotonic()
    epochs = train(task, config.loop, folder=folder, progress=progress)
    report = ReaderReport(
        epochs=epochs, scores=epochs[-1].scores, seconds=round(time.monotonic() - began, 1)
    )
    task.reader.save(folder)
    backbone.tokenizer.save(str(folder / "tokenizer.json"))
    export_reader(task.model, folder=folder)
    _manifest(config, read=read, command=command, report=report).write(folder)
    (folder / "checkpoint.pt").unlink()
    return report


class _Preparing:
    """Makes what is learned from out of examples."""

    def __init__(
        self, config: ReaderConfig, *, tokenizer: Tokenizer, folder: Path, data: Path
    ) -> None:
        self._config = config
        self._cache = data / config.hits.cache if config.hits.cache else folder / HITS
        self._packer = Packer(
            PieceTokenizer(tokenizer),
            segmenter=segmenter_of(config.segmenter, folder=config.segmenter_model),
            max_tokens=config.max_tokens,
            layout=config.model.layout,
        )

    def items(
        self, examples: Sequence[Example], *, rules: Sequence[RuleText], progress: Progress
    ) -> list[Item]:
        """Return the examples as the system learns them, with what is found among `rules`."""
        hits = self._hits(examples, rules=rules, progress=progress)
        pairs = zip(examples, hits, strict=True)
        return [
            item_of(example, hits=found, packer=self._packer, config=self._config.model)
            for example, found in progress(pairs, label="Packing", total=len(examples))
        ]

    def _hits(
        self, examples: Sequence[Example], *, rules: Sequence[RuleText], progress: Progress
    ) -> Sequence[tuple[RuleText, ...]]:
        if not self._config.model.reads_many or not examples:
            return [() for _ in examples]
        found = hits_of(
            {example.example_id: example.dialogue for example in examples},
            rules=rules,
            retriever=self._config.hits.retriever,
            top_k=self._config.hits.top_k,
            cache=self._cache,
            progress=progress,
        )
        return [found[example.example_id] for example in examples]


def segmenter_of(name: SegmenterName, *, folder: Path | None = None) -> Segmenter:
    """Return the segmenter of that name; `neural` from a folder, where one is given."""
    if name == "neural" and folder is not None:
        return load_segmenter(folder)
    return build_segmenter(name)


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
