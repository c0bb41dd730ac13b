"""The asker learns on its own: from people's questions, over an encoder that no longer changes.

`clausewise train compiler` trains an asker beside the compiler; this trains one anew, for other
questions or another width, without touching the compiler that uses the same encoder.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

import torch
from torch import Tensor

from clausewise.askers.rewrite import RewriteAsker, RewriteConfig
from clausewise.encoder.rules import RuleEncoder
from clausewise.evaluation.compiling import question_bleu
from clausewise.progress import Progress, silent
from clausewise.training.batching import bucketed
from clausewise.training.compiler_run import CompilerTrainingReport, own_trees
from clausewise.training.loop import LoopConfig, train
from clausewise.training.manifest import DataFile, Manifest, today
from clausewise.training.question_batches import (
    QuestionExample,
    question_examples,
    question_loss,
    vocabulary_of,
)
from clausewise.training.question_network import QuestionNetwork
from clausewise.training.rule_examples import RuleExample, example_of
from clausewise.training.rule_export import export_questions
from clausewise.training.rule_torch import TorchWriter
from clausewise.training.run import LICENCE
from clausewise.training.splits import Trees
from clausewise.trees.tree import RuleTree
from clausewise.types import RuleText


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


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class AskerBatch:
    """Conditions of some rules with their questions, and the vectors of the rules' words."""

    vectors: Tensor
    """[questions, words, dimensions]"""
    questions: tuple[QuestionExample, ...]


class AskerTask:
    """Trains an asker on reviewed trees and measures it on those left out."""

    def __init__(self, encoder: RuleEncoder, *, config: AskerConfig, trees: Trees) -> None:
        self._encoder = encoder
        self._config = config
        self._held_out = trees.held_out
        examples = [example for tree in trees.training if (example := self._read(tree))]
        self.asker_config = RewriteConfig(vocabulary=vocabulary_of(examples))
        numbers = {word: number for number, word in enumerate(self.asker_config.vocabulary)}
        self._questions = [
            (example.wording.text, question)
            for example in examples
            for question in question_examples(example, numbers=numbers)
        ]
        self.model = QuestionNetwork(
            dimensions=encoder.config.dimensions,
            vocabulary=len(self.asker_config.vocabulary),
            width=config.width,
        )
        self._vectors = {
            example.wording.text: torch.from_numpy(encoder.encode(example.wording.text).vectors)
            for example in examples
        }

    def _read(self, tree: RuleTree) -> RuleExample | None:
        """Return what a tree teaches; None where the encoder doesn't read its text to the end."""
        complete = self._encoder.encode(tree.rule_text or "").complete
        return example_of(tree) if complete else None

    def batches(self, epoch: int) -> list[AskerBatch]:
        """Return the batches of an epoch: every condition once."""
        lengths = [len(question.targets) for _, question in self._questions]
        seed = f"{self._config.loop.seed}/{epoch}"
        groups = bucketed(lengths, size=self._config.batch_size, seed=seed)
        return [self._batch([self._questions[place] for place in group]) for group in groups]

    def _batch(self, chosen: Sequence[tuple[str, QuestionExample]]) -> AskerBatch:
        vectors = [self._vectors[text] for text, _ in chosen]
        padded = torch.nn.utils.rnn.pad_sequence(vectors, batch_first=True)
        return AskerBatch(vectors=padded, questions=tuple(question for _, question in chosen))

    def loss(self, batch: AskerBatch) -> Tensor:
        """Return the mean surprise at a word of the questions."""
        with torch.autocast("cpu", enabled=False):
            return question_loss(self.model, batch.vectors, batch.questions)

    def evaluate(self) -> Mapping[str, float]:
        """Return BLEU against the questions of the trees left out."""
        asker = RewriteAsker(
            TorchWriter(self.model), encoder=self._encoder, config=self.asker_config
        )
        return bleu_of(asker, self._held_out)


def bleu_of(asker: RewriteAsker, trees: Sequence[RuleTree]) -> dict[str, float]:
    """Return BLEU of the questions about the trees' own spans."""
    written = []
    for tree in trees:
        rule = RuleText(rule_id=tree.rule_id or "rule", text=tree.rule_text or "")
        written += [(asker.ask(item.span, rule=rule), item.question) for item in tree.conditions]
    bleu = question_bleu(written)
    return {"BLEU-1": bleu[0], "BLEU-4": bleu[3]}


def train_asker(
    config: AskerConfig,
    *,
    folder: Path,
    data: Path = Path(),
    command: str = "",
    progress: Progress = silent,
) -> CompilerTrainingReport:
    """Train an asker, save it into `folder`, and return how it went."""
    torch.manual_seed(config.loop.seed)
    encoder = RuleEncoder.load(config.compiler)
    trees = Trees.read(config.trees, data=data, own=own_trees(config.rules))
    task = AskerTask(encoder, config=config, trees=trees)
    epochs = train(task, config.loop, folder=folder, progress=progress)
    dimensions = encoder.config.dimensions
    export_questions(task.model, folder=folder, dimensions=dimensions)
    task.asker_config.write(folder)
    scores = bleu_of(RewriteAsker.load(folder, encoder=encoder), trees.held_out)
    Manifest(
        model="asker",
        backbone=f"the encoder of {config.compiler.name}",
        licence=LICENCE,
        command=command,
        date=today(),
        data=tuple(DataFile.of(data / path, used_for="training") for path in config.trees),
        scores=scores,
    ).write(folder)
    (folder / "checkpoint.pt").unlink()
    return CompilerTrainingReport(epochs=epochs, scores=scores)
