"""What the network of a joint reader says, and the order in which it says it."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from clausewise.trees.values import State
from clausewise.types import Decision

DECISIONS = (Decision.YES, Decision.NO, Decision.INQUIRE)
"""What the networks tell apart, in the order of their outputs."""
STATES = (State.ENTAILED, State.CONTRADICTED, State.UNKNOWN)
"""The same of the states of units."""
UNKNOWN = STATES.index(State.UNKNOWN)
Floats = NDArray[np.float32]


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Scores:
    """The output of a network for one sequence: scores, not probabilities."""

    decision: Floats
    """[3]: of DECISIONS."""
    states: Floats | None = None
    """[units, 3]: of STATES, in systems that have them."""
    tokens: Floats | None = None
    """[tokens, 2]: start and end (EMT); [tokens, 4]: start, end, attention, value (E3)."""
    overlap: Floats | None = None
    """[3]: what overlap with the turns, with the scenario, and nothing add to a span (E3)."""


def softmax(scores: Floats) -> Floats:
    """Return probabilities out of scores, along the last axis."""
    likely = np.exp(scores - scores.max(axis=-1, keepdims=True))
    normalised: Floats = likely / likely.sum(axis=-1, keepdims=True)
    return normalised
