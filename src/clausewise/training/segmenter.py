"""The segmenter learns where discourse units begin: a boundary tagger over the words of a sentence.

A few layers of a pre-trained encoder, a recurrent layer over words, one score a word (the idea of
Segbot, Li et al. 2018, as a tagger: every word is asked at once).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np
import torch
from numpy.typing import NDArray
from tokenizers import Tokenizer
from torch import Tensor, nn
from torch.nn import functional
from torch.nn.utils.rnn import pack_padded_sequence, pad_packed_sequence

from clausewise.datasets.discourse import MarkedSentence
from clausewise.encoder.units import WordPieces, stretches
from clausewise.errors import ConfigError, Where
from clausewise.evaluation.boundaries import boundary_scores
from clausewise.training.backbone import PAD_MULTIPLE, Backbone
from clausewise.training.batching import bucketed, by_length
from clausewise.training.loop import LoopConfig
from clausewise.training.rule_batches import IGNORED, filled


@dataclass(frozen=True, slots=True, kw_only=True)
class TeacherConfig:
    """A larger tagger that learns first, and what it then tells the smaller one about."""

    backbone: str = "bge-small-en-v1.5"
    """The pre-trained weights: a folder, a name inside an installed package, or one of the hub."""
    layers: int = 12
    """How many layers of the backbone are kept, the first ones."""
    recurrent: int = 192
    """The width, each way, of the recurrent layer over words; 0 leaves it out."""
    loop: LoopConfig = field(default_factory=LoopConfig)
    """How long and how fast it learns."""
    texts: tuple[Path, ...] = ()
    """Texts that nobody cut, as JSON lines; relative to the data folder."""
    sentences: int = 12_000
    """How many sentences of them an epoch of the smaller one has, others in every one."""
    trust: float = 0.5
    """How much its opinion counts, of 1, on sentences that people cut."""

    def __post_init__(self) -> None:
        if not 0 <= self.trust <= 1:
            message = f"{self.trust} is no share, expected 0 to 1"
            raise ConfigError(message, where=Where(field="trust"))


@dataclass(frozen=True, slots=True, kw_only=True)
class SegmenterConfig:
    """How the segmenter is trained."""

    backbone: str = "all-MiniLM-L6-v2"
    """The pre-trained weights: a folder, a name inside an installed package, or one of the hub."""
    documents: Path
    """Documents in discourse units, relative to the data folder; some only measure."""
    common: tuple[Path, ...] = ()
    """Texts, as JSON lines, that tell which pieces of words are common; relative to the data."""
    loop: LoopConfig = field(default_factory=LoopConfig)
    """How long and how fast it learns."""
    layers: int = 3
    """How many layers of the backbone are kept, the first ones."""
    inner: int = 1152
    """How many units the feed-forward part of a layer keeps."""
    vocabulary: int = 3_000
    """How many pieces of words are kept."""
    recurrent: int = 96
    """The width, each way, of the recurrent layer over words; 0 leaves it out."""
    dropout: float = 0.1
    """Of what the encoder makes of words."""
    batch_size: int = 32
    """Sentences that are learned from together."""
    max_tokens: int = 128
    """Longer sentences are read in stretches of this length."""
    teacher: TeacherConfig | None = None
    """A larger tagger to learn from as well (Hinton et al. 2015); without, people alone teach."""


class SegmenterNetwork(nn.Module):
    """Gives every word a score that a unit begins at it."""

    def __init__(self, backbone: Backbone, *, recurrent: int, dropout: float) -> None:
        super().__init__()
        self.backbone = backbone.network
        self.dropout = nn.Dropout(dropout)
        width = 2 * recurrent or backbone.hidden_size
        self.words = (
            nn.LSTM(backbone.hidden_size, recurrent, bidirectional=True, batch_first=True)
            if recurrent
            else None
        )
        self.out = nn.Linear(width, 1)

    def forward(
        self, input_ids: Tensor, mask: Tensor, firsts: Tensor, counts: Tensor | None = None
    ) -> Tensor:
        """Return scores [sentences, words]; `firsts` places each word's piece.

        `counts` [sentences], on the CPU, are the words of each; without, all have all.
        """
        hidden = self.backbone(input_ids=input_ids, attention_mask=mask).last_hidden_state
        places = firsts.unsqueeze(-1).expand(-1, -1, hidden.shape[-1])
        vectors = self.dropout(torch.gather(hidden, 1, places).float())
        scores: Tensor = self.out(self.dropout(self._recurrent(vectors, counts))).squeeze(-1)
        return scores

    def _recurrent(self, vectors: Tensor, counts: Tensor | None) -> Tensor:
        if self.words is None:
            return vectors
        # Not in bfloat16: it is no faster here, and not every machine has it.
        with torch.autocast(vectors.device.type, enabled=False):
            if counts is None:
                states: Tensor = self.words(vectors)[0]
                return states
            packed = pack_padded_sequence(vectors, counts, batch_first=True, enforce_sorted=False)
            padded, _ = pad_packed_sequence(
                self.words(packed)[0], batch_first=True, total_length=vectors.shape[1]
            )
            return padded


@dataclass(frozen=True, slots=True, kw_only=True)
class TaughtSentence:
    """A sentence in words, and how likely a unit begins at each: 0 or 1 where people said so."""

    words: tuple[str, ...]
    begins: tuple[float, ...]

    @classmethod
    def of(cls, sentence: MarkedSentence) -> TaughtSentence:
        """Return what people say of a sentence."""
        places = range(len(sentence.words))
        return cls(
            words=sentence.words, begins=tuple(float(place in sentence.begins) for place in places)
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class TaggedPieces:
    """A sentence, or a stretch of a long one, with what is right of each word."""

    pieces: WordPieces
    begins: tuple[float, ...]
    """How likely a unit begins; IGNORED of the first word of a sentence, which teaches nothing."""


class SegmenterTask:
    """Trains the tagger on some sentences and measures it on others.

    Of those that a teacher alone has cut, `loose`, every epoch has some.
    """

    def __init__(
        self,
        backbone: Backbone,
        *,
        config: SegmenterConfig,
        training: Sequence[TaughtSentence],
        held_out: Sequence[MarkedSentence],
        loose: Sequence[TaughtSentence] = (),
    ) -> None:
        self._config = config
        self._held_out = tuple(held_out)
        self.tokenizer = backbone.tokenizer
        self.tokenizer.no_padding()
        self.tokenizer.no_truncation()
        self.model = SegmenterNetwork(backbone, recurrent=config.recurrent, dropout=config.dropout)
        self._examples = self._tagged(training)
        self._loose = self._tagged(loose)

    def _tagged(self, sentences: Sequence[TaughtSentence]) -> list[TaggedPieces]:
        return [
            example
            for sentence in sentences
            if len(sentence.words) > 1
            for example in tagged(
                sentence, tokenizer=self.tokenizer, max_tokens=self._config.max_tokens
            )
        ]

    def batches(self, epoch: int) -> list[tuple[TaggedPieces, ...]]:
        """Return the batches of an epoch: every sentence that people cut, once, and some others."""
        examples = [*self._examples, *self._some(epoch)]
        groups = bucketed(
            [len(each.pieces.ids) for each in examples],
            size=self._config.batch_size,
            seed=f"{self._config.loop.seed}/{epoch}",
        )
        return [tuple(examples[place] for place in group) for group in groups]

    def _some(self, epoch: int) -> list[TaggedPieces]:
        """Return the next of the sentences that a teacher cut, from the first again at the end."""
        teacher = self._config.teacher
        if teacher is None or not self._loose:
            return []
        count = min(teacher.sentences, len(self._loose))
        first = epoch * count
        return [self._loose[(first + place) % len(self._loose)] for place in range(count)]

    def loss(self, batch: Sequence[TaggedPieces]) -> Tensor:
        """Return the mean binary cross-entropy of the words that teach something."""
        scores = scores_of(self.model, [each.pieces for each in batch])
        targets = _targets([each.begins for each in batch]).to(scores.device)
        known = targets != IGNORED
        return functional.binary_cross_entropy_with_logits(scores[known].float(), targets[known])

    def evaluate(self) -> Mapping[str, float]:
        """Return how well beginnings are found in the documents that only measure."""
        return boundary_scores(self.tagger(self._held_out), self._held_out)

    def tagger(self, sentences: Sequence[MarkedSentence]) -> TorchUnits:
        """Return the tagger as far as it has learned, with these sentences read at once."""
        return self.opinion([sentence.words for sentence in sentences])

    def opinion(self, sentences: Sequence[tuple[str, ...]]) -> TorchUnits:
        """Return the same for sentences in words, which nobody need have cut."""
        return TorchUnits.reading(
            sentences,
            model=self.model,
            tokenizer=self.tokenizer,
            max_tokens=self._config.max_tokens,
        )


class TorchUnits:
    """Tells where units begin of sentences that a network in torch has read."""

    def __init__(self, likely: Mapping[tuple[str, ...], NDArray[np.float32]]) -> None:
        self._likely = likely

    @classmethod
    def reading(
        cls,
        sentences: Sequence[tuple[str, ...]],
        *,
        model: SegmenterNetwork,
        tokenizer: Tokenizer,
        max_tokens: int,
        size: int = 128,
    ) -> TorchUnits:
        """Return the tagger after it has read some sentences, many at once."""
        parts = [
            (place, pieces)
            for place, words in enumerate(sentences)
            for pieces in stretches(words, tokenizer=tokenizer, max_tokens=max_tokens)
        ]
        found: list[NDArray[np.float32]] = [np.zeros(0, np.float32)] * len(parts)
        model.eval()
        with torch.no_grad():
            for group in by_length([len(pieces.ids) for _, pieces in parts], size=size):
                scores = scores_of(model, [parts[place][1] for place in group])
                chances = torch.sigmoid(scores.float()).cpu().numpy()
                for row, place in enumerate(group):
                    found[place] = chances[row, : len(parts[place][1].firsts)]
        likely = {words: np.zeros(0, np.float32) for words in sentences}
        joined: dict[int, list[NDArray[np.float32]]] = {}
        for (place, _), chances in zip(parts, found, strict=True):
            joined.setdefault(place, []).append(chances)
        likely.update({sentences[place]: np.concatenate(own) for place, own in joined.items()})
        return cls(likely)

    def begins(self, words: Sequence[str]) -> NDArray[np.float32]:
        """Return the probability that a unit begins at each word, [words]."""
        return self._likely[tuple(words)]


def tagged(
    sentence: TaughtSentence, *, tokenizer: Tokenizer, max_tokens: int
) -> list[TaggedPieces]:
    """Return a sentence ready to be learned from, in stretches where it is long."""
    wanted = (IGNORED, *sentence.begins[1:])
    place = 0
    examples = []
    for pieces in stretches(sentence.words, tokenizer=tokenizer, max_tokens=max_tokens):
        begins = wanted[place : place + len(pieces.firsts)]
        place += len(pieces.firsts)
        if any(each != IGNORED for each in begins):
            examples.append(TaggedPieces(pieces=pieces, begins=begins))
    return examples


def _targets(rows: Sequence[Sequence[float]]) -> Tensor:
    targets = torch.full((len(rows), max(map(len, rows))), float(IGNORED))
    for place, row in enumerate(rows):
        targets[place, : len(row)] = torch.tensor(row)
    return targets


def scores_of(model: SegmenterNetwork, parts: Sequence[WordPieces]) -> Tensor:
    """Return the scores of some sentences, [sentences, words]; those of filling are void."""
    device = next(model.parameters()).device
    multiple = PAD_MULTIPLE // 2
    scores: Tensor = model(
        filled([each.ids for each in parts], multiple=multiple).to(device),
        filled([[1] * len(each.ids) for each in parts], multiple=multiple).to(device),
        filled([each.firsts for each in parts]).to(device),
        torch.tensor([len(each.firsts) for each in parts]),
    )
    return scores
