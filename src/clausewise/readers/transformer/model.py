"""The network of a joint reader, read from a model folder and run without torch."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from clausewise.encoder.session import content_of, open_session
from clausewise.readers.transformer.config import ReaderModelConfig
from clausewise.readers.transformer.encode import MAX_USER_PIECES, NO_PIECE, Packed
from clausewise.readers.transformer.scores import Scores
from clausewise.readers.transformer.tokens import PieceTokenizer

if TYPE_CHECKING:
    from onnxruntime import InferenceSession

QUANTISED = "model.onnx"
FULL = "model-fp32.onnx"
"""The same without rounding: four times the size, for comparison."""
Integers = NDArray[np.int64]


class OnnxReaderModel:
    """Runs the network of a folder on one sequence at a time."""

    def __init__(
        self, session: InferenceSession, *, config: ReaderModelConfig, tokenizer: PieceTokenizer
    ) -> None:
        self._session = session
        self._inputs = [each.name for each in session.get_inputs()]
        self._outputs = [each.name for each in session.get_outputs()]
        self.config = config
        self.tokenizer = tokenizer

    @classmethod
    def load(cls, folder: Path, *, quantised: bool = True, threads: int = 1) -> OnnxReaderModel:
        """Return the network in a folder that a training wrote."""
        config = ReaderModelConfig.read(folder)
        session = open_session(
            content_of(folder / (QUANTISED if quantised else FULL)), threads=threads
        )
        return cls(session, config=config, tokenizer=PieceTokenizer.load(folder))

    def run(self, packed: Packed) -> Scores:
        """Return what the network says of a sequence."""
        inputs = _inputs(packed)
        found = self._session.run(self._outputs, {name: inputs[name] for name in self._inputs})
        said = dict(zip(self._outputs, found, strict=True))
        return Scores(
            decision=said["decision"][0],
            states=said["states"][0] if "states" in said else None,
            tokens=said["tokens"][0] if "tokens" in said else None,
            overlap=said["overlap"][0] if "overlap" in said else None,
        )


def _inputs(packed: Packed) -> dict[str, Integers]:
    said = [piece.start for piece in packed.user]
    return {
        "input_ids": np.array([packed.ids], np.int64),
        "attention_mask": np.ones((1, len(packed.ids)), np.int64),
        "user_places": np.array([[*said, *[NO_PIECE] * (MAX_USER_PIECES - len(said))]], np.int64),
        "unit_places": np.array([[piece.start for piece in packed.units]], np.int64),
        "token_units": np.array([packed.token_units], np.int64),
    }
