"""Writing files so that nothing half-written stays: to a temporary file first, then renamed."""

from __future__ import annotations

import tempfile
from collections.abc import Iterable
from pathlib import Path

from clausewise.errors import InputError, Where


def write_whole(path: Path, lines: Iterable[str]) -> None:
    """Write text to a file that is afterwards complete, or as it was before."""
    try:
        with tempfile.TemporaryDirectory(prefix=f".{path.name}-", dir=path.parent) as folder:
            fresh = Path(folder) / path.name
            with fresh.open("w", encoding="utf-8") as file:
                file.writelines(lines)
            fresh.replace(path)
    except OSError as error:
        message = f"can't be written ({error.strerror}), expected a file in a folder that exists"
        raise InputError(message, where=Where(file=str(path))) from error
