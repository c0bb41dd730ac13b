"""Reads JSON lines and JSON arrays so that every complaint names the file, the line and the field.

Files of samples and of predictions come from strangers; a traceback from deep inside would not
tell them which of ten thousand lines to mend.
"""

from __future__ import annotations

import gzip
import json
import zlib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

from clausewise.errors import DataError, Where


@dataclass(frozen=True, slots=True, kw_only=True)
class Record:
    """One JSON object of a file, which knows where it stands."""

    fields: Mapping[str, object]
    file: str
    line: int | None = None
    """None inside a JSON array, where `prefix` counts the elements instead."""
    prefix: str = ""
    """What leads to the object: '[3]', or 'history[0]'."""

    def text(self, name: str) -> str:
        """Return the string in a field, or raise a DataError."""
        if name not in self.fields:
            raise self.error(name, "this field is missing")
        value = self.fields[name]
        if not isinstance(value, str):
            raise self.error(name, f"expected a string, not {_shown(value)}")
        if not _is_unicode(value):
            raise self.error(name, "holds half a surrogate pair, which is not a character")
        return value

    def optional_text(self, name: str) -> str | None:
        """Return the string in a field; None where the field is absent or null."""
        return None if self.fields.get(name) is None else self.text(name)

    def optional_flag(self, name: str) -> bool | None:
        """Return the truth value in a field; None where the field is absent or null."""
        value = self.fields.get(name)
        if value is None or isinstance(value, bool):
            return value
        raise self.error(name, f"expected true or false, not {_shown(value)}")

    def number(self, name: str) -> int:
        """Return the whole number in a field, or raise a DataError."""
        value = self.fields.get(name)
        if not isinstance(value, int) or isinstance(value, bool):
            raise self.error(name, f"expected a whole number, not {_shown(value)}")
        return value

    def records(self, name: str) -> tuple[Record, ...]:
        """Return the objects of a list of objects."""
        value = self.fields.get(name)
        if not isinstance(value, list):
            raise self.error(name, f"expected a list, not {_shown(value)}")
        prefix = self._path(name)
        return tuple(
            _record(item, file=self.file, line=self.line, prefix=f"{prefix}[{index}]")
            for index, item in enumerate(value)
        )

    def error(self, name: str, problem: str) -> DataError:
        """Return the error for a field of this object."""
        where = Where(file=self.file, line=self.line, field=self._path(name))
        return DataError(problem, where=where)

    def _path(self, name: str) -> str:
        return f"{self.prefix}.{name}" if self.prefix else name


def read_records(path: Path) -> Iterator[Record]:
    """Yield the objects of a file of JSON lines, packed by gzip or not, or of one JSON array."""
    text = read_text(path)
    if text.lstrip().startswith("["):
        elements = _parse(text, file=str(path), line=1)
        assert isinstance(elements, list)
        for index, element in enumerate(elements):
            yield _record(element, file=str(path), prefix=f"[{index}]")
        return
    # Not splitlines(): a line separator inside a string is legal JSON and would cut it in two.
    for number, line in enumerate(text.split("\n"), start=1):
        if line.strip():
            yield _record(_parse(line, file=str(path), line=number), file=str(path), line=number)


def read_json(path: Path) -> object:
    """Return the one JSON value that a file holds."""
    return _parse(read_text(path), file=str(path), line=1)


def read_text(path: Path) -> str:
    """Return what a file holds, packed by gzip or not; DataError where it is no UTF-8 text."""
    try:
        content = path.read_bytes()
        plain = gzip.decompress(content) if path.suffix == ".gz" else content
        return plain.decode("utf-8-sig")
    except (OSError, EOFError, zlib.error) as error:
        problem = f"can't be read: {getattr(error, 'strerror', None) or error}"
        raise DataError(problem, where=Where(file=str(path))) from error
    except UnicodeDecodeError as error:
        problem = f"is not UTF-8 text (byte {error.start})"
        raise DataError(problem, where=Where(file=str(path))) from error


def _parse(text: str, *, file: str, line: int) -> object:
    try:
        return json.loads(text)
    except json.JSONDecodeError as error:
        where = Where(file=file, line=line + error.lineno - 1, column=error.colno)
        raise DataError(f"is not JSON: {error.msg}", where=where) from error
    except (RecursionError, ValueError) as error:
        where = Where(file=file, line=line)
        raise DataError("holds JSON that is nested or sized beyond reason", where=where) from error


def _record(value: object, *, file: str, line: int | None = None, prefix: str = "") -> Record:
    if not isinstance(value, dict):
        where = Where(file=file, line=line, field=prefix or None)
        raise DataError(f"expected a JSON object, not {_shown(value)}", where=where)
    return Record(fields=value, file=file, line=line, prefix=prefix)


def _is_unicode(value: str) -> bool:
    try:
        value.encode("utf-8")
    except UnicodeEncodeError:
        return False
    return True


def _shown(value: object) -> str:
    """Return a value as JSON, shortened so that it fits into a one-line message."""
    text = json.dumps(value)
    return text if len(text) <= 40 else f"{text[:37]}..."
