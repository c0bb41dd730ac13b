"""A tagger that needs no model: units begin at the words it was told."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray


@dataclass(frozen=True, slots=True, kw_only=True)
class BeginsAt:
    """Says that a unit begins at certain words."""

    words: Collection[str]

    def begins(self, words: Sequence[str]) -> NDArray[np.float32]:
        return np.array([word.lower() in self.words for word in words], np.float32)
