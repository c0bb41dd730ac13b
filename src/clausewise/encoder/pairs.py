"""A cross-encoder read from a model folder: pairs of texts into probabilities of labels.

Every pair goes through the model alone: an int8 model takes the scale of its activations from the
whole input, so in a batch one pair would change what is said of its neighbour.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from clausewise.encoder.session import content_of, open_session, open_tokenizer, side_by_side
from clausewise.errors import ConfigError, Where

if TYPE_CHECKING:
    from onnxruntime import InferenceSession
    from tokenizers import Tokenizer

FORMAT = 1
REMEMBERED = 8192
"""How many pairs keep their probabilities: a dialogue asks for the same ones at every turn."""
Floats = NDArray[np.float64]


@dataclass(frozen=True, slots=True, kw_only=True)
class PairConfig:
    """What `config.json` of a cross-encoder's folder says."""

    labels: tuple[str, ...]
    """What the model tells apart, in the order of its outputs."""
    max_tokens: int
    """Longer pairs lose the end of the longer text."""
    asks_about: bool = False
    """Whether the first text may begin with the person's own question."""
    temperature: float = 1.0
    """What the model's outputs are divided by, so that its probabilities can be believed."""
    format: int = FORMAT

    @classmethod
    def read(cls, folder: Path) -> PairConfig:
        """Return the configuration in a folder; ConfigError where there is none of this format."""
        path = folder / "config.json"
        try:
            fields = json.loads(path.read_text("utf-8"))
            config = cls(**{**fields, "labels": tuple(fields["labels"])})
        except (OSError, ValueError, TypeError, KeyError) as error:
            message = f"is no cross-encoder ({error}), expected a folder of an exported model"
            raise ConfigError(message, where=Where(file=str(path))) from error
        if config.format != FORMAT:
            message = f"is {config.format!r}, expected {FORMAT}: export the model again"
            raise ConfigError(message, where=Where(file=str(path), field="format"))
        return config

    def write(self, folder: Path) -> None:
        """Write `config.json` into a folder."""
        (folder / "config.json").write_text(json.dumps(asdict(self), indent=2) + "\n", "utf-8")


class OnnxPairs:
    """Labels pairs of texts; the same pair always gets the same probabilities."""

    def __init__(
        self, session: InferenceSession, *, tokenizer: Tokenizer, config: PairConfig, name: str
    ) -> None:
        self._session = session
        self._tokenizer = tokenizer
        self.config = config
        self.name = name
        """The SHA-256 of the model."""
        self._remembered = lru_cache(maxsize=REMEMBERED)(self._label)

    @classmethod
    def load(cls, folder: Path) -> OnnxPairs:
        """Return the model in a folder with config.json, model.onnx and tokenizer.json."""
        config = PairConfig.read(folder)
        model = content_of(folder / "model.onnx")
        tokenizer = open_tokenizer(content_of(folder / "tokenizer.json"))
        tokenizer.enable_truncation(config.max_tokens)
        return cls(
            open_session(model),
            tokenizer=tokenizer,
            config=config,
            name=hashlib.sha256(model).hexdigest(),
        )

    def probabilities(self, pairs: Sequence[tuple[str, str]]) -> Floats:
        """Return the probability of each label for each pair: [pairs, labels]."""
        if not pairs:
            return np.zeros((0, len(self.config.labels)))
        return np.stack(side_by_side(lambda pair: self._remembered(*pair), pairs))

    def _label(self, first: str, second: str) -> Floats:
        encoding = self._tokenizer.encode(first, second)
        # [1, tokens]
        ids = np.array([encoding.ids], np.int64)
        inputs = {
            "input_ids": ids,
            "attention_mask": np.ones_like(ids),
            "token_type_ids": np.array([encoding.type_ids], np.int64),
        }
        (logits,) = self._session.run(["logits"], inputs)
        scaled = logits[0].astype(np.float64) / self.config.temperature
        likely: Floats = np.exp(scaled - scaled.max())
        likely /= likely.sum()
        likely.flags.writeable = False
        return likely
