"""The asker that learned from people's questions: "you've lived here" -> "Have you lived here?".

A small network writes the question word by word, most of them copied from the rule or from what a
template suggests; beam search keeps the best few beginnings. It runs once a condition, when a
rule is compiled.
"""

from __future__ import annotations

import heapq
import json
import math
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Protocol

import numpy as np
from numpy.typing import NDArray

from clausewise.askers.copying import Integers, Signs, Source
from clausewise.askers.suggestion import Reading, read
from clausewise.askers.writing import BEGIN, END, UNKNOWN, Draft, Written, spelled
from clausewise.encoder.rules import EncodesRules
from clausewise.encoder.session import content_of, open_session
from clausewise.errors import ConfigError, Where
from clausewise.protocols import Asker
from clausewise.trees.values import Span
from clausewise.types import RuleText

if TYPE_CHECKING:
    from onnxruntime import InferenceSession

FORMAT = 1
Floats = NDArray[np.float32]
State = tuple[Floats, ...]
"""What a writer remembers, one row a beginning."""


@dataclass(frozen=True, slots=True, kw_only=True)
class RewriteConfig:
    """What `config.json` of an asker's folder says."""

    vocabulary: tuple[str, ...]
    """The words that the network can bring, in the order of their numbers."""
    beams: int = 3
    """How many beginnings are kept."""
    longest: int = 48
    """A question has at most so many words."""
    length_power: float = 0.7
    """Sums of logarithms are divided by the length to this power: 0 prefers short questions."""
    format: int = FORMAT

    @classmethod
    def read(cls, folder: Path) -> RewriteConfig:
        """Return the configuration in a folder; ConfigError where there is none of this format."""
        path = folder / "config.json"
        try:
            fields = json.loads(path.read_text("utf-8"))
            config = cls(**{**fields, "vocabulary": tuple(fields["vocabulary"])})
        except (OSError, ValueError, TypeError, KeyError) as error:
            message = f"is no asker ({error}), expected a folder of `clausewise train asker`"
            raise ConfigError(message, where=Where(file=str(path))) from error
        if config.format != FORMAT:
            message = f"is {config.format!r}, expected {FORMAT}: train the asker again"
            raise ConfigError(message, where=Where(file=str(path), field="format"))
        return config

    def write(self, folder: Path) -> None:
        """Write `config.json` into a folder."""
        text = json.dumps(asdict(self), indent=1, ensure_ascii=False)
        (folder / "config.json").write_text(text + "\n", "utf-8")


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class StepInput:
    """What a writer is told of each beginning: one row a beginning."""

    word: Integers
    """[beginnings]; the last word's number."""
    taken: Floats
    """[beginnings, words]"""
    signs: Signs
    """[beginnings, words, SIGNS]"""


class Writer(Protocol):
    """The network behind the asker, however it is run."""

    def begin(self, vectors: Floats, *, places: Integers) -> tuple[State, State]:
        """Return what stays the same while a question is written, and the first state."""
        ...

    def step(self, memory: State, state: State, *, given: StepInput) -> tuple[Floats, State]:
        """Return log-probabilities [beginnings, vocabulary + 2 * words] and the next state."""
        ...


class OnnxWriter:
    """The network of a folder, run by onnxruntime."""

    def __init__(self, *, begin: InferenceSession, step: InferenceSession) -> None:
        self._begin = begin
        self._step = step

    @classmethod
    def load(cls, folder: Path) -> OnnxWriter:
        """Return the network in a folder with begin.onnx and step.onnx."""
        begin = open_session(content_of(folder / "begin.onnx"))
        return cls(begin=begin, step=open_session(content_of(folder / "step.onnx")))

    def begin(self, vectors: Floats, *, places: Integers) -> tuple[State, State]:
        """Return what stays the same while a question is written, and the first state."""
        inputs = {"vectors": vectors[None], "places": places[None]}
        memory, attention, copy, lower, upper = self._begin.run(None, inputs)
        return (memory, attention, copy), (lower, upper)

    def step(self, memory: State, state: State, *, given: StepInput) -> tuple[Floats, State]:
        """Return log-probabilities [beginnings, vocabulary + 2 * words] and the next state."""
        inputs = {
            **dict(zip(("memory", "attention_keys", "copy_keys"), memory, strict=True)),
            **dict(zip(("lower", "upper"), state, strict=True)),
            "word": given.word,
            "taken": given.taken,
            "signs": given.signs.astype(np.float32),
        }
        scores, *after = self._step.run(None, inputs)
        return scores, tuple(after)


@dataclass(frozen=True, slots=True, kw_only=True)
class _Beginning:
    words: tuple[Written, ...] = ()
    score: float = 0.0
    row: int = 0
    """Its row in the state that it goes on from."""


class RewriteAsker:
    """Asks in words learned from people's questions."""

    def __init__(
        self, writer: Writer, *, encoder: EncodesRules, template: Asker, config: RewriteConfig
    ) -> None:
        self._writer = writer
        self._template = template
        self._encoder = encoder
        self._config = config
        self._numbers = {word: number for number, word in enumerate(config.vocabulary)}

    @classmethod
    def load(cls, folder: Path, *, encoder: EncodesRules, template: Asker) -> RewriteAsker:
        """Return the asker in a folder; encoder and template are those it was trained with."""
        config = RewriteConfig.read(folder)
        writer = OnnxWriter.load(folder)
        return cls(writer, encoder=encoder, template=template, config=config)

    def ask(self, span: Span, *, rule: RuleText) -> str:
        """Return a question whose Yes means that the condition at `span` holds."""
        draft = self.draft(span, rule=rule)
        return draft.question if draft else "Does this apply to you?"

    def draft(self, span: Span, *, rule: RuleText) -> Draft | None:
        """Return the best question; None where the span has no word that the encoder read."""
        reading = read(span, rule=rule, encoder=self._encoder, template=self._template)
        return self._written(reading) if reading else None

    def _written(self, reading: Reading) -> Draft:
        source = reading.source
        places = source.places(first=reading.first, last=reading.last)
        memory, state = self._writer.begin(reading.encoded.vectors, places=places)
        going, done = [_Beginning()], list[_Beginning]()
        for _ in range(self._config.longest):
            given = self._given(going, source=source, places=places)
            scores, state = self._writer.step(memory, _rows(state, going), given=given)
            going = self._continued(going, scores, source=source, done=done)
            if not going or self._is_settled(going, done):
                break
        best = max(done or going, key=self._goodness)
        words = best.words[:-1] if best.words[-1].word == END else best.words
        return Draft(
            question=spelled(words, wording=reading.encoded.wording),
            probability=math.exp(best.score / len(best.words)),
        )

    def _is_settled(self, going: Sequence[_Beginning], done: Sequence[_Beginning]) -> bool:
        """Say whether a finished question is better than every beginning that goes on."""
        best = max(map(self._goodness, done), default=-math.inf)
        return best >= max(map(self._goodness, going))

    def _given(self, going: Sequence[_Beginning], *, source: Source, places: Integers) -> StepInput:
        own = [source.numbers([each.word for each in one.words]) for one in going]
        last = [one.words[-1].word if one.words else BEGIN for one in going]
        unknown = self._numbers[UNKNOWN]
        return StepInput(
            word=np.array([self._numbers.get(word, unknown) for word in last], np.int64),
            taken=np.stack([source.taken(words, places=places) for words in own]),
            signs=np.stack([source.signs(words, places=places) for words in own]),
        )

    def _continued(
        self,
        going: Sequence[_Beginning],
        scores: Floats,
        *,
        source: Source,
        done: list[_Beginning],
    ) -> list[_Beginning]:
        """Return the best beginnings one word longer; those that end go to `done`."""
        longer = [
            _Beginning(words=(*one.words, word), score=one.score + score, row=row)
            for row, one in enumerate(going)
            for word, score in self._next_words(scores[row], source=source)
        ]
        kept: list[_Beginning] = []
        for one in heapq.nlargest(2 * self._config.beams, longer, key=self._goodness):
            (done if one.words[-1].word == END else kept).append(one)
        return kept[: self._config.beams]

    def _next_words(self, scores: Floats, *, source: Source) -> list[tuple[Written, float]]:
        """Return the likeliest words; what can be brought and copied counts together."""
        own = len(self._config.vocabulary)
        names = list(source.names)
        chances: dict[str, float] = defaultdict(float)
        places: dict[str, int] = {}
        for number in np.argsort(-scores, kind="stable")[:24].tolist():
            base, place = divmod(number - own, len(source.words))
            if number < own:
                name = self._config.vocabulary[number]
            else:
                name = names[int((source.bases if base else source.surfaces)[place])]
                if int(source.surfaces[place]) == source.names[name]:
                    places.setdefault(name, place)
            chances[name] += math.exp(float(scores[number]))
        chances.pop(UNKNOWN, None)
        chances.pop(BEGIN, None)
        best = heapq.nlargest(self._config.beams + 1, chances.items(), key=lambda pair: pair[1])
        return [
            (Written(word=name, place=places.get(name)), math.log(max(chance, 1e-12)))
            for name, chance in best
        ]

    def _goodness(self, one: _Beginning) -> float:
        return one.score / float(len(one.words) ** self._config.length_power)


def _rows(state: State, going: Sequence[_Beginning]) -> State:
    rows = [one.row for one in going]
    return tuple(part[rows] for part in state)
