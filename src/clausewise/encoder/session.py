"""Opening the parts of a model folder: graphs with onnxruntime, tokenizers with tokenizers."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from clausewise.errors import ConfigError, MissingExtraError, Where

if TYPE_CHECKING:
    from onnxruntime import InferenceSession
    from tokenizers import Tokenizer


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
