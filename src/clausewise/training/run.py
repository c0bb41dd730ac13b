"""From a configuration to a saved model: what `clausewise train` does."""

from __future__ import annotations

from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING

from safetensors.torch import save_file

from clausewise.progress import Progress, silent
from clausewise.training.backbone import Backbone, load_backbone
from clausewise.training.loop import EpochReport, device, train
from clausewise.training.manifest import DataFile, Manifest, today
from clausewise.training.retriever import Development, RetrieverConfig, RetrieverTask, averaged
from clausewise.trees.read import read_trees

if TYPE_CHECKING:
    from collections.abc import Mapping

LICENCE = "Apache-2.0, as the backbone's; learned from texts under CC BY-SA 3.0 and CC0"


@dataclass(frozen=True, slots=True, kw_only=True)
class TrainingReport:
    """What came of a training: how each epoch went, and how good the saved model is."""

    epochs: tuple[EpochReport, ...]
    untrained: Mapping[str, float]
    """The figures of the backbone before it learned anything."""
    scores: Mapping[str, float]


def train_retriever(
    config: RetrieverConfig,
    *,
    folder: Path,
    data: Path = Path(),
    command: str = "",
    progress: Progress = silent,
) -> TrainingReport:
    """Train a dual encoder, save it into `folder`, and return how it went.

    Paths in the configuration are relative to `data`. A run that was stopped is gone on with.
    """
    backbone = load_backbone(config.backbone)
    task = RetrieverTask(
        backbone,
        config=config,
        trees=[tree for path in config.trees for tree in read_trees(data / path)],
        development=Development.read(rules=data / config.rules, samples=data / config.development),
    )
    task.model.to(device())  # with the copy of its weights, which is averaged with what it learns
    before = {name: weight.clone() for name, weight in task.model.state_dict().items()}
    untrained = task.evaluate()
    epochs = train(task, config.loop, folder=folder, progress=progress)
    scores = epochs[-1].scores
    if config.kept:
        learned = task.model.state_dict()
        task.model.load_state_dict(averaged(learned, pretrained=before, kept=config.kept))
        scores = task.evaluate()
    report = TrainingReport(epochs=epochs, untrained=untrained, scores=scores)
    manifest = _manifest(config, data=data, command=command, report=report)
    save_backbone(backbone, folder=folder, max_tokens=config.max_tokens, manifest=manifest)
    (folder / "checkpoint.pt").unlink(missing_ok=True)
    return report


def save_backbone(backbone: Backbone, *, folder: Path, max_tokens: int, manifest: Manifest) -> None:
    """Write a network, its tokenizer and its origin as a folder that `load_backbone` reads."""
    folder.mkdir(parents=True, exist_ok=True)
    backbone.network.config.save_pretrained(folder)
    weights = {name: tensor.contiguous() for name, tensor in backbone.network.state_dict().items()}
    save_file(weights, folder / "model.safetensors", metadata={"format": "pt"})
    backbone.tokenizer.no_padding()
    backbone.tokenizer.enable_truncation(max_tokens)
    backbone.tokenizer.save(str(folder / "tokenizer.json"))
    manifest.write(folder)


def _manifest(
    config: RetrieverConfig, *, data: Path, command: str, report: TrainingReport
) -> Manifest:
    learned_from = [DataFile.of(data / path, used_for="training") for path in config.trees]
    chosen_by = [
        DataFile.of(data / path, used_for="choosing between models")
        for path in (config.rules, config.development)
    ]
    return Manifest(
        model="retriever",
        backbone=config.backbone,
        licence=LICENCE,
        command=command,
        date=today(),
        data=(*learned_from, *chosen_by),
        scores=report.scores,
        notes=tuple(
            f"epoch {epoch.epoch}: loss {epoch.loss}, {epoch.seconds} s" for epoch in report.epochs
        ),
    )


def with_scores(manifest: Manifest, *, scores: Mapping[str, float], note: str) -> Manifest:
    """Return the manifest with the figures of a model that was made from its model."""
    return replace(manifest, scores=scores, notes=(*manifest.notes, note))
