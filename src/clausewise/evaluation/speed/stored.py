"""Rule texts that are read from disk one by one, as a body too large for memory needs it."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import overload

import numpy as np

from clausewise.types import RuleText


class StoredRules(Sequence[RuleText]):
    """Rules whose ids are their numbers; a rule is read when it is looked at."""

    def __init__(self, folder: Path) -> None:
        # A plain view: memmap's own slicing is several times slower.
        self._text = np.asarray(np.memmap(folder / "texts.bin", dtype=np.uint8, mode="r"))
        self._ends = np.asarray(np.load(folder / "ends.npy", mmap_mode="r"))
        self.fingerprint = (folder / "fingerprint").read_text("ascii")

    @classmethod
    def write(cls, folder: Path, *, texts: Iterable[str]) -> StoredRules:
        """Write the texts into a folder and return them."""
        folder.mkdir(parents=True, exist_ok=True)
        digest, ends, end = hashlib.sha256(), [], 0
        with (folder / "texts.bin").open("wb") as file:
            for text in texts:
                data = text.encode("utf-8")
                digest.update(data + b"\0")
                end += file.write(data)
                ends.append(end)
        np.save(folder / "ends.npy", np.array(ends, np.int64))
        (folder / "fingerprint").write_text(digest.hexdigest(), "ascii")
        return cls(folder)

    def __len__(self) -> int:
        return len(self._ends)

    @overload
    def __getitem__(self, place: int) -> RuleText: ...
    @overload
    def __getitem__(self, place: slice) -> Sequence[RuleText]: ...
    def __getitem__(self, place: int | slice) -> RuleText | Sequence[RuleText]:
        if isinstance(place, slice):
            return [self[number] for number in range(len(self))[place]]
        number = range(len(self._ends))[place]
        start = self._ends[number - 1] if number else 0
        text = self._text[start : self._ends[number]].tobytes().decode("utf-8")
        return RuleText(rule_id=str(number), text=text)
