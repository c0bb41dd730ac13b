"""From a configuration to a judge that runs without torch: what `clausewise train judge` does."""

from __future__ import annotations

import tempfile
import warnings
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING

import torch
from onnxruntime.quantization import QuantType, quantize_dynamic

from clausewise.encoder.pairs import OnnxPairs, PairConfig
from clausewise.progress import Progress, silent
from clausewise.readers.neural import LABELS
from clausewise.training.backbone import Backbone, load_backbone
from clausewise.training.export import OPSET
from clausewise.training.judge import (
    CrossEncoder,
    JudgeConfig,
    JudgeTask,
    TorchPairs,
    best_temperature,
    judge_scores,
    save_weights,
    softmax,
)
from clausewise.training.loop import EpochReport, train
from clausewise.training.manifest import DataFile, Manifest, today
from clausewise.training.run import LICENCE
from clausewise.training.splits import Trees
from clausewise.training.vocabulary import piece_counts, texts_in, trimmed, with_ranks

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from tokenizers import Tokenizer

    from clausewise.training.judge_pairs import JudgedPair
    from clausewise.trees.tree import RuleTree


_ALL_LINES = 10**9


@dataclass(frozen=True, slots=True, kw_only=True)
class JudgeReport:
    """What came of a training: how each epoch went, and how good the exported model is."""

    epochs: tuple[EpochReport, ...]
    torch_scores: Mapping[str, float]
    scores: Mapping[str, float]
    """Of the int8 model, on the statements of the held-out trees."""


def train_judge(
    config: JudgeConfig,
    *,
    folder: Path,
    data: Path = Path(),
    own: Sequence[RuleTree] = (),
    command: str = "",
    progress: Progress = silent,
) -> JudgeReport:
    """Train a judge, write it into `folder` as int8 ONNX, and return how it went.

    Paths in the configuration are relative to `data`; the trees in `own` are learned from as well.
    A run that was stopped is gone on with.
    """
    trees = Trees.read(config.trees, data=data, own=own)
    backbone = _with_common_pieces(load_backbone(config.backbone), config=config, data=data)
    task = JudgeTask(
        backbone, config=config, training=trees.training, held_out=trees.held_out, data=data
    )
    epochs = train(task, config.loop, folder=folder, progress=progress)
    learned_from = [*config.trees, *([config.inference] if config.inference else [])]
    manifest = Manifest(
        model="judge",
        backbone=config.backbone,
        licence=LICENCE,
        command=command,
        date=today(),
        data=tuple(DataFile.of(data / path, used_for="training") for path in learned_from),
        scores={},
        notes=tuple(f"epoch {one.epoch}: loss {one.loss}, {one.scores}" for one in epochs),
    )
    torch_scores, scores = export_judge(
        task.model,
        tokenizer=backbone.tokenizer,
        max_tokens=config.max_tokens,
        held_out=task.held_out,
        to=folder,
        manifest=manifest,
    )
    if config.keep_weights:
        weights = folder / "weights"
        save_weights(task.model, tokenizer=backbone.tokenizer, folder=weights)
    (folder / "checkpoint.pt").unlink(missing_ok=True)
    return JudgeReport(epochs=epochs, torch_scores=torch_scores, scores=scores)


def _with_common_pieces(backbone: Backbone, *, config: JudgeConfig, data: Path) -> Backbone:
    if not config.vocabulary:
        return backbone
    backbone.tokenizer.no_padding()
    backbone.tokenizer.no_truncation()
    files = [*config.trees, *([config.inference] if config.inference else [])]
    texts = (text for path in files for text in texts_in(data / path, lines=_ALL_LINES))
    counts = piece_counts(texts, tokenizer=backbone.tokenizer)
    ranked = with_ranks(counts, tokenizer=backbone.tokenizer)
    return trimmed(backbone, counts=ranked, size=config.vocabulary)


def export_judge(
    model: CrossEncoder,
    *,
    tokenizer: Tokenizer,
    max_tokens: int,
    held_out: Sequence[JudgedPair],
    to: Path,
    manifest: Manifest,
) -> tuple[Mapping[str, float], Mapping[str, float]]:
    """Write a judge as int8 ONNX, calibrated; return its scores in torch and as exported."""
    pairs = [(one.question, one.said) for one in held_out]
    states = [one.state for one in held_out]
    before = TorchPairs(model, tokenizer=tokenizer, max_tokens=max_tokens)
    logits = before.logits(pairs)
    to.mkdir(parents=True, exist_ok=True)
    write_judge_onnx(model, path=to / "model.onnx")
    tokenizer.no_padding()
    tokenizer.no_truncation()
    tokenizer.save(str(to / "tokenizer.json"))
    PairConfig(
        labels=tuple(state.value for state in LABELS),
        max_tokens=max_tokens,
        asks_about=True,
        temperature=best_temperature(logits, states=states),
    ).write(to)
    scores = judge_scores(OnnxPairs.load(to).probabilities(pairs), states=states)
    replace(manifest, scores=scores).write(to)
    return judge_scores(softmax(logits), states=states), scores


def write_judge_onnx(model: CrossEncoder, *, path: Path, quantised: bool = True) -> None:
    """Write the model to a file; its output is one score a label."""
    with tempfile.TemporaryDirectory() as scratch:
        floats = Path(scratch) / "floats.onnx"
        _write_floats(model.cpu().eval(), path=floats if quantised else path)
        if quantised:
            quantize_dynamic(floats, path, per_channel=True, weight_type=QuantType.QInt8)


def _write_floats(model: CrossEncoder, *, path: Path) -> None:
    ids = torch.ones((2, 8), dtype=torch.long)
    axes = {0: "pairs", 1: "tokens"}
    attention = model.network.config._attn_implementation  # noqa: SLF001
    # Plain matrix products instead of one fused call: those are what gets quantised.
    model.network.set_attn_implementation("eager")
    names = ["input_ids", "attention_mask", "token_type_ids"]
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # the tracing exporter announces its successor
        torch.onnx.export(
            model,
            (ids, torch.ones_like(ids), torch.zeros_like(ids)),
            str(path),
            input_names=names,
            output_names=["logits"],
            dynamic_axes={**dict.fromkeys(names, axes), "logits": {0: "pairs"}},
            opset_version=OPSET,
            dynamo=False,
        )
    model.network.set_attn_implementation(attention)
