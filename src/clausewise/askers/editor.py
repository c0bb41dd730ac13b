"""E3's editor: a question is the words asked about, with some words written before and behind them.

Two recurrent decoders with attention over the rule text write those words, at most ten each (Zhong
and Zettlemoyer 2019, section 3.3). The words between stay as the rule has them, which is why such
questions are often no English; `rewrite` is better, this one is for comparison.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Literal, Protocol

import numpy as np
from numpy.typing import NDArray

from clausewise.askers.writing import BEGIN, END, UNKNOWN, Written, spelled
from clausewise.encoder.rules import to_pieces
from clausewise.encoder.session import content_of, open_session, open_tokenizer
from clausewise.errors import ConfigError, Where
from clausewise.structure.wording import Wording
from clausewise.trees.values import Span
from clausewise.types import RuleText

if TYPE_CHECKING:
    from onnxruntime import InferenceSession
    from tokenizers import Tokenizer

FORMAT = 1
LONGEST = 10
"""How many words are written at most on a side."""
AROUND = 60
"""How many words of the rule text are read on either side of those asked about."""
MAX_TOKENS = 512
Side = Literal["before", "after"]
SIDES: tuple[Side, Side] = ("before", "after")
Floats = NDArray[np.float32]
Integers = NDArray[np.int64]
_CLOSING = frozenset(".,;:!?")


@dataclass(frozen=True, slots=True, kw_only=True)
class EditorConfig:
    """What `config.json` of an editor's folder says."""

    vocabulary: tuple[str, ...]
    """The words that it can write, in the order of their numbers."""
    format: int = FORMAT

    @classmethod
    def read(cls, folder: Path) -> EditorConfig:
        """Return the configuration in a folder; ConfigError where there is none of this format."""
        path = folder / "config.json"
        try:
            fields = json.loads(path.read_text("utf-8"))
            config = cls(**{**fields, "vocabulary": tuple(fields["vocabulary"])})
        except (OSError, ValueError, TypeError, KeyError) as error:
            message = f"is no editor ({error}), expected a folder of `clausewise train editor`"
            raise ConfigError(message, where=Where(file=str(path))) from error
        if config.format != FORMAT:
            message = f"is {config.format!r}, expected {FORMAT}: train the editor again"
            raise ConfigError(message, where=Where(file=str(path), field="format"))
        return config

    def write(self, folder: Path) -> None:
        """Write `config.json` into a folder."""
        text = json.dumps(asdict(self), indent=1, ensure_ascii=False)
        (folder / "config.json").write_text(text + "\n", "utf-8")


@dataclass(frozen=True, slots=True, kw_only=True)
class EditSource:
    """What the editor reads: the words asked about among those around them."""

    wording: Wording
    first: int
    last: int
    """The words asked about are [first, last), without signs at their end."""
    ids: tuple[int, ...]
    marks: tuple[int, ...]
    """The mark of each piece's word."""
    inside: tuple[int, ...]
    """1 for the pieces of the words asked about."""

    @classmethod
    def of(cls, span: Span, *, text: str, tokenizer: Tokenizer) -> EditSource | None:
        """Return the source for a span; None where that holds no word."""
        whole = Wording.of(text)
        place = whole.place(span)
        if place is None:
            return None
        first, last = place
        while last - first > 1 and whole.words[last - 1].text in _CLOSING:
            last -= 1
        start, end = max(0, first - AROUND), last + AROUND
        wording = Wording(text=text, words=whole.words[start:end], marks=whole.marks[start:end])
        first, last = first - start, last - start
        pieces = to_pieces(wording, tokenizer=tokenizer, max_tokens=MAX_TOKENS)
        firsts = (*pieces.firsts, len(pieces.ids) - 1)
        begins, ends = (firsts[min(word, len(firsts) - 1)] for word in (first, last))
        return cls(
            wording=wording,
            first=first,
            last=last,
            ids=pieces.ids,
            marks=pieces.marks,
            inside=tuple(
                int(begins <= piece < max(ends, begins + 1)) for piece in range(len(pieces.ids))
            ),
        )

    @property
    def between(self) -> list[Written]:
        """The words asked about, as they stand in the rule."""
        return [
            Written(word=self.wording.words[place].text, place=place)
            for place in range(self.first, self.last)
        ]


class Edits(Protocol):
    """The networks behind the editor, however they are run."""

    def begin(self, source: EditSource) -> tuple[Floats, Mapping[Side, Floats]]:
        """Return what is attended to, [1, pieces, width], and each side's first state."""
        ...

    def step(
        self, side: Side, *, memory: Floats, state: Floats, word: int
    ) -> tuple[Floats, Floats]:
        """Return the scores of the next word, [vocabulary], and the next state."""
        ...


class OnnxEdits:
    """The networks of a folder, run by onnxruntime."""

    def __init__(self, *, begin: InferenceSession, steps: dict[Side, InferenceSession]) -> None:
        self._begin = begin
        self._steps = steps

    @classmethod
    def load(cls, folder: Path) -> OnnxEdits:
        """Return the networks in a folder with begin.onnx, before.onnx and after.onnx."""
        begin = open_session(content_of(folder / "begin.onnx"))
        steps = {side: open_session(content_of(folder / f"{side}.onnx")) for side in SIDES}
        return cls(begin=begin, steps=steps)

    def begin(self, source: EditSource) -> tuple[Floats, Mapping[Side, Floats]]:
        """Return what is attended to, [1, pieces, width], and each side's first state."""
        inputs = {
            "input_ids": np.array([source.ids], np.int64),
            "marks": np.array([source.marks], np.int64),
            "inside": np.array([source.inside], np.int64),
        }
        memory, *states = self._begin.run(["memory", *SIDES], inputs)
        return memory, dict(zip(SIDES, states, strict=True))

    def step(
        self, side: Side, *, memory: Floats, state: Floats, word: int
    ) -> tuple[Floats, Floats]:
        """Return the scores of the next word, [vocabulary], and the next state."""
        inputs = {"memory": memory, "state": state, "word": np.array([word], np.int64)}
        scores, after = self._steps[side].run(["scores", "next_state"], inputs)
        return scores[0], after


class EditorAsker:
    """Asks by writing words before and behind those asked about."""

    def __init__(self, edits: Edits, *, tokenizer: Tokenizer, config: EditorConfig) -> None:
        self._edits = edits
        self._tokenizer = tokenizer
        self._words = config.vocabulary
        self._numbers = {word: number for number, word in enumerate(config.vocabulary)}
        self._never = [self._numbers[BEGIN], self._numbers[UNKNOWN]]

    @classmethod
    def load(cls, folder: Path) -> EditorAsker:
        """Return the editor in a folder."""
        config = EditorConfig.read(folder)
        tokenizer = open_tokenizer(content_of(folder / "tokenizer.json"))
        return cls(OnnxEdits.load(folder), tokenizer=tokenizer, config=config)

    def ask(self, span: Span, *, rule: RuleText) -> str:
        """Return a question whose Yes means that the condition at `span` holds."""
        source = EditSource.of(span, text=rule.text, tokenizer=self._tokenizer)
        if source is None:
            return "Does this apply to you?"
        memory, states = self._edits.begin(source)
        before, after = (self._written(side, memory=memory, state=states[side]) for side in SIDES)
        words = [
            *(Written(word=word) for word in before),
            *source.between,
            *(Written(word=word) for word in after),
        ]
        return spelled(words, wording=source.wording)

    def _written(self, side: Side, *, memory: Floats, state: Floats) -> Sequence[str]:
        """Return the likeliest words of a side, one after the other."""
        written: list[str] = []
        word = self._numbers[BEGIN]
        while len(written) < LONGEST:
            scores, state = self._edits.step(side, memory=memory, state=state, word=word)
            scores = scores.copy()
            scores[self._never] = -np.inf
            word = int(np.argmax(scores))
            if self._words[word] == END:
                break
            written.append(self._words[word])
        return written
