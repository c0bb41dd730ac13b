"""The network that joins conditions: which must not hold, and whether `and` or `or` joins two."""

from __future__ import annotations

from collections.abc import Sequence
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
CUE_LOG_ODDS = 4.0
"""How far the logic of cue words is believed: on rules that were not learned from it is right more
often than the network, and both together more often than either."""
_EDGE = 1e-4


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Joined:
    """What the text says of its conditions, as probabilities."""

    negated: Floats
    """[conditions]; that the condition must not hold, in the text's words."""
    by_or: Floats
    """[pairs]; that the text joins the pair by 'or', in the order of the signs' pairs."""

    def with_cues(self, signs: LogicSigns) -> Joined:
        """Return the same, weighed evenly with what cue words alone say.

        A list demands of all its items that they hold, or of none.
        """
        negated = [1.0 if negated else -1.0 for negated, *_ in signs.spans]
        by_or = [float(says_or) - float(says_and) for *_, says_or, says_and in signs.joints]
        return Joined(
            negated=_alike(_weighed(self.negated, cues=negated), lists=signs.lists),
            by_or=_chance(_weighed(self.by_or, cues=by_or)),
        )


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


def _weighed(chances: Floats, *, cues: Sequence[float]) -> Floats:
    """Return the mean of the network's log odds and those of the cues."""
    sure = np.clip(chances, _EDGE, 1 - _EDGE)
    odds: Floats = (np.log(sure / (1 - sure)) + CUE_LOG_ODDS * np.array(cues, np.float32)) / 2
    return odds


def _alike(odds: Floats, *, lists: Sequence[int | None]) -> Floats:
    """Return chances that are the same for all items of a list, from the mean of their odds."""
    for number in {number for number in lists if number is not None}:
        items = [place for place, other in enumerate(lists) if other == number]
        odds[items] = odds[items].mean()
    return _chance(odds)


def _chance(scores: Floats) -> Floats:
    chances: Floats = (1.0 / (1.0 + np.exp(-scores))).astype(np.float32)
    return chances
