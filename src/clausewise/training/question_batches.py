"""Follow-up questions as tensors: what the asker should write, word by word."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor

from clausewise.askers.copying import Integers, Source
from clausewise.askers.suggestion import Reading
from clausewise.askers.writing import BEGIN, END, UNKNOWN, question_words
from clausewise.training.question_network import QuestionNetwork

LONGEST = 30
"""Words of a question beyond this are not learned from."""
_NOTHING = -1
_FILLED = -2
_NEVER = -1e9


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class QuestionExample:
    """A condition and its question, as the network is taught it."""

    places: Integers
    """[words]"""
    targets: NDArray[np.int64]
    """[steps]; numbers in the vocabulary, _NOTHING where the word is not in it."""
    inputs: NDArray[np.int64]
    """[steps]; the word before, UNKNOWN where it is not in the vocabulary."""
    signs: NDArray[np.uint8]
    """[steps, words, SIGNS]"""
    taken: NDArray[np.float32]
    """[steps, words]"""
    copies: NDArray[np.bool_]
    """[steps, 2 * words]; the words and base forms that are the target."""


def vocabulary_of(asked: Iterable[tuple[Source, str]], *, at_least: int = 2) -> tuple[str, ...]:
    """Return the words that questions bring, the commonest first, after BEGIN, END and UNKNOWN.

    A word that the source has too counts a fifth: it can be copied there, elsewhere it can't.
    """
    counts: Counter[str] = Counter()
    for source, question in asked:
        for word in question_words(question):
            counts[word] += 1 if word in source.names else 5
    ordered = sorted(counts.items(), key=lambda pair: (-pair[1], pair[0]))
    words = [word for word, count in ordered if count >= 5 * at_least]
    return (BEGIN, END, UNKNOWN, *words)


def question_example(
    reading: Reading, *, question: str, numbers: Mapping[str, int]
) -> QuestionExample:
    """Return a condition with its question as an example."""
    words, source = question_words(question)[:LONGEST], reading.source
    places = source.places(first=reading.first, last=reading.last)
    own = source.numbers(words)
    steps = range(len(words) + 1)
    copies = np.zeros((len(words) + 1, 2 * len(source.words)), np.bool_)
    for step, number in enumerate(own):
        if number >= 0:
            copies[step] = np.concatenate([source.surfaces == number, source.bases == number])
    return QuestionExample(
        places=places,
        targets=np.array([*(numbers.get(word, _NOTHING) for word in words), numbers[END]]),
        inputs=np.array([numbers[BEGIN], *(numbers.get(w, numbers[UNKNOWN]) for w in words)]),
        signs=np.stack([source.signs(own[:step], places=places) for step in steps]),
        taken=np.stack([source.taken(own[:step], places=places) for step in steps]),
        copies=copies,
    )


def question_loss(
    network: QuestionNetwork, vectors: Tensor, examples: Sequence[QuestionExample]
) -> Tensor:
    """Return the mean surprise at a word.

    `vectors` [questions, words, dimensions] are those of each question's rule.
    """
    batch = _Padded.of(examples, words=vectors.shape[1])
    memory, state = network.begin(vectors, batch.places)
    scores, _ = network(
        memory,
        state,
        words=batch.inputs,
        taken=batch.taken,
        signs=batch.signs.float(),
        known=batch.known,
    )
    surprise = _surprise(scores, batch.targets, batch.copies)
    return surprise.sum() / max(1, len(surprise))


def _surprise(scores: Tensor, targets: Tensor, copies: Tensor) -> Tensor:
    """Return the surprise at every word that can be written at all."""
    own = scores.shape[-1] - copies.shape[-1]
    brought = scores[..., :own].gather(-1, targets.clamp(min=0).unsqueeze(-1)).squeeze(-1)
    brought = brought.masked_fill(targets < 0, _NEVER)
    copied = scores[..., own:].masked_fill(~copies, _NEVER).logsumexp(-1)
    either = torch.logaddexp(brought, copied)
    return -either[(targets > _FILLED) & (either > _NEVER / 2)]


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class _Padded:
    places: Tensor
    known: Tensor
    targets: Tensor
    inputs: Tensor
    signs: Tensor
    taken: Tensor
    copies: Tensor

    @classmethod
    def of(cls, examples: Sequence[QuestionExample], *, words: int) -> _Padded:
        count, steps = len(examples), max(len(each.targets) for each in examples)
        kinds = examples[0].signs.shape[2]
        padded = cls(
            places=torch.zeros((count, words), dtype=torch.long),
            known=torch.zeros((count, words), dtype=torch.bool),
            targets=torch.full((count, steps), _FILLED),
            inputs=torch.zeros((count, steps), dtype=torch.long),
            signs=torch.zeros((count, steps, words, kinds), dtype=torch.uint8),
            taken=torch.zeros((count, steps, words)),
            copies=torch.zeros((count, steps, 2 * words), dtype=torch.bool),
        )
        for row, each in enumerate(examples):
            padded._fill(row, each)
        return padded

    def _fill(self, row: int, each: QuestionExample) -> None:
        steps, words = each.signs.shape[:2]
        width = self.known.shape[1]
        self.places[row, :words] = torch.from_numpy(each.places)
        self.known[row, :words] = True
        self.targets[row, :steps] = torch.from_numpy(each.targets)
        self.inputs[row, :steps] = torch.from_numpy(each.inputs)
        self.signs[row, :steps, :words] = torch.from_numpy(each.signs)
        self.taken[row, :steps, :words] = torch.from_numpy(each.taken)
        copies = torch.from_numpy(each.copies)
        self.copies[row, :steps, :words] = copies[:, :words]
        self.copies[row, :steps, width : width + words] = copies[:, words:]
