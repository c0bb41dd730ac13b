"""From a configuration to a saved editor: what `clausewise train editor` does."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

import torch
from tokenizers import Tokenizer
from torch import Tensor, nn

from clausewise.askers.editor import SIDES, EditorAsker, EditorConfig, Side
from clausewise.evaluation.questions import question_figures
from clausewise.progress import Progress, silent
from clausewise.training.backbone import Backbone, load_backbone
from clausewise.training.editor import EditorTask, EditorTrainingConfig
from clausewise.training.editor_network import EditorNetwork
from clausewise.training.loop import EpochReport, train
from clausewise.training.manifest import DataFile, Manifest, notes_of, today
from clausewise.training.rule_export import write_graph
from clausewise.training.run import LICENCE
from clausewise.training.splits import Trees
from clausewise.training.vocabulary import piece_counts, trimmed
from clausewise.trees.tree import RuleTree

_PIECES = 7
"""Size of the example that the graphs are traced with; they take any."""


@dataclass(frozen=True, slots=True, kw_only=True)
class EditorReport:
    """What came of a training: how each epoch went, and how good the exported editor is."""

    epochs: tuple[EpochReport, ...]
    scores: Mapping[str, float]
    """Of the exported editor, on the trees left out."""


def train_editor(
    config: EditorTrainingConfig,
    *,
    folder: Path,
    data: Path = Path(),
    command: str = "",
    progress: Progress = silent,
) -> EditorReport:
    """Train an editor, write it into `folder` as int8 ONNX, and return how it went.

    Paths in the configuration are relative to `data`. A run that was stopped is gone on with.
    """
    torch.manual_seed(config.loop.seed)
    trees = Trees.read(config.trees, data=data)
    task = EditorTask(small_backbone(config, trees.training), config=config, trees=trees)
    epochs = train(task, config.loop, folder=folder, progress=progress)
    save_editor(task.model, tokenizer=task.tokenizer, config=task.editor, folder=folder)
    scores = question_figures(EditorAsker.load(folder), trees.held_out)
    Manifest(
        model="editor",
        backbone=f"{config.backbone}, its word pieces alone",
        licence=LICENCE,
        command=command,
        date=today(),
        data=tuple(DataFile.of(data / path, used_for="training") for path in config.trees),
        scores=scores,
        notes=notes_of(epochs),
    ).write(folder)
    (folder / "checkpoint.pt").unlink(missing_ok=True)
    return EditorReport(epochs=epochs, scores=scores)


def small_backbone(config: EditorTrainingConfig, trees: tuple[RuleTree, ...]) -> Backbone:
    """Return the configuration's backbone with the pieces of words that rule texts need."""
    backbone = load_backbone(config.backbone)
    backbone.tokenizer.no_padding()
    backbone.tokenizer.no_truncation()
    texts = (tree.rule_text or "" for tree in trees)
    counts = piece_counts(texts, tokenizer=backbone.tokenizer)
    return trimmed(backbone, counts=counts, size=config.vocabulary)


class _Begin(nn.Module):
    def __init__(self, network: EditorNetwork) -> None:
        super().__init__()
        self.network = network

    def forward(self, input_ids: Tensor, marks: Tensor, inside: Tensor) -> tuple[Tensor, ...]:
        read = self.network.begin(input_ids, marks, inside)
        states = (self.network.first_state(side, read.meaning) for side in SIDES)
        return (read.memory, *states)


class _Step(nn.Module):
    def __init__(self, network: EditorNetwork, *, side: Side) -> None:
        super().__init__()
        self.network = network
        self.side: Side = side

    def forward(self, memory: Tensor, state: Tensor, word: Tensor) -> tuple[Tensor, Tensor]:
        return self.network.step(self.side, memory, state, word)


def save_editor(
    network: EditorNetwork,
    *,
    tokenizer: Tokenizer,
    config: EditorConfig,
    folder: Path,
    quantised: bool = True,
) -> None:
    """Write the networks as ONNX graphs, with all that is needed to run them."""
    network.cpu().eval()
    folder.mkdir(parents=True, exist_ok=True)
    ids = torch.ones((1, _PIECES), dtype=torch.long)
    write_graph(
        _Begin(network),
        (ids, ids, ids),
        path=folder / "begin.onnx",
        inputs=dict.fromkeys(("input_ids", "marks", "inside"), (1,)),
        outputs={"memory": (1,), **dict.fromkeys(SIDES, ())},
        quantised=quantised,
    )
    memory, state, _ = _Begin(network)(ids, ids, ids)
    for side in SIDES:
        write_graph(
            _Step(network, side=side),
            (memory.detach(), state.detach(), torch.ones(1, dtype=torch.long)),
            path=folder / f"{side}.onnx",
            inputs={"memory": (1,), "state": (), "word": ()},
            outputs={"scores": (), "next_state": ()},
            quantised=quantised,
        )
    tokenizer.save(str(folder / "tokenizer.json"))
    config.write(folder)
