"""From a configuration to a saved compiler: what `clausewise train compiler` does."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import Path

import torch

from clausewise.build import load_compiler
from clausewise.encoder.rules import RuleEncoderConfig
from clausewise.knowledge.base import KnowledgeBase
from clausewise.knowledge.reviewed import trees_at
from clausewise.progress import Progress, silent
from clausewise.training.backbone import Backbone, load_backbone
from clausewise.training.calibration import calibrated, calibration_error, claims
from clausewise.training.compiler import CompilerConfig, CompilerTask, figures
from clausewise.training.loop import EpochReport, train
from clausewise.training.manifest import DataFile, Manifest, notes_of, today
from clausewise.training.rule_export import export_rules
from clausewise.training.run import LICENCE
from clausewise.training.splits import Trees
from clausewise.training.vocabulary import piece_counts, texts_in, trimmed
from clausewise.trees.tree import RuleTree

_COMMON_LINES = 100_000
_OWN_WEIGHT = 20
"""A piece in a rule text counts as much as so many in texts of other kinds."""


@dataclass(frozen=True, slots=True, kw_only=True)
class TrainedReport:
    """What came of a training: how each epoch went, and how good the saved model is."""

    epochs: tuple[EpochReport, ...]
    scores: Mapping[str, float]
    """Of the exported model, on the trees that are left out."""


def train_compiler(
    config: CompilerConfig,
    *,
    folder: Path,
    data: Path = Path(),
    command: str = "",
    progress: Progress = silent,
) -> TrainedReport:
    """Train the compiler, save it into `folder`, and return how it went.

    Paths in the configuration are relative to `data`. A run that was stopped is gone on with.
    """
    torch.manual_seed(config.loop.seed)
    trees = Trees.read(
        config.trees, data=data, calibration=config.calibration, own=own_trees(config.rules)
    )
    backbone = small_backbone(config, data=data, trees=trees)
    task = CompilerTask(backbone, config=config, trees=trees)
    epochs = train(task, config.loop, folder=folder, progress=progress)
    save(task, backbone=backbone, config=config, folder=folder)
    scores = _calibrate(trees, config=config, folder=folder)
    manifest = _manifest(config, data=data, command=command, epochs=epochs, scores=scores)
    manifest.write(folder)
    (folder / "checkpoint.pt").unlink(missing_ok=True)
    return TrainedReport(epochs=epochs, scores=scores)


def own_trees(rules: Path | None) -> tuple[RuleTree, ...]:
    """Return the reviewed trees beside some rules, with their rule texts; none without rules."""
    if rules is None:
        return ()
    knowledge = KnowledgeBase.open(rules)
    texts = {rule.rule_id: rule.text for rule in knowledge}
    return tuple(
        tree if tree.rule_text is not None else tree.bind(texts[tree.rule_id])
        for tree in trees_at(rules, knowledge=knowledge)
    )


def small_backbone(config: CompilerConfig, *, data: Path, trees: Trees) -> Backbone:
    """Return the configuration's backbone with the pieces that rule texts need."""
    backbone = load_backbone(config.backbone)
    backbone.tokenizer.no_padding()
    backbone.tokenizer.no_truncation()
    texts = [
        text
        for tree in trees.training
        for text in (tree.rule_text or "", *(item.question for item in tree.conditions))
    ]
    counts = piece_counts(texts, tokenizer=backbone.tokenizer)
    for piece in counts:
        counts[piece] *= _OWN_WEIGHT
    if config.common is not None:
        common = texts_in(data / config.common, lines=_COMMON_LINES)
        counts += piece_counts(common, tokenizer=backbone.tokenizer)
    return trimmed(backbone, counts=counts, size=config.vocabulary)


def save(task: CompilerTask, *, backbone: Backbone, config: CompilerConfig, folder: Path) -> None:
    """Write the network as int8 ONNX graphs, with all that is needed to run them."""
    folder.mkdir(parents=True, exist_ok=True)
    export_rules(task.model.cpu(), folder=folder)
    backbone.tokenizer.save(str(folder / "tokenizer.json"))
    RuleEncoderConfig(dimensions=backbone.hidden_size, max_tokens=config.max_tokens).write(folder)


def _calibrate(trees: Trees, *, config: CompilerConfig, folder: Path) -> dict[str, float]:
    """Fit the confidences of the exported compiler and return its figures."""
    compiler = load_compiler(folder)
    if trees.calibration:
        scales = calibrated(compiler, trees=trees.calibration, review_below=config.review_below)
        scales.write(folder)
        compiler = replace(compiler, calibration=scales)
    said = claims(compiler, trees=trees.held_out)
    return {
        **figures(compiler, trees.held_out),
        "calibration error of conditions": calibration_error(said.conditions),
        "calibration error of logic": calibration_error(said.logic),
    }


def _manifest(
    config: CompilerConfig,
    *,
    data: Path,
    command: str,
    epochs: tuple[EpochReport, ...],
    scores: Mapping[str, float],
) -> Manifest:
    learned_from = [DataFile.of(data / path, used_for="training") for path in config.trees]
    own = [DataFile.of(config.rules, used_for="training")] if config.rules else []
    return Manifest(
        model="compiler",
        backbone=config.backbone,
        licence=LICENCE,
        command=command,
        date=today(),
        data=(*learned_from, *own),
        scores=scores,
        notes=notes_of(epochs),
    )
