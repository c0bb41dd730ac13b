"""The asker learns from people's questions, over the encoder of a compiler that stays as it is."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np
import torch
from torch import Tensor, nn

from clausewise.askers.fluency import CheckedAsker
from clausewise.askers.rewrite import RewriteAsker, RewriteConfig
from clausewise.askers.suggestion import Reading, read
from clausewise.askers.template import TemplateAsker
from clausewise.encoder.rules import RuleEncoder
from clausewise.evaluation.compiling import question_bleu
from clausewise.progress import Progress, silent
from clausewise.protocols import Asker
from clausewise.training.batching import bucketed
from clausewise.training.compiler_run import TrainedReport, own_trees
from clausewise.training.loop import LoopConfig, train
from clausewise.training.manifest import DataFile, Manifest, notes_of, today
from clausewise.training.question_batches import question_example, question_loss, vocabulary_of
from clausewise.training.question_network import QuestionNetwork
from clausewise.training.rule_export import export_questions
from clausewise.training.rule_torch import TorchWriter
from clausewise.training.run import LICENCE
from clausewise.training.splits import Trees
from clausewise.trees.tree import RuleTree
from clausewise.types import RuleText

TEMPLATE = TemplateAsker()
"""Makes the suggestions."""


@dataclass(frozen=True, slots=True, kw_only=True)
class AskerConfig:
    """How an asker is trained."""

    compiler: Path
    """The folder of the compiler whose encoder it reads with; relative to the working folder."""
    trees: tuple[Path, ...]
    """Reviewed trees to learn from, relative to the data folder; some are left out (HELD_OUT)."""
    rules: Path | None = None
    """Rules with reviewed trees beside them, to learn from too; relative to the working folder."""
    loop: LoopConfig = field(default_factory=LoopConfig)
    """How long and how fast it learns."""
    width: int = 320
    """Of its layers."""
    batch_size: int = 32
    """Conditions that are learned from together."""


@dataclass(frozen=True, slots=True, kw_only=True)
class AskerBatch:
    """The places of some conditions among all that are learned from."""

    places: tuple[int, ...]


class AskerTask:
    """Trains an asker on reviewed trees and measures it on those left out."""

    def __init__(self, encoder: RuleEncoder, *, config: AskerConfig, trees: Trees) -> None:
        self._encoder = encoder
        self._config = config
        self._held_out = trees.held_out
        asked = [pair for tree in trees.training for pair in self._asked(tree)]
        self.asker_config = RewriteConfig(
            vocabulary=vocabulary_of((reading.source, question) for reading, question in asked)
        )
        numbers = {word: number for number, word in enumerate(self.asker_config.vocabulary)}
        self.examples = [
            question_example(reading, question=question, numbers=numbers)
            for reading, question in asked
        ]
        self._vectors = [reading.encoded.vectors.astype(np.float16) for reading, _ in asked]
        self.model = QuestionNetwork(
            dimensions=encoder.config.dimensions,
            vocabulary=len(self.asker_config.vocabulary),
            width=config.width,
        )

    def _asked(self, tree: RuleTree) -> Iterator[tuple[Reading, str]]:
        """Yield what is read for every condition, and the question that a person asked."""
        rule = rule_of(tree)
        for item in tree.conditions:
            reading = read(item.span, rule=rule, encoder=self._encoder, template=TEMPLATE)
            if reading is not None:
                yield reading, item.question

    def batches(self, epoch: int) -> list[AskerBatch]:
        """Return the batches of an epoch: every condition once."""
        lengths = [len(example.targets) for example in self.examples]
        seed = f"{self._config.loop.seed}/{epoch}"
        return [
            AskerBatch(places=tuple(group))
            for group in bucketed(lengths, size=self._config.batch_size, seed=seed)
        ]

    def loss(self, batch: AskerBatch) -> Tensor:
        """Return the mean surprise at a word of the questions."""
        vectors = [torch.from_numpy(self._vectors[place]).float() for place in batch.places]
        padded = nn.utils.rnn.pad_sequence(vectors, batch_first=True)
        examples = [self.examples[place] for place in batch.places]
        with torch.autocast("cpu", enabled=False):
            return question_loss(self.model, padded, examples)

    def evaluate(self) -> Mapping[str, float]:
        """Return BLEU against the questions of the trees left out."""
        writer = TorchWriter(self.model)
        return bleu_of(
            RewriteAsker(
                writer, encoder=self._encoder, template=TEMPLATE, config=self.asker_config
            ),
            self._held_out,
        )


def bleu_of(asker: Asker, trees: Sequence[RuleTree]) -> dict[str, float]:
    """Return BLEU of the questions about the trees' own spans."""
    bleu = question_bleu(
        (asker.ask(item.span, rule=rule_of(tree)), item.question)
        for tree in trees
        for item in tree.conditions
    )
    return {"BLEU-1": bleu[0], "BLEU-4": bleu[3]}


def rule_of(tree: RuleTree) -> RuleText:
    """Return the rule that a tree with its text was made for."""
    return RuleText(rule_id=tree.rule_id or "rule", text=tree.rule_text or "")


def train_asker(
    config: AskerConfig,
    *,
    folder: Path,
    data: Path = Path(),
    command: str = "",
    progress: Progress = silent,
) -> TrainedReport:
    """Train an asker, save it into `folder`, and return how it went."""
    torch.manual_seed(config.loop.seed)
    encoder = RuleEncoder.load(config.compiler)
    trees = Trees.read(config.trees, data=data, own=own_trees(config.rules))
    task = AskerTask(encoder, config=config, trees=trees)
    epochs = train(task, config.loop, folder=folder, progress=progress)
    export_questions(task.model, folder=folder, dimensions=encoder.config.dimensions)
    task.asker_config.write(folder)
    scores = _scores(folder, encoder=encoder, trees=trees)
    learned_from = [DataFile.of(data / path, used_for="training") for path in config.trees]
    own = [DataFile.of(config.rules, used_for="training")] if config.rules else []
    Manifest(
        model="asker",
        backbone=f"the encoder of {config.compiler.name}",
        licence=LICENCE,
        command=command,
        date=today(),
        data=(*learned_from, *own),
        scores=scores,
        notes=notes_of(epochs),
    ).write(folder)
    (folder / "checkpoint.pt").unlink(missing_ok=True)
    return TrainedReport(epochs=epochs, scores=scores)


def _scores(folder: Path, *, encoder: RuleEncoder, trees: Trees) -> dict[str, float]:
    """Return BLEU of the exported asker, alone and checked, and of the template beside."""
    rewrite = RewriteAsker.load(folder, encoder=encoder, template=TEMPLATE)
    askers: dict[str, Asker] = {
        "": CheckedAsker(first=rewrite, fallback=TEMPLATE),
        " unchecked": rewrite,
        " of the template": TEMPLATE,
    }
    return {
        f"{name}{which}": value
        for which, asker in askers.items()
        for name, value in bleu_of(asker, trees.held_out).items()
    }
