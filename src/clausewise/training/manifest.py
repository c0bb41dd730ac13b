"""What a saved model says of itself: its data, its command, its figures, its licence.

A model without it can't be checked or trained again, so nothing is saved without one.
"""

from __future__ import annotations

import datetime
import hashlib
import json
from collections.abc import Iterable, Mapping
from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING

from clausewise.errors import DataError, Where

if TYPE_CHECKING:
    from pathlib import Path

    from clausewise.training.loop import EpochReport

FILE_NAME = "manifest.json"


@dataclass(frozen=True, slots=True, kw_only=True)
class DataFile:
    """A file that a model was trained on, or chosen by."""

    name: str
    sha256: str
    used_for: str
    """'training' or 'choosing between models'."""

    @classmethod
    def of(cls, path: Path, *, used_for: str) -> DataFile:
        """Return the entry of a file; of a folder, the hash goes over all of its files."""
        return cls(name=path.name, sha256=_digest(path), used_for=used_for)


@dataclass(frozen=True, slots=True, kw_only=True)
class Manifest:
    """The origin of a model."""

    model: str
    """What it does."""
    backbone: str
    """The pre-trained weights that training started from."""
    licence: str
    command: str
    """Trains the model again."""
    date: str
    data: tuple[DataFile, ...]
    scores: Mapping[str, float]
    """On the development set, by the same code as `clausewise evaluate`."""
    notes: tuple[str, ...] = ()
    seconds: float | None = None
    """How long the training took, without getting ready; None where nobody looked."""

    def write(self, folder: Path) -> None:
        """Write the manifest into a model's folder."""
        text = json.dumps(asdict(self), indent=2, ensure_ascii=False)
        (folder / FILE_NAME).write_text(text + "\n", "utf-8")

    @classmethod
    def read(cls, folder: Path) -> Manifest:
        """Return the manifest in a model's folder; DataError where there is none."""
        path = folder / FILE_NAME
        try:
            fields = json.loads(path.read_text("utf-8"))
            data = tuple(DataFile(**entry) for entry in fields.pop("data"))
            return cls(data=data, notes=tuple(fields.pop("notes", ())), **fields)
        except (OSError, ValueError, TypeError, KeyError) as error:
            message = f"is no manifest ({error}), expected a folder written by `clausewise train`"
            raise DataError(message, where=Where(file=str(path))) from error


def today() -> str:
    """Return the date, in UTC."""
    return datetime.datetime.now(datetime.UTC).date().isoformat()


def notes_of(epochs: Iterable[EpochReport]) -> tuple[str, ...]:
    """Return a line an epoch for a manifest."""
    return tuple(f"epoch {epoch.epoch}: loss {epoch.loss}, {epoch.seconds} s" for epoch in epochs)


def _digest(path: Path) -> str:
    digest = hashlib.sha256()
    files = sorted(file for file in path.rglob("*") if file.is_file()) if path.is_dir() else [path]
    try:
        for file in files:
            digest.update(file.read_bytes())
    except OSError as error:
        message = f"can't be read ({error.strerror}), expected a file of training data"
        raise DataError(message, where=Where(file=str(path))) from error
    return digest.hexdigest()
