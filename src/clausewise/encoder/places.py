"""Where models and vectors are kept on a machine."""

from __future__ import annotations

import hashlib
import os
from pathlib import Path
from typing import TYPE_CHECKING

import clausewise

if TYPE_CHECKING:
    from collections.abc import Iterable


def shipped_model(name: str) -> Path | None:
    """Return the folder of a model that comes with Clausewise; None where it isn't there."""
    package = Path(clausewise.__file__).parent
    for folder in (package / "models" / name, package.parents[1] / "models" / name):
        if (folder / "config.json").is_file():
            return folder
    return None


def vector_cache(rule_ids: Iterable[str]) -> Path:
    """Return the folder in the user's cache for the vectors of a body of rules.

    A body of rules is known by its ids: when texts are corrected, the folder stays the same.
    """
    root = os.environ.get("CLAUSEWISE_CACHE") or Path(_user_cache()) / "clausewise"
    ids = "\n".join(rule_ids)
    return Path(root) / "vectors" / hashlib.sha256(ids.encode("utf-8")).hexdigest()[:16]


def _user_cache() -> str | Path:
    return os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache"
