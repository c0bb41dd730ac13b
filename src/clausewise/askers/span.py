"""Finds the words of the retrieved rule texts to ask about next, as MUDERN does.

A network reads the dialogue and as many whole rule texts as fit, sentence by sentence, and gives
every token of them a score that the span starts there and one that it ends there; start and end
must belong to one sentence (Gao et al. 2021, section 4.2.3, equation 12).
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Protocol

import numpy as np
from numpy.typing import NDArray

from clausewise.encoder.session import content_of, open_session
from clausewise.errors import ConfigError, Where
from clausewise.structure.passages import without_marker
from clausewise.trees.values import Span
from clausewise.types import Dialogue, FoundSpan, Hit, RuleText

if TYPE_CHECKING:
    from onnxruntime import InferenceSession

FORMAT = 1
Floats = NDArray[np.float32]


class Sentence(Protocol):
    """The tokens [start, end) of a sentence of a rule text."""

    @property
    def start(self) -> int:
        """The place of its first token, or of the sign before it."""
        ...

    @property
    def end(self) -> int:
        """The place behind its last token."""
        ...

    @property
    def rule(self) -> int:
        """Which of the rule texts it is from, counted from 0."""
        ...


class TextsInTokens(Protocol):
    """A dialogue and rule texts as one sequence of tokens."""

    @property
    def ids(self) -> tuple[int, ...]:
        """The tokens."""
        ...

    @property
    def offsets(self) -> tuple[tuple[int, int], ...]:
        """For a token of a rule text its characters there; (0, 0) for all others."""
        ...

    @property
    def units(self) -> Sequence[Sentence]:
        """The sentences of the rule texts."""
        ...


class PacksTexts(Protocol):
    """Whatever makes one sequence of a dialogue and rule texts; it cuts them at sentences."""

    def pack(self, dialogue: Dialogue, *, rules: Sequence[RuleText]) -> TextsInTokens:
        """Return the sequence of a dialogue and as many of the rule texts, best first, as fit."""
        ...


class ScoresSpans(Protocol):
    """The network behind the finder, however it is run."""

    def scores(self, ids: Sequence[int]) -> Floats:
        """Return the scores of every token that a span starts and that it ends there, [ids, 2]."""
        ...


@dataclass(frozen=True, slots=True, kw_only=True)
class SpanModelConfig:
    """What `config.json` of a span finder's folder says."""

    max_tokens: int = 512
    """The longest sequence."""
    format: int = FORMAT

    @classmethod
    def read(cls, folder: Path) -> SpanModelConfig:
        """Return the configuration in a folder; ConfigError where there is none of this format."""
        path = folder / "config.json"
        try:
            config = cls(**json.loads(path.read_text("utf-8")))
        except (OSError, ValueError, TypeError) as error:
            message = f"is no span finder ({error}), expected a folder of `clausewise train span`"
            raise ConfigError(message, where=Where(file=str(path))) from error
        if config.format != FORMAT:
            message = f"is {config.format!r}, expected {FORMAT}: train the span finder again"
            raise ConfigError(message, where=Where(file=str(path), field="format"))
        return config

    def write(self, folder: Path) -> None:
        """Write `config.json` into a folder."""
        (folder / "config.json").write_text(json.dumps(asdict(self), indent=2) + "\n", "utf-8")


class OnnxSpans:
    """A network run by onnxruntime."""

    def __init__(self, session: InferenceSession) -> None:
        self._session = session

    @classmethod
    def load(cls, file: Path) -> OnnxSpans:
        """Return the network in a file."""
        return cls(open_session(content_of(file)))

    def scores(self, ids: Sequence[int]) -> Floats:
        """Return the scores of every token that a span starts and that it ends there, [ids, 2]."""
        (scores,) = self._session.run(["spans"], {"input_ids": np.array([ids], np.int64)})
        found: Floats = scores[0]
        return found


@dataclass(frozen=True, slots=True, kw_only=True)
class NeuralSpanFinder:
    """Finds spans with a network."""

    network: ScoresSpans
    packer: PacksTexts

    def find(self, dialogue: Dialogue, *, hits: Sequence[Hit]) -> FoundSpan:
        """Return a span that is not empty, in one of the hits, of which there is at least one."""
        rules = [hit.rule for hit in hits]
        packed = self.packer.pack(dialogue, rules=rules)
        return found_span(self.network.scores(packed.ids), packed, rules=rules)


def found_span(scores: Floats, packed: TextsInTokens, *, rules: Sequence[RuleText]) -> FoundSpan:
    """Return the best span by the scores [tokens, 2]; `rules` are those that were packed.

    Where no rule text has a token in the sequence, it is all of the first.
    """
    best = max(_best_of_sentences(scores, packed), key=lambda each: each.score, default=None)
    if best is None:
        return FoundSpan(rule=rules[0], span=Span(start=0, end=len(rules[0].text)))
    rule = rules[best.rule]
    span = Span(start=packed.offsets[best.first][0], end=packed.offsets[best.last][1])
    bare = without_marker(span, text=rule.text)
    return FoundSpan(rule=rule, span=bare if bare.start < bare.end else span)


@dataclass(frozen=True, slots=True, kw_only=True)
class _Best:
    score: float
    rule: int
    first: int
    last: int


def _best_of_sentences(scores: Floats, packed: TextsInTokens) -> Iterator[_Best]:
    for sentence in packed.units:
        own = [
            place
            for place in range(sentence.start, sentence.end)
            if packed.offsets[place][0] < packed.offsets[place][1]
        ]
        if not own:
            continue
        starts, ends = scores[own, 0], scores[own, 1]
        # The best start at or before each end, and so the best pair: linear, not quadratic.
        sums = np.maximum.accumulate(starts) + ends
        last = int(np.argmax(sums))
        yield _Best(
            score=float(sums[last]),
            rule=sentence.rule,
            first=own[int(np.argmax(starts[: last + 1]))],
            last=own[last],
        )
