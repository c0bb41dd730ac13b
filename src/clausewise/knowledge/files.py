"""Reading files that strangers wrote: every way in which one can be broken has its own sentence.

A knowledge base either loads whole or not at all, so all of this raises before anything is kept.
"""

from __future__ import annotations

from pathlib import Path

from clausewise.errors import RuleTextError, Where

MAXIMUM_BYTES = 20_000_000
MAXIMUM_WORDS = 10_000
"""More words than this are a book and not a rule: most likely a heading got lost."""


def read_bytes(path: Path) -> bytes:
    """Return the content of a file that is not too big; RuleTextError where it can't be read."""
    where = Where(file=str(path))
    try:
        size = path.stat().st_size
        if size > MAXIMUM_BYTES:
            message = f"is {size:,} bytes big, expected at most {MAXIMUM_BYTES:,}"
            raise RuleTextError(message, where=where)
        return path.read_bytes()
    except FileNotFoundError as error:
        message = "does not exist, expected a folder of Markdown, a Markdown file, JSON or SQLite"
        raise RuleTextError(message, where=where) from error
    except OSError as error:
        message = f"can't be read: {error.strerror or error}"
        raise RuleTextError(message, where=where) from error


def read_text(path: Path) -> str:
    """Return the text of a file in UTF-8, with every line ending as one line feed.

    So the text of a rule, and with it its hash, is the same whether a file was checked out on
    Windows or elsewhere.
    """
    content = read_bytes(path)
    if b"\0" in content:
        line = _line_of(content, content.index(b"\0"))
        raise RuleTextError(
            "holds a NUL byte, expected text and not a binary file",
            where=Where(file=str(path), line=line),
        )
    try:
        text = content.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        # The codec counts from behind the byte order mark, where there is one.
        start = error.start + len(content) - len(error.object)
        message = f"byte {start + 1} (0x{content[start]:02x}) is no UTF-8, expected text in UTF-8"
        where = Where(file=str(path), line=_line_of(content, start))
        raise RuleTextError(message, where=where) from error
    if not text.strip():
        raise RuleTextError("is empty, expected rule texts", where=Where(file=str(path)))
    return text.replace("\r\n", "\n").replace("\r", "\n")


def check_length(text: str, *, where: Where) -> None:
    """Raise RuleTextError if a text is too long for one rule."""
    count = len(text.split())
    if count > MAXIMUM_WORDS:
        message = f"a rule text of {count:,} words, expected at most {MAXIMUM_WORDS:,}"
        raise RuleTextError(message, where=where)


def _line_of(content: bytes, offset: int) -> int:
    before = content[:offset].replace(b"\r\n", b"\n").replace(b"\r", b"\n")
    return before.count(b"\n") + 1
