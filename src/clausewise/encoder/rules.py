"""Rule texts into one vector a word, shared by the compiler and the asker.

Both look at the same words, so a rule goes through the network once, whoever comes first. The
last few rules are remembered: a rule is compiled, then asked about condition by condition.
"""

from __future__ import annotations

import json
from dataclasses import asdict, dataclass
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, Protocol

import numpy as np
from numpy.typing import NDArray

from clausewise.encoder.session import content_of, open_session, open_tokenizer
from clausewise.errors import ConfigError, Where
from clausewise.structure.wording import Wording, lowered

if TYPE_CHECKING:
    from onnxruntime import InferenceSession
    from tokenizers import Tokenizer

FORMAT = 1
REMEMBERED = 16
Floats = NDArray[np.float32]


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class EncodedRule:
    """A rule text in words, with what the network makes of each."""

    wording: Wording
    vectors: Floats
    """[words, dimensions]"""
    summary: Floats
    """[dimensions]; of the whole text."""
    tags: Floats
    """[words, 6]; scores that a condition begins there, ends there, goes on; and that a word is
    outside the outcome, begins it, is inside."""
    complete: bool
    """Whether the text was read to its end; what comes behind the limit has no vectors."""


@dataclass(frozen=True, slots=True, kw_only=True)
class RuleEncoderConfig:
    """What `config.json` of a compiler's folder says of its encoder."""

    dimensions: int
    max_tokens: int = 512
    """Longer texts are cut."""
    format: int = FORMAT

    @classmethod
    def read(cls, folder: Path) -> RuleEncoderConfig:
        """Return the configuration in a folder; ConfigError where there is none of this format."""
        path = folder / "config.json"
        try:
            config = cls(**json.loads(path.read_text("utf-8")))
        except (OSError, ValueError, TypeError) as error:
            message = f"is no compiler ({error}), expected a folder of `clausewise train compiler`"
            raise ConfigError(message, where=Where(file=str(path))) from error
        if config.format != FORMAT:
            message = f"is {config.format!r}, expected {FORMAT}: train the compiler again"
            raise ConfigError(message, where=Where(file=str(path), field="format"))
        return config

    def write(self, folder: Path) -> None:
        """Write `config.json` into a folder."""
        (folder / "config.json").write_text(json.dumps(asdict(self), indent=2) + "\n", "utf-8")


class EncodesRules(Protocol):
    """Whatever gives the words of a rule text their vectors."""

    def encode(self, text: str) -> EncodedRule:
        """Return the words of a rule text with their vectors."""
        ...


class RuleEncoder:
    """Encodes rule texts with the model of a folder."""

    def __init__(
        self, session: InferenceSession, *, tokenizer: Tokenizer, config: RuleEncoderConfig
    ) -> None:
        self._session = session
        self._tokenizer = tokenizer
        self.config = config
        self._remembered = lru_cache(maxsize=REMEMBERED)(self._encoded)

    @classmethod
    def load(cls, folder: Path) -> RuleEncoder:
        """Return the encoder in a folder with config.json, encoder.onnx and tokenizer.json."""
        config = RuleEncoderConfig.read(folder)
        session = open_session(content_of(folder / "encoder.onnx"))
        tokenizer = open_tokenizer(content_of(folder / "tokenizer.json"))
        return cls(session, tokenizer=tokenizer, config=config)

    def encode(self, text: str) -> EncodedRule:
        """Return the words of a rule text with their vectors."""
        return self._remembered(text)

    def _encoded(self, text: str) -> EncodedRule:
        wording = Wording.of(text)
        pieces = to_pieces(wording, tokenizer=self._tokenizer, max_tokens=self.config.max_tokens)
        inputs = {
            "input_ids": np.array([pieces.ids], np.int64),
            "marks": np.array([pieces.marks], np.int64),
            "firsts": np.array([pieces.firsts], np.int64),
            "word_marks": np.array([wording.marks[: len(pieces.firsts)]], np.int64),
        }
        vectors, summary, tags = self._session.run(["vectors", "summary", "tags"], inputs)
        known = len(pieces.firsts)
        shown = Wording(text=text, words=wording.words[:known], marks=wording.marks[:known])
        return EncodedRule(
            wording=shown,
            vectors=vectors[0],
            summary=summary[0],
            tags=tags[0],
            complete=known == len(wording.words),
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class Pieces:
    """A wording as the network reads it."""

    ids: tuple[int, ...]
    """Of the pieces that the tokenizer cuts words into."""
    marks: tuple[int, ...]
    """The mark of each piece's word."""
    firsts: tuple[int, ...]
    """For every word the place of its first piece; shorter than the words where a text is cut."""


def to_pieces(wording: Wording, *, tokenizer: Tokenizer, max_tokens: int) -> Pieces:
    """Return the pieces of a wording: at most `max_tokens`, the first and the last are signs."""
    words = [lowered(word.text) for word in wording.words]
    encoding = tokenizer.encode(words, is_pretokenized=True)
    ids, owners = list(encoding.ids), list(encoding.word_ids)
    if len(ids) > max_tokens:
        ids, owners = [*ids[: max_tokens - 1], ids[-1]], [*owners[: max_tokens - 1], None]
    firsts: dict[int, int] = {}
    for place, owner in enumerate(owners):
        if owner is not None:
            firsts.setdefault(owner, place)
    marks = tuple(0 if owner is None else wording.marks[owner] for owner in owners)
    return Pieces(ids=tuple(ids), marks=marks, firsts=tuple(_filled(firsts)))


def _filled(firsts: dict[int, int]) -> list[int]:
    """Give a word without a piece of its own (a sign the tokenizer drops) that of its neighbour."""
    places: list[int] = []
    for word in range(max(firsts, default=-1) + 1):
        places.append(firsts.get(word, places[-1] if places else 0))
    return places
