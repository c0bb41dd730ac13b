from __future__ import annotations

from pathlib import Path

import pytest

from clausewise.errors import RuleTextError
from clausewise.knowledge.base import KnowledgeBase
from clausewise.knowledge.ingest import IngestReport, ingest
from clausewise.knowledge.store import Stored, StoredTree, read_store, write_store


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "rules").mkdir()
    for name in ("a", "b", "c"):
        (tmp_path / "rules" / f"{name}.md").write_text(f"# {name}\n\nbody of {name}\n")
    return tmp_path / "rules"


def tree_of(store: Path, rule_id: str, *, reviewed: bool) -> StoredTree:
    rule = KnowledgeBase.open(store).rule(rule_id)
    return StoredTree(rule_id=rule_id, json="{}", reviewed=reviewed, content_hash=rule.content_hash)


def test_a_new_knowledge_base_holds_what_was_ingested(folder: Path, tmp_path: Path) -> None:
    report = ingest([folder], into=tmp_path / "kb.db")
    assert report == IngestReport(added=("a#a", "b#b", "c#c"), changed=(), removed=(), unchanged=())
    assert KnowledgeBase.open(tmp_path / "kb.db") == KnowledgeBase.open(folder)


def test_ingesting_again_reports_what_changed(folder: Path, tmp_path: Path) -> None:
    ingest([folder], into=tmp_path / "kb.db")
    (folder / "a.md").write_text("# a\n\nother body\n")
    (folder / "b.md").unlink()
    (folder / "d.md").write_text("# d\n\nbody of d\n")
    assert ingest([folder], into=tmp_path / "kb.db") == IngestReport(
        added=("d#d",), changed=("a#a",), removed=("b#b",), unchanged=("c#c",)
    )
    assert KnowledgeBase.open(tmp_path / "kb.db") == KnowledgeBase.open(folder)


def test_ingesting_the_same_leaves_the_file_alone(folder: Path, tmp_path: Path) -> None:
    ingest([folder], into=tmp_path / "kb.db")
    inode = (tmp_path / "kb.db").stat().st_ino
    report = ingest([folder], into=tmp_path / "kb.db")
    assert report.unchanged == ("a#a", "b#b", "c#c")
    assert (tmp_path / "kb.db").stat().st_ino == inode


def test_trees_of_unchanged_rules_and_all_reviewed_trees_stay(folder: Path, tmp_path: Path) -> None:
    store = tmp_path / "kb.db"
    ingest([folder], into=store)
    reviewed = [tree_of(store, rule_id, reviewed=True) for rule_id in ("a#a", "b#b")]
    made = [tree_of(store, rule_id, reviewed=False) for rule_id in ("a#a", "b#b", "c#c")]
    write_store(store, Stored(rules=read_store(store).rules, trees=(*reviewed, *made)))
    (folder / "a.md").write_text("# a\n\nother body\n")
    (folder / "b.md").unlink()
    ingest([folder], into=store)
    assert read_store(store).trees == (*reviewed, made[2])


def test_several_paths_become_one_knowledge_base(folder: Path, tmp_path: Path) -> None:
    (tmp_path / "more.json").write_text('{"1": "one"}')
    report = ingest([folder / "a.md", tmp_path / "more.json"], into=tmp_path / "kb.db")
    assert report.added == ("a#a", "1")


def test_a_knowledge_base_can_be_ingested_into_another(folder: Path, tmp_path: Path) -> None:
    ingest([folder], into=tmp_path / "one.db")
    stored = read_store(tmp_path / "one.db")
    tree = tree_of(tmp_path / "one.db", "a#a", reviewed=True)
    write_store(tmp_path / "one.db", Stored(rules=stored.rules, trees=(tree,)))
    ingest([tmp_path / "one.db"], into=tmp_path / "two.db")
    assert read_store(tmp_path / "two.db") == read_store(tmp_path / "one.db")


def test_an_error_leaves_the_knowledge_base_as_it_was(folder: Path, tmp_path: Path) -> None:
    ingest([folder], into=tmp_path / "kb.db")
    before = (tmp_path / "kb.db").read_bytes()
    (folder / "d.md").write_bytes(b"\xff")
    with pytest.raises(RuleTextError, match=r"d\.md:1: byte 1"):
        ingest([folder], into=tmp_path / "kb.db")
    assert (tmp_path / "kb.db").read_bytes() == before


def test_the_same_rules_twice_are_an_error(folder: Path, tmp_path: Path) -> None:
    with pytest.raises(RuleTextError, match="the id 'a#a' is taken by"):
        ingest([folder, folder], into=tmp_path / "kb.db")
    assert not (tmp_path / "kb.db").exists()


def test_a_file_that_is_no_knowledge_base_is_never_overwritten(
    folder: Path, tmp_path: Path
) -> None:
    (tmp_path / "diary.txt").write_text("dear diary")
    with pytest.raises(RuleTextError, match=r"diary\.txt: is no knowledge base"):
        ingest([folder], into=tmp_path / "diary.txt")
    assert (tmp_path / "diary.txt").read_text() == "dear diary"


def test_no_paths_are_an_error(tmp_path: Path) -> None:
    with pytest.raises(RuleTextError, match="no rules were given"):
        ingest([], into=tmp_path / "kb.db")


def test_trees_can_be_given_to_be_kept(folder: Path, tmp_path: Path) -> None:
    store = tmp_path / "kb.db"
    ingest([folder], into=store)
    tree = tree_of(store, "a#a", reviewed=True)
    report = ingest([folder], into=store, trees=[tree])
    assert (report.rules, report.trees) == (3, 1)
    assert report.to_json()["unchanged"] == ("a#a", "b#b", "c#c")
    assert KnowledgeBase.open(store).trees == (tree,)
