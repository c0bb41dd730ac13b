"""Opening the parts of a model folder: graphs with onnxruntime, tokenizers with tokenizers."""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import TYPE_CHECKING, TypeVar

from clausewise.errors import ConfigError, MissingExtraError, Where

if TYPE_CHECKING:
    from onnxruntime import InferenceSession
    from tokenizers import Tokenizer

Item = TypeVar("Item")
Made = TypeVar("Made")


def open_session(model: bytes, *, threads: int = 1) -> InferenceSession:
    """Return the graph ready to run: the same input gives the same output."""
    try:
        from onnxruntime import InferenceSession, SessionOptions  # noqa: PLC0415 - 0.1 s
    except ImportError as error:
        raise MissingExtraError("A trained model", extra="dense") from error
    options = SessionOptions()
    options.intra_op_num_threads, options.inter_op_num_threads = threads, 1
    options.log_severity_level = 3
    return InferenceSession(model, options, providers=["CPUExecutionProvider"])


def open_tokenizer(source: bytes) -> Tokenizer:
    """Return a tokenizer that neither cuts nor fills up."""
    try:
        from tokenizers import Tokenizer  # noqa: PLC0415 - 0.1 s
    except ImportError as error:
        raise MissingExtraError("A trained model", extra="dense") from error
    tokenizer = Tokenizer.from_str(source.decode("utf-8"))
    tokenizer.no_padding()
    tokenizer.no_truncation()
    return tokenizer


def content_of(path: Path) -> bytes:
    """Return the bytes of a part of a model folder; ConfigError where it can't be read."""
    try:
        return path.read_bytes()
    except OSError as error:
        message = f"can't be read ({error.strerror}), expected a part of a model folder"
        raise ConfigError(message, where=Where(file=str(path))) from error


def side_by_side(make: Callable[[Item], Made], items: Sequence[Item]) -> list[Made]:
    """Return what comes of each item, made on all cores that this process may use.

    One thread an item is faster than many threads on one short text.
    """
    cores = min(_cores(), len(items))
    if cores < 2:  # threads that share a core only wait for each other
        return [make(item) for item in items]
    with ThreadPoolExecutor(cores) as threads:
        return list(threads.map(make, items))


def _cores() -> int:
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1
