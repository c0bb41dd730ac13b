"""Where models and vectors are kept on a machine."""

from __future__ import annotations

import hashlib
import os
from pathlib import Path
from typing import TYPE_CHECKING

import clausewise

if TYPE_CHECKING:
    from collections.abc import Iterable

_CODE_OF_TREES = ("askers", "compiler", "encoder", "structure", "trees")


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
    ids = "\n".join(rule_ids)
    return _cache() / "vectors" / hashlib.sha256(ids.encode("utf-8")).hexdigest()[:16]


def tree_cache(models: Iterable[Path]) -> Path:
    """Return the folder in the user's cache for the trees that a compiler writes.

    A compiler is known by all that shapes its trees: the files of its models and its code.
    """
    package = Path(clausewise.__file__).parent
    code = (file for part in _CODE_OF_TREES for file in (package / part).rglob("*.py"))
    parts = (file for model in models for file in model.iterdir() if file.is_file())
    digest = hashlib.sha256()
    for file in (*sorted(code), *sorted(parts)):
        digest.update(hashlib.sha256(file.read_bytes()).digest())
    return _cache() / "trees" / digest.hexdigest()[:16]


def _cache() -> Path:
    return Path(os.environ.get("CLAUSEWISE_CACHE") or Path(_user_cache()) / "clausewise")


def _user_cache() -> str | Path:
    return os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache"
