"""Vectors for passages that are too many to be encoded.

A million passages would take an encoder hours on one core. A passage's vector is the mean of its
sentences' vectors, which are encoded, plus noise that keeps passages with the same sentences
apart. Without an encoder each word gets a random direction, and texts that share words lie close.
"""

from __future__ import annotations

import zlib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import islice

import numpy as np
from numpy.typing import NDArray

from clausewise.evaluation.speed.passages import PassageSource
from clausewise.text import content_words

Vectors = NDArray[np.float32]

DIMENSIONS = 384
_BLOCK = 4096
_NOISE = 0.25
"""The length of the noise beside a sentence mean of length 1."""


def word_vectors(texts: Sequence[str]) -> Vectors:
    """Return unit vectors of texts without any model: sums of random directions of their words."""
    return np.stack([_unit(_word_sum(text)) for text in texts]).astype(np.float32)


def _word_sum(text: str) -> Vectors:
    total = np.zeros(DIMENSIONS, dtype=np.float32)
    for word in content_words(text) or (text,):
        direction = np.random.default_rng(zlib.crc32(word.encode("utf-8")))
        total += direction.standard_normal(DIMENSIONS, dtype=np.float32)
    return total


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class PassageVectors:
    """The vectors of the passages of a source, made block by block."""

    source: PassageSource
    sentences: Vectors
    """The vector of each of the source's distinct sentences."""

    def blocks(self, count: int) -> Iterator[Vectors]:
        """Return the unit vectors of the first `count` passages; the same whatever the count."""
        passages = iter(self.source.passages(count))
        block = 0
        while chunk := list(islice(passages, _BLOCK)):
            random = np.random.default_rng((self.source.seed, block, 1))
            shape = (_BLOCK, self.sentences.shape[1])
            noise = random.standard_normal(shape, dtype=np.float32)[: len(chunk)]
            means = np.stack(
                [_unit(self.sentences[list(passage.sentences)].mean(axis=0)) for passage in chunk]
            )
            yield _unit(means + noise * np.float32(_NOISE / shape[1] ** 0.5))
            block += 1


def _unit(vectors: Vectors) -> Vectors:
    norm = np.linalg.norm(vectors, axis=-1, keepdims=True)
    unit: Vectors = (vectors / np.maximum(norm, 1e-9)).astype(np.float32)
    return unit
