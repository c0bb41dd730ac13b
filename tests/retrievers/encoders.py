"""A small encoder for tests: texts are alike as far as they share words."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from clausewise.text import normalised, stem


class HashedWords:
    """Adds up a random direction a word; counts how often it was asked."""

    dimensions = 256

    def __init__(self, name: str = "hashed words") -> None:
        self.name = name
        self.encoded: list[str] = []

    def encode(self, texts: Sequence[str]) -> NDArray[np.float32]:
        self.encoded += texts
        vectors = [self._vector(text) for text in texts]
        return np.array(vectors, np.float32).reshape(len(texts), self.dimensions)

    def _vector(self, text: str) -> NDArray[np.float32]:
        words = {stem(word) for word in normalised(text).split() if len(word) > 2} or {text}
        total = np.sum([self._direction(word) for word in sorted(words)], axis=0)
        vector: NDArray[np.float32] = (total / np.linalg.norm(total)).astype(np.float32)
        return vector

    def _direction(self, word: str) -> NDArray[np.float64]:
        seed = int.from_bytes(hashlib.sha256(f"{self.name} {word}".encode()).digest()[:8], "big")
        return np.random.default_rng(seed).normal(size=self.dimensions)
