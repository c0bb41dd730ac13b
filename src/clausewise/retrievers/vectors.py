"""The vectors of rule texts: encoded once, when a rule enters the index, and kept.

Encoding is by far the slowest part of building an index. The cache is a folder with the vectors of
one list of rules by one model; when rules are added or changed, only those are encoded. A cache of
another model is not used. It is memory-mapped, so opening a large one takes no time.
"""

from __future__ import annotations

import hashlib
import logging
import os
import tempfile
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Protocol

import numpy as np
from numpy.typing import NDArray

if TYPE_CHECKING:
    from collections.abc import Sequence

    from clausewise.types import RuleText

Floats = NDArray[np.float32]
Hashes = NDArray[np.bytes_]
_HASH = "S64"
log = logging.getLogger(__name__)


class Encoder(Protocol):
    """Turns texts into vectors whose inner product says how alike their meanings are."""

    @property
    def name(self) -> str:
        """What tells the vectors of this model from those of any other."""
        ...

    def encode(self, texts: Sequence[str]) -> Floats:
        """Return one vector a text, [texts, dimensions]; none depends on the other texts."""
        ...


def passage(rule: RuleText) -> str:
    """Return what is encoded of a rule: its text under its headings, as OR-ShARC has it."""
    return f"# {rule.title}\n\n{rule.text}" if rule.title else rule.text


def rule_vectors(
    rules: Sequence[RuleText], *, encoder: Encoder, cache: Path | None = None
) -> Floats:
    """Return the vectors of the rules, [rules, dimensions], in their order.

    With `cache`, a folder, vectors are taken from there as far as they are known, and kept there.
    """
    texts = [passage(rule) for rule in rules]
    if cache is None:
        return encoder.encode(texts)
    hashes = np.array([_hash(text) for text in texts], _HASH)
    known = _Known.read(cache, model=encoder.name)
    if known and np.array_equal(known.hashes, hashes):
        return known.vectors
    vectors = _completed(texts, hashes=hashes, known=known, encoder=encoder)
    try:
        _Known(hashes=hashes, vectors=vectors).write(cache, model=encoder.name)
    except OSError as error:  # a cache that can't be written costs time, nothing else
        log.warning("vectors of rules are not kept in %s: %s", cache, error)
    return vectors


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class _Known:
    """Vectors that were computed before, and the hashes of their texts."""

    hashes: Hashes
    vectors: Floats

    @classmethod
    def read(cls, folder: Path, *, model: str) -> _Known | None:
        """Return what a folder holds of a model; None where that is nothing that can be used."""
        place = folder / model[:16]
        try:
            hashes = np.load(place / "hashes.npy", allow_pickle=False)
            vectors = np.load(place / f"{_list_name(hashes)}.npy", mmap_mode="r")
        except (OSError, ValueError, EOFError):
            return None
        return cls(hashes=hashes, vectors=vectors) if len(hashes) == len(vectors) else None

    def write(self, folder: Path, *, model: str) -> None:
        """Put the vectors in place; whoever reads meanwhile sees the old ones or the new."""
        place = folder / model[:16]
        place.mkdir(parents=True, exist_ok=True)
        kept = f"{_list_name(self.hashes)}.npy"
        _replace(place / kept, self.vectors)
        _replace(place / "hashes.npy", self.hashes)
        for old in place.glob("*.npy"):
            if old.name not in (kept, "hashes.npy"):
                old.unlink(missing_ok=True)


def _completed(
    texts: Sequence[str], *, hashes: Hashes, known: _Known | None, encoder: Encoder
) -> Floats:
    found = dict(zip(known.hashes.tolist(), known.vectors, strict=True)) if known else {}
    missing = {
        digest: text
        for digest, text in zip(hashes.tolist(), texts, strict=True)
        if digest not in found
    }
    fresh = dict(zip(missing, encoder.encode(list(missing.values())), strict=True))
    rows = [found[digest] if digest in found else fresh[digest] for digest in hashes.tolist()]
    return np.array(rows, np.float32) if rows else encoder.encode([])


def _hash(text: str) -> str:
    return hashlib.sha256(text.encode("utf-8")).hexdigest()


def _list_name(hashes: Hashes) -> str:
    return f"vectors-{hashlib.sha256(hashes.tobytes()).hexdigest()[:16]}"


def _replace(path: Path, array: NDArray[np.generic]) -> None:
    handle, fresh = tempfile.mkstemp(dir=path.parent, suffix=".tmp")
    with os.fdopen(handle, "wb") as file:
        np.save(file, array, allow_pickle=False)
    Path(fresh).replace(path)
