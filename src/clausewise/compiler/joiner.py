"""The network that joins conditions: which must not hold, and whether `and` or `or` joins two."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Protocol

import numpy as np
from numpy.typing import NDArray

from clausewise.compiler.signs import PAIR_SIGNS, SPAN_SIGNS, LogicSigns
from clausewise.encoder.rules import EncodedRule
from clausewise.encoder.session import content_of, open_session

if TYPE_CHECKING:
    from onnxruntime import InferenceSession

Floats = NDArray[np.float32]


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Joined:
    """What the text says of its conditions, as probabilities."""

    negated: Floats
    """[conditions]; that the condition must not hold, in the text's words."""
    by_or: Floats
    """[pairs]; that the text joins the pair by 'or', in the order of the signs' pairs."""


class JoinNetwork(Protocol):
    """The network behind the compiler's logic, however it is run."""

    def join(
        self, encoded: EncodedRule, *, places: list[tuple[int, int]], signs: LogicSigns
    ) -> Joined:
        """Return what the text says of the conditions at these words."""
        ...


class OnnxJoiner:
    """The network of a folder, run by onnxruntime."""

    def __init__(self, session: InferenceSession) -> None:
        self._session = session

    @classmethod
    def load(cls, folder: Path) -> OnnxJoiner:
        """Return the network in a folder with logic.onnx."""
        return cls(open_session(content_of(folder / "logic.onnx")))

    def join(
        self, encoded: EncodedRule, *, places: list[tuple[int, int]], signs: LogicSigns
    ) -> Joined:
        """Return what the text says of the conditions at these words."""
        # A graph can't run over no pairs at all: one is made up and its result dropped.
        pairs = signs.pairs or ((0, 0),)
        joints = signs.joints or ((False,) * PAIR_SIGNS,)
        inputs = {
            "vectors": encoded.vectors,
            "summary": encoded.summary,
            "spans": np.array(places, np.int64).reshape(-1, 2),
            "span_signs": np.array(signs.spans, np.float32).reshape(-1, SPAN_SIGNS),
            "pairs": np.array(pairs, np.int64).reshape(-1, 2),
            "pair_signs": np.array(joints, np.float32).reshape(-1, PAIR_SIGNS),
        }
        negated, by_or = self._session.run(["negated", "by_or"], inputs)
        return Joined(negated=_chance(negated), by_or=_chance(by_or)[: len(signs.pairs)])


def _chance(scores: Floats) -> Floats:
    chances: Floats = (1.0 / (1.0 + np.exp(-scores))).astype(np.float32)
    return chances
