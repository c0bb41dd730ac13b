"""An encoder read from a model folder, so that retrieval needs neither torch nor a GPU.

Every text goes through the model alone. An int8 model takes the scale of its activations from the
whole input, so in a batch the neighbours of a text would leak into its vector; alone, a text has
one vector, whatever it stands beside, and nothing is wasted on padding.
"""

from __future__ import annotations

import hashlib
import json
from dataclasses import asdict, dataclass
from functools import lru_cache
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from clausewise.encoder.session import content_of, open_session, open_tokenizer, side_by_side
from clausewise.errors import ConfigError, Where

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from onnxruntime import InferenceSession
    from tokenizers import Tokenizer

FORMAT = 1
REMEMBERED = 4096
"""How many texts keep their vectors: a dialogue asks for the same question at every turn."""
Floats = NDArray[np.float32]


@dataclass(frozen=True, slots=True, kw_only=True)
class EncoderConfig:
    """What `config.json` of an encoder's folder says."""

    dimensions: int
    max_tokens: int
    """Longer texts are cut."""
    normalised: bool = True
    """Whether vectors have length 1, so that the inner product is the cosine."""
    format: int = FORMAT

    @classmethod
    def read(cls, folder: Path) -> EncoderConfig:
        """Return the configuration in a folder; ConfigError where there is none of this format."""
        path = folder / "config.json"
        try:
            config = cls(**json.loads(path.read_text("utf-8")))
        except (OSError, ValueError, TypeError) as error:
            message = f"is no encoder ({error}), expected a folder written by `clausewise export`"
            raise ConfigError(message, where=Where(file=str(path))) from error
        if config.format != FORMAT:
            message = f"is {config.format!r}, expected {FORMAT}: export the model again"
            raise ConfigError(message, where=Where(file=str(path), field="format"))
        return config

    def write(self, folder: Path) -> None:
        """Write `config.json` into a folder."""
        (folder / "config.json").write_text(json.dumps(asdict(self), indent=2) + "\n", "utf-8")


class OnnxEncoder:
    """Encodes texts with the model of a folder; the same text always gets the same vector."""

    def __init__(
        self, session: InferenceSession, *, tokenizer: Tokenizer, config: EncoderConfig, name: str
    ) -> None:
        self._session = session
        self._tokenizer = tokenizer
        self.config = config
        self.name = name
        """The SHA-256 of the model: vectors of different models can't be compared."""
        self._remembered = lru_cache(maxsize=REMEMBERED)(self._vector)

    @classmethod
    def load(cls, folder: Path) -> OnnxEncoder:
        """Return the encoder in a folder with config.json, model.onnx and tokenizer.json."""
        config = EncoderConfig.read(folder)
        model = content_of(folder / "model.onnx")
        tokenizer = open_tokenizer(content_of(folder / "tokenizer.json"))
        tokenizer.enable_truncation(config.max_tokens)
        return cls(
            open_session(model),
            tokenizer=tokenizer,
            config=config,
            name=hashlib.sha256(model).hexdigest(),
        )

    @property
    def dimensions(self) -> int:
        """The length of a vector."""
        return self.config.dimensions

    def encode(self, texts: Sequence[str]) -> Floats:
        """Return one vector a text, [texts, dimensions]."""
        if not texts:
            return np.zeros((0, self.dimensions), np.float32)
        return np.stack(side_by_side(self._remembered, texts))

    def remember(self, texts: Sequence[str]) -> None:
        """Encode the texts, so that the latest of them are at hand."""
        self.encode(texts)

    def _vector(self, text: str) -> Floats:
        # [1, tokens]
        ids = np.array([self._tokenizer.encode(text).ids], np.int64)
        inputs = {"input_ids": ids, "attention_mask": np.ones_like(ids)}
        (pooled,) = self._session.run(["embedding"], inputs)
        vector: Floats = pooled[0].astype(np.float32)
        if self.config.normalised:
            vector /= max(float(np.linalg.norm(vector)), 1e-12)
        vector.flags.writeable = False
        return vector
