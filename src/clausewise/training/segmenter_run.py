"""From a configuration to a saved segmenter: what `clausewise train segmenter` does."""

from __future__ import annotations

import shutil
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import torch
from torch import Tensor, nn

from clausewise.datasets.discourse import HELD_OUT_DOCUMENTS, MarkedSentence
from clausewise.encoder.units import OnnxUnits, UnitConfig
from clausewise.evaluation.boundaries import boundary_scores
from clausewise.progress import Progress, silent
from clausewise.training.backbone import PAD_MULTIPLE, Backbone, load_backbone
from clausewise.training.loop import EpochReport, train
from clausewise.training.manifest import DataFile, Manifest, notes_of, today
from clausewise.training.rule_export import write_graph
from clausewise.training.segmenter import SegmenterConfig, SegmenterNetwork, SegmenterTask
from clausewise.training.segmenter_teacher import TEACHER, Sentences, taught_by
from clausewise.training.smaller import with_inner, with_layers, with_positions
from clausewise.training.vocabulary import piece_counts, texts_in, trimmed

LICENCE = (
    "Apache-2.0, as the backbone's; learned from texts under CC BY and CC BY-SA, annotated under "
    "CC BY 4.0"
)
_COMMON_LINES = 100_000
_WORDS, _PIECES = 5, 7
"""Sizes of the example that the graph is traced with; it takes any."""


@dataclass(frozen=True, slots=True, kw_only=True)
class SegmenterReport:
    """What came of a training: how each epoch went, and how good the exported model is."""

    epochs: tuple[EpochReport, ...]
    torch_scores: Mapping[str, float]
    scores: Mapping[str, float]
    """Of the int8 model, on the documents that only measure."""


def train_segmenter(
    config: SegmenterConfig,
    *,
    folder: Path,
    data: Path = Path(),
    command: str = "",
    progress: Progress = silent,
) -> SegmenterReport:
    """Train a segmenter, write it into `folder` as int8 ONNX, and return how it went.

    Paths in the configuration are relative to `data`. A run that was stopped is gone on with.
    """
    sentences = Sentences.read(data / config.documents)
    taught = taught_by(config, sentences, folder=folder, data=data, progress=progress)
    torch.manual_seed(config.loop.seed)
    task = SegmenterTask(
        small_backbone(config, data=data, sentences=sentences.training),
        config=config,
        training=taught.training,
        held_out=sentences.held_out,
        loose=taught.loose,
    )
    epochs = train(task, config.loop, folder=folder, progress=progress)
    save(task, config=config, folder=folder)
    scores = boundary_scores(OnnxUnits.load(folder), sentences.held_out)
    Manifest(
        model="segmenter",
        backbone=config.backbone,
        licence=LICENCE,
        command=command,
        date=today(),
        data=_files(config, data=data),
        scores=scores,
        notes=(
            *(f"teacher, {note}" for note in notes_of(taught.epochs)),
            *notes_of(epochs),
            f"scores on {len(HELD_OUT_DOCUMENTS)} documents that nothing was learned from",
        ),
    ).write(folder)
    (folder / "checkpoint.pt").unlink(missing_ok=True)
    shutil.rmtree(folder / TEACHER, ignore_errors=True)
    return SegmenterReport(epochs=epochs, torch_scores=epochs[-1].scores, scores=scores)


def _files(config: SegmenterConfig, *, data: Path) -> tuple[DataFile, ...]:
    read = [(config.documents, "training")]
    read += [(path, "choosing the pieces of words") for path in config.common]
    if config.teacher is not None:
        read += [(path, "the teacher's opinion") for path in config.teacher.texts]
    return tuple(DataFile.of(data / path, used_for=used_for) for path, used_for in read)


def small_backbone(
    config: SegmenterConfig, *, data: Path, sentences: Sequence[MarkedSentence]
) -> Backbone:
    """Return the first layers of the configuration's backbone, with the pieces that are common."""
    backbone = load_backbone(config.backbone)
    backbone.tokenizer.no_padding()
    backbone.tokenizer.no_truncation()
    texts = (" ".join(sentence.words) for sentence in sentences)
    counts = piece_counts(texts, tokenizer=backbone.tokenizer)
    for path in config.common:
        common = texts_in(data / path, lines=_COMMON_LINES)
        counts += piece_counts(common, tokenizer=backbone.tokenizer)
    few = trimmed(backbone, counts=counts, size=config.vocabulary)
    small = with_inner(with_layers(few, config.layers), config.inner)
    # Sentences are filled up to a multiple of this.
    positions = -(-config.max_tokens // PAD_MULTIPLE) * PAD_MULTIPLE
    return with_positions(small, positions)


def save(
    task: SegmenterTask, *, config: SegmenterConfig, folder: Path, quantised: bool = True
) -> None:
    """Write the network as an ONNX graph, with all that is needed to run it."""
    folder.mkdir(parents=True, exist_ok=True)
    export_units(task.model, folder=folder, quantised=quantised)
    task.tokenizer.save(str(folder / "tokenizer.json"))
    UnitConfig(max_tokens=config.max_tokens).write(folder)


class _Begins(nn.Module):
    def __init__(self, network: SegmenterNetwork) -> None:
        super().__init__()
        self.network = network

    def forward(self, input_ids: Tensor, firsts: Tensor) -> Tensor:
        scores: Tensor = self.network(input_ids, torch.ones_like(input_ids), firsts)
        return scores


def export_units(network: SegmenterNetwork, *, folder: Path, quantised: bool = True) -> None:
    """Write model.onnx into a folder."""
    network.cpu().eval()
    attention = network.backbone.config._attn_implementation  # noqa: SLF001
    # Plain matrix products instead of one fused call: those are what gets quantised.
    network.backbone.set_attn_implementation("eager")
    write_graph(
        _Begins(network),
        (torch.ones((1, _PIECES), dtype=torch.long), torch.arange(_WORDS).unsqueeze(0)),
        path=folder / "model.onnx",
        inputs={"input_ids": (1,), "firsts": (1,)},
        outputs={"begins": (1,)},
        quantised=quantised,
    )
    network.backbone.set_attn_implementation(attention)
