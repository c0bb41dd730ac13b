"""A larger tagger that learns first, so that a small one can learn from its opinion as well.

What it thinks of sentences that nobody cut is worth more to a small network than the few thousand
that somebody did (Hinton et al. 2015; Sanh et al. 2019).
"""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import torch

from clausewise.datasets.discourse import HELD_OUT_DOCUMENTS, MarkedSentence, read_documents
from clausewise.progress import Progress, silent
from clausewise.structure.layout import Kind
from clausewise.structure.passages import passages
from clausewise.structure.wording import split_words
from clausewise.training.backbone import load_backbone
from clausewise.training.loop import EpochReport, train
from clausewise.training.segmenter import (
    SegmenterConfig,
    SegmenterTask,
    TaughtSentence,
    TorchUnits,
)
from clausewise.training.smaller import with_layers
from clausewise.training.vocabulary import texts_in

TEACHER = "teacher"
"""The folder of its checkpoints, inside that of the model; it goes when all is done."""
_LINES = 100_000
_FEWEST, _MOST = 6, 80
"""Words of a sentence that is worth an opinion."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Sentences:
    """Marked sentences by what they are used for."""

    training: tuple[MarkedSentence, ...]
    held_out: tuple[MarkedSentence, ...]

    @classmethod
    def read(cls, path: Path) -> Sentences:
        """Return the sentences of a file of documents; those of HELD_OUT_DOCUMENTS only measure."""
        parts = {True: list[MarkedSentence](), False: list[MarkedSentence]()}
        for document in read_documents(path):
            parts[document.name in HELD_OUT_DOCUMENTS] += document.sentences
        return cls(training=tuple(parts[False]), held_out=tuple(parts[True]))


@dataclass(frozen=True, slots=True, kw_only=True)
class Taught:
    """What a small tagger learns from."""

    training: tuple[TaughtSentence, ...]
    """Sentences that people cut."""
    loose: tuple[TaughtSentence, ...] = ()
    """Sentences that a teacher alone has cut."""
    epochs: tuple[EpochReport, ...] = ()
    """How the teacher learned."""


def taught_by(
    config: SegmenterConfig,
    sentences: Sentences,
    *,
    folder: Path,
    data: Path,
    progress: Progress = silent,
) -> Taught:
    """Return what is learned from: people's opinion, and the teacher's where there is one."""
    people = tuple(TaughtSentence.of(sentence) for sentence in sentences.training)
    if config.teacher is None:
        return Taught(training=people)
    teacher = config.teacher
    torch.manual_seed(teacher.loop.seed)
    task = SegmenterTask(
        with_layers(load_backbone(teacher.backbone), teacher.layers),
        config=replace(config, recurrent=teacher.recurrent, loop=teacher.loop, teacher=None),
        training=people,
        held_out=sentences.held_out,
    )
    epochs = train(task, teacher.loop, folder=folder / TEACHER, progress=progress)
    texts = [text for path in teacher.texts for text in texts_in(data / path, lines=_LINES)]
    known = {one.words for one in (*sentences.training, *sentences.held_out)}
    loose = [words for words in sentences_of(texts) if words not in known]
    random.Random(config.loop.seed).shuffle(loose)  # noqa: S311 - nothing here is secret
    # Reading what no epoch gets to would take longer on a CPU than learning does.
    loose = loose[: teacher.sentences * config.loop.epochs]
    opinion = task.opinion([*(one.words for one in people), *loose])
    return Taught(
        training=tuple(_mixed(one, opinion, trust=teacher.trust) for one in people),
        loose=tuple(
            TaughtSentence(words=words, begins=tuple(opinion.begins(words).tolist()))
            for words in loose
        ),
        epochs=epochs,
    )


def sentences_of(texts: Sequence[str]) -> tuple[tuple[str, ...], ...]:
    """Return the sentences of some texts in words, each once; too short and too long ones aren't.

    List items and headings are none: those are never cut.
    """
    return tuple(dict.fromkeys(words for text in texts for words in _worth_reading(text)))


def _worth_reading(text: str) -> Iterator[tuple[str, ...]]:
    for passage in passages(text):
        words = tuple(word.text for word in split_words(passage.span.cut(text)))
        if passage.kind is Kind.PROSE and _FEWEST <= len(words) <= _MOST:
            yield words


def _mixed(sentence: TaughtSentence, opinion: TorchUnits, *, trust: float) -> TaughtSentence:
    likely = opinion.begins(sentence.words).tolist()
    begins = (
        (1 - trust) * right + trust * chance
        for right, chance in zip(sentence.begins, likely, strict=True)
    )
    return TaughtSentence(words=sentence.words, begins=tuple(begins))
