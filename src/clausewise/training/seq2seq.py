"""Askers out of pre-trained sequence-to-sequence models: BART, T5 and their like, by name or path.

They are larger and slower than our own and need torch, but read better where they fit. The input
is the words to ask about, the separator, the rule text (Gao et al. 2020, DISCERN).
"""

from __future__ import annotations

import random
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import torch
from torch import Tensor
from transformers import AutoModelForSeq2SeqLM, AutoTokenizer

from clausewise.evaluation.questions import question_figures
from clausewise.progress import Progress, silent
from clausewise.training.loop import EpochReport, LoopConfig, train
from clausewise.training.manifest import DataFile, Manifest, notes_of, today
from clausewise.training.splits import Trees
from clausewise.trees.values import Span
from clausewise.types import RuleText

SEPARATOR = " [SEP] "


@dataclass(frozen=True, slots=True, kw_only=True)
class Seq2SeqConfig:
    """How a pre-trained model is made an asker."""

    model: str
    """A folder, or a name on the Hugging Face hub, as 'facebook/bart-base'."""
    trees: tuple[Path, ...]
    """Reviewed trees to learn from, relative to the data folder; some are left out (HELD_OUT)."""
    loop: LoopConfig = field(default_factory=LoopConfig)
    """How long and how fast it learns."""
    batch_size: int = 16
    """Conditions that are learned from together."""
    max_tokens: int = 256
    """Longer inputs are cut."""
    beams: int = 4
    """How many beginnings are kept while a question is written."""
    longest: int = 48
    """A question has at most so many tokens."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Seq2SeqReport:
    """What came of a training."""

    epochs: tuple[EpochReport, ...]
    scores: Mapping[str, float]
    """On the trees left out, after the last epoch."""


class Seq2SeqAsker:
    """Asks with a pre-trained model; needs torch and transformers."""

    def __init__(self, model: Any, *, tokenizer: Any, config: Seq2SeqConfig) -> None:
        self._model = model
        self._tokenizer = tokenizer
        self._config = config

    @classmethod
    def load(cls, config: Seq2SeqConfig) -> Seq2SeqAsker:
        """Return the asker of the configuration's model."""
        model = AutoModelForSeq2SeqLM.from_pretrained(config.model)
        return cls(model, tokenizer=AutoTokenizer.from_pretrained(config.model), config=config)

    @torch.no_grad()
    def ask(self, span: Span, *, rule: RuleText) -> str:
        """Return a question whose Yes means that the condition at `span` holds."""
        self._model.eval()
        given = self._tokenizer(
            source_of(span, rule.text),
            return_tensors="pt",
            truncation=True,
            max_length=self._config.max_tokens,
        ).to(self._model.device)
        written = self._model.generate(
            input_ids=given["input_ids"],
            attention_mask=given["attention_mask"],
            num_beams=self._config.beams,
            max_new_tokens=self._config.longest,
        )
        return str(self._tokenizer.decode(written[0], skip_special_tokens=True)).strip()


class Seq2SeqTask:
    """Trains a pre-trained model on people's questions."""

    def __init__(self, asker: Seq2SeqAsker, *, config: Seq2SeqConfig, trees: Trees) -> None:
        self.model = asker._model  # noqa: SLF001 - the task trains what the asker asks with
        self._tokenizer = asker._tokenizer  # noqa: SLF001
        self._asker = asker
        self._config = config
        self._held_out = trees.held_out
        self._pairs = [
            (source_of(item.span, tree.rule_text or ""), item.question)
            for tree in trees.training
            for item in tree.conditions
        ]

    def batches(self, epoch: int) -> list[list[tuple[str, str]]]:
        """Return the batches of an epoch: every condition once."""
        pairs = list(self._pairs)
        random.Random(f"{self._config.loop.seed}/{epoch}").shuffle(pairs)  # noqa: S311 - no secret
        size = self._config.batch_size
        return [pairs[start : start + size] for start in range(0, len(pairs), size)]

    def loss(self, batch: Sequence[tuple[str, str]]) -> Tensor:
        """Return the mean surprise at a token of the questions."""
        encoded = self._tokenizer(
            [source for source, _ in batch],
            text_target=[question for _, question in batch],
            return_tensors="pt",
            padding=True,
            truncation=True,
            max_length=self._config.max_tokens,
        ).to(self.model.device)
        labels = encoded["labels"]
        labels[labels == self._tokenizer.pad_token_id] = -100
        loss: Tensor = self.model(
            input_ids=encoded["input_ids"],
            attention_mask=encoded["attention_mask"],
            labels=labels,
        ).loss
        return loss

    def evaluate(self) -> Mapping[str, float]:
        """Return how near the questions come to people's, on the trees left out, in percent."""
        return question_figures(self._asker, self._held_out)


def source_of(span: Span, text: str) -> str:
    """Return what the model reads: the words to ask about, then the rule."""
    return f"{span.cut(text)}{SEPARATOR}{text}"


def train_seq2seq(
    config: Seq2SeqConfig,
    *,
    folder: Path,
    data: Path = Path(),
    command: str = "",
    progress: Progress = silent,
) -> Seq2SeqReport:
    """Train the model, save it into `folder` as transformers does, and return how it went.

    Paths in the configuration are relative to `data`. A run that was stopped is gone on with.
    """
    asker = Seq2SeqAsker.load(config)
    task = Seq2SeqTask(asker, config=config, trees=Trees.read(config.trees, data=data))
    epochs = train(task, config.loop, folder=folder, progress=progress)
    task.model.save_pretrained(folder)
    asker._tokenizer.save_pretrained(folder)  # noqa: SLF001
    Manifest(
        model="asker",
        backbone=config.model,
        licence="that of the backbone; learned from texts under CC BY-SA 3.0 and CC0",
        command=command,
        date=today(),
        data=tuple(DataFile.of(data / path, used_for="training") for path in config.trees),
        scores=epochs[-1].scores,
        notes=notes_of(epochs),
    ).write(folder)
    (folder / "checkpoint.pt").unlink(missing_ok=True)
    return Seq2SeqReport(epochs=epochs, scores=epochs[-1].scores)
