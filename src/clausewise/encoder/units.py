"""The network that tells where discourse units begin, read from a model folder, without torch.

It reads a sentence in lower case, word by word as `structure.wording` splits them, so that text
as people write it and text that a corpus keeps in tokens look the same.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from clausewise.encoder.session import content_of, open_session, open_tokenizer
from clausewise.errors import ConfigError, Where
from clausewise.structure.wording import lowered

if TYPE_CHECKING:
    from onnxruntime import InferenceSession
    from tokenizers import Tokenizer

FORMAT = 1
REMEMBERED = 4096
"""How many sentences keep their units: a rule text is read at every turn of a dialogue."""
Floats = NDArray[np.float32]


@dataclass(frozen=True, slots=True, kw_only=True)
class UnitConfig:
    """What `config.json` of a segmenter's folder says."""

    max_tokens: int
    """Longer sentences are read in stretches of this length."""
    threshold: float = 0.5
    """A unit begins where that is at least so likely."""
    format: int = FORMAT

    @classmethod
    def read(cls, folder: Path) -> UnitConfig:
        """Return the configuration in a folder; ConfigError where there is none of this format."""
        path = folder / "config.json"
        try:
            config = cls(**json.loads(path.read_text("utf-8")))
        except (OSError, ValueError, TypeError) as error:
            message = (
                f"is no segmenter ({error}), expected a folder of `clausewise train segmenter`"
            )
            raise ConfigError(message, where=Where(file=str(path))) from error
        if config.format != FORMAT:
            message = f"is {config.format!r}, expected {FORMAT}: train the segmenter again"
            raise ConfigError(message, where=Where(file=str(path), field="format"))
        return config

    def write(self, folder: Path) -> None:
        """Write `config.json` into a folder."""
        (folder / "config.json").write_text(json.dumps(asdict(self), indent=2) + "\n", "utf-8")


@dataclass(frozen=True, slots=True, kw_only=True)
class WordPieces:
    """Some words as the network reads them."""

    ids: tuple[int, ...]
    """Of the pieces, a sign before and a sign behind."""
    firsts: tuple[int, ...]
    """For every word the place of its first piece."""


def stretches(
    words: Sequence[str], *, tokenizer: Tokenizer, max_tokens: int
) -> Iterator[WordPieces]:
    """Yield the words in pieces, at most `max_tokens` at once; a longer word is cut."""
    if not words:
        return
    encoding = tokenizer.encode([lowered(word) for word in words], is_pretokenized=True)
    opening, *body, closing = encoding.ids
    owners = encoding.word_ids[1:-1]
    own: list[list[int]] = [[] for _ in words]
    for piece, owner in zip(body, owners, strict=True):
        if owner is not None:
            own[owner].append(piece)
    room = max_tokens - 2
    ids: list[int] = [opening]
    firsts: list[int] = []
    for pieces in own:
        if firsts and len(ids) - 1 + len(pieces) > room:
            yield WordPieces(ids=(*ids, closing), firsts=tuple(firsts))
            ids, firsts = [opening], []
        # A sign that the tokenizer drops has the place of the piece before it.
        firsts.append(len(ids) if pieces else len(ids) - 1)
        ids += pieces[:room]
    yield WordPieces(ids=(*ids, closing), firsts=tuple(firsts))


class OnnxUnits:
    """Tells where units begin with the network of a folder."""

    def __init__(
        self, session: InferenceSession, *, tokenizer: Tokenizer, config: UnitConfig
    ) -> None:
        self._session = session
        self._tokenizer = tokenizer
        self.config = config
        self._remembered = lru_cache(maxsize=REMEMBERED)(self._begins)

    @classmethod
    def load(cls, folder: Path) -> OnnxUnits:
        """Return the network in a folder with config.json, model.onnx and tokenizer.json."""
        config = UnitConfig.read(folder)
        session = open_session(content_of(folder / "model.onnx"))
        tokenizer = open_tokenizer(content_of(folder / "tokenizer.json"))
        return cls(session, tokenizer=tokenizer, config=config)

    def begins(self, words: Sequence[str]) -> Floats:
        """Return the probability that a unit begins at each word, [words]."""
        return self._remembered(tuple(words))

    def _begins(self, words: tuple[str, ...]) -> Floats:
        parts = [
            self._run(pieces)
            for pieces in stretches(
                words, tokenizer=self._tokenizer, max_tokens=self.config.max_tokens
            )
        ]
        likely = np.concatenate([np.zeros(0, np.float32), *parts])
        likely.flags.writeable = False
        return likely

    def _run(self, pieces: WordPieces) -> Floats:
        # [1, pieces], [1, words]
        inputs = {
            "input_ids": np.array([pieces.ids], np.int64),
            "firsts": np.array([pieces.firsts], np.int64),
        }
        (scores,) = self._session.run(["begins"], inputs)
        likely: Floats = 1 / (1 + np.exp(-np.clip(scores[0], -30, 30)))
        return likely.astype(np.float32)
