"""The knowledge base as one SQLite file, as `clausewise ingest` writes it.

One file is easy to copy, back up and hand over, and it keeps beside the rules what people and the
compiler made of them: their rule trees, here as JSON whose meaning this module need not know.
A file is written whole beside its target and then put in its place, so nobody ever reads half.
"""

from __future__ import annotations

import sqlite3
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import closing, contextmanager
from dataclasses import dataclass
from pathlib import Path

from clausewise.errors import RuleTextError, Where
from clausewise.types import RuleText

MAGIC = b"SQLite format 3\0"
APPLICATION_ID = 0x434C_5753  # "CLWS", so that other programs' files are told apart
SCHEMA_VERSION = 1

_SCHEMA = f"""
PRAGMA application_id = {APPLICATION_ID};
PRAGMA user_version = {SCHEMA_VERSION};
CREATE TABLE rules (
    rule_id TEXT PRIMARY KEY,
    text TEXT NOT NULL,
    title TEXT NOT NULL,
    source TEXT NOT NULL,
    content_hash TEXT NOT NULL,
    position INTEGER NOT NULL UNIQUE
);
CREATE TABLE trees (
    rule_id TEXT NOT NULL,
    json TEXT NOT NULL,
    reviewed INTEGER NOT NULL CHECK (reviewed IN (0, 1)),
    content_hash TEXT NOT NULL
);
CREATE INDEX trees_by_content ON trees (content_hash);
"""


@dataclass(frozen=True, slots=True, kw_only=True)
class StoredTree:
    """A rule tree as it is kept beside its rule."""

    rule_id: str
    json: str
    reviewed: bool
    """Whether a person wrote or checked it."""
    content_hash: str
    """Of the rule text that it was made for: another hash means that the rule has changed."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Stored:
    """All that a knowledge base holds."""

    rules: tuple[RuleText, ...]
    trees: tuple[StoredTree, ...] = ()


def read_store(path: Path) -> Stored:
    """Return what a SQLite knowledge base holds; RuleTextError where it is none of ours."""
    with _opened(path) as connection:
        _check_is_ours(connection, path=path)
        rows = connection.execute(
            "SELECT rule_id, text, title, source, content_hash FROM rules ORDER BY position"
        ).fetchall()
        trees = connection.execute(
            "SELECT rule_id, json, reviewed, content_hash FROM trees ORDER BY rowid"
        ).fetchall()
    return Stored(
        rules=tuple(_rule(row, path=path) for row in rows),
        trees=tuple(
            StoredTree(rule_id=rule_id, json=json, reviewed=bool(reviewed), content_hash=of)
            for rule_id, json, reviewed, of in trees
        ),
    )


def write_store(path: Path, stored: Stored) -> None:
    """Write a knowledge base, in place of the file that may stand there."""
    try:
        with tempfile.TemporaryDirectory(prefix=f".{path.name}-", dir=path.parent) as folder:
            fresh = Path(folder) / path.name
            with closing(sqlite3.connect(fresh)) as connection, connection:
                _fill(connection, stored)
            fresh.replace(path)
    except (OSError, sqlite3.Error) as error:
        reason = error.strerror if isinstance(error, OSError) else error
        message = f"can't be written ({reason}), expected a file in a folder that exists"
        raise RuleTextError(message, where=Where(file=str(path))) from error


def _fill(connection: sqlite3.Connection, stored: Stored) -> None:
    connection.executescript(_SCHEMA)
    connection.executemany(
        "INSERT INTO rules VALUES (?, ?, ?, ?, ?, ?)",
        (
            (rule.rule_id, rule.text, rule.title, rule.source, rule.content_hash, position)
            for position, rule in enumerate(stored.rules)
        ),
    )
    connection.executemany(
        "INSERT INTO trees VALUES (?, ?, ?, ?)",
        ((tree.rule_id, tree.json, tree.reviewed, tree.content_hash) for tree in stored.trees),
    )


@contextmanager
def _opened(path: Path) -> Iterator[sqlite3.Connection]:
    try:
        uri = f"{path.resolve().as_uri()}?mode=ro"
        with closing(sqlite3.connect(uri, uri=True)) as connection:
            yield connection
    except sqlite3.Error as error:
        message = f"is no knowledge base ({error}), expected a file made by clausewise ingest"
        raise RuleTextError(message, where=Where(file=str(path))) from error


def _check_is_ours(connection: sqlite3.Connection, *, path: Path) -> None:
    (application_id,) = connection.execute("PRAGMA application_id").fetchone()
    (version,) = connection.execute("PRAGMA user_version").fetchone()
    if application_id != APPLICATION_ID:
        message = "is another program's SQLite file, expected one made by clausewise ingest"
        raise RuleTextError(message, where=Where(file=str(path)))
    if version != SCHEMA_VERSION:
        message = (
            f"has schema version {version}, expected {SCHEMA_VERSION}: it was made by another "
            "version of Clausewise, ingest the rules again"
        )
        raise RuleTextError(message, where=Where(file=str(path)))


def _rule(row: Sequence[str], *, path: Path) -> RuleText:
    rule_id, text, title, source, content_hash = row
    rule = RuleText(rule_id=rule_id, text=text, title=title, source=source)
    if rule.content_hash != content_hash:
        message = f"the text of rule {rule_id!r} doesn't fit its hash, ingest the rules again"
        raise RuleTextError(message, where=Where(file=str(path)))
    return rule
