from __future__ import annotations

import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from clausewise.errors import RuleTextError
from clausewise.knowledge.store import Stored, StoredTree, read_store, write_store
from clausewise.types import RuleText

RULES = (
    RuleText(rule_id="b", text="Two é\n", title="T > B", source="x.md:4"),
    RuleText(rule_id="a", text="One"),
)
TREE = StoredTree(rule_id="b", json="{}", reviewed=True, content_hash=RULES[0].content_hash)
STORED = Stored(rules=RULES, trees=(TREE,))


@pytest.fixture
def path(tmp_path: Path) -> Path:
    target = tmp_path / "rules ?#.clausewise"
    write_store(target, STORED)
    return target


def change(path: Path, statement: str) -> None:
    with closing(sqlite3.connect(path)) as connection, connection:
        connection.execute(statement)


def test_what_was_written_is_read_in_its_order(path: Path) -> None:
    assert read_store(path) == STORED


def test_writing_leaves_one_file_only(path: Path) -> None:
    write_store(path, Stored(rules=RULES[:1]))
    assert read_store(path) == Stored(rules=RULES[:1])
    assert list(path.parent.iterdir()) == [path]


@pytest.mark.parametrize(
    ("statement", "message"),
    [
        ("PRAGMA application_id = 1", "is another program's SQLite file"),
        ("PRAGMA user_version = 2", "has schema version 2, expected 1"),
        ("DROP TABLE trees", "is no knowledge base"),
        ("UPDATE rules SET text = 'Three' WHERE rule_id = 'a'", "rule 'a' doesn't fit its hash"),
    ],
)
def test_a_file_that_is_not_as_we_write_it_is_refused(
    path: Path, statement: str, message: str
) -> None:
    change(path, statement)
    with pytest.raises(RuleTextError, match=message):
        read_store(path)


def test_a_torn_file_is_refused(path: Path) -> None:
    path.write_bytes(path.read_bytes()[:5000])
    with pytest.raises(RuleTextError, match="is no knowledge base"):
        read_store(path)


def test_a_target_that_can_not_be_written_is_named(tmp_path: Path) -> None:
    with pytest.raises(RuleTextError, match=r"none/kb\.db: can't be written"):
        write_store(tmp_path / "none" / "kb.db", STORED)


def test_a_failed_write_leaves_the_old_file(path: Path) -> None:
    with pytest.raises(RuleTextError, match="can't be written"):
        write_store(path, Stored(rules=(*RULES, RULES[0])))
    assert read_store(path) == STORED
    assert list(path.parent.iterdir()) == [path]
