from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

import pytest

from clausewise.errors import RuleTextError
from clausewise.knowledge.base import KnowledgeBase
from clausewise.knowledge.store import Stored, write_store
from clausewise.progress import Item
from clausewise.types import RuleText


def write(path: Path, content: str | bytes) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(content.encode() if isinstance(content, str) else content)
    return path


def ids(base: KnowledgeBase) -> list[str]:
    return [rule.rule_id for rule in base]


def test_a_folder_is_read_with_all_below_in_the_order_of_names(tmp_path: Path) -> None:
    write(tmp_path / "b.md", "# B\nx")
    write(tmp_path / "a" / "deep" / "page.MD", "# A\nx")
    write(tmp_path / "a" / "page.trees.yaml", "rule: x")
    write(tmp_path / ".git" / "c.md", "# C\nx")
    assert ids(KnowledgeBase.open(tmp_path)) == ["a/deep/page#a", "b#b"]


def test_one_markdown_file_is_a_knowledge_base(tmp_path: Path) -> None:
    path = write(tmp_path / "page.md", "# A\n## B\nbody")
    (rule,) = KnowledgeBase.open(path).rules
    expected = RuleText(rule_id="page#b", text="## B\nbody", title="A > B", source="page.md:2")
    assert rule == expected


def test_a_json_object_is_a_knowledge_base(tmp_path: Path) -> None:
    path = write(tmp_path / "rules.json", '{"1": "one", "0": "zero"}')
    assert ids(KnowledgeBase.open(str(path))) == ["1", "0"]


def test_a_sqlite_file_is_known_by_its_content(tmp_path: Path) -> None:
    rules = (RuleText(rule_id="a", text="One"),)
    write_store(tmp_path / "any.name", Stored(rules=rules))
    assert KnowledgeBase.open(tmp_path / "any.name").rules == rules


def test_a_rule_is_found_by_its_id() -> None:
    rule = RuleText(rule_id="a", text="One")
    base = KnowledgeBase(rules=(rule,))
    assert base.rule("a") is rule
    assert ("a" in base, "b" in base, len(base)) == (True, False, 1)
    with pytest.raises(KeyError):
        base.rule("b")


def test_equal_content_means_equal_knowledge_bases(tmp_path: Path) -> None:
    write(tmp_path / "unix.md", "# A\n\nbody é\n")
    unix = KnowledgeBase.open(tmp_path)
    write(tmp_path / "unix.md", b"\xef\xbb\xbf# A\r\n\r\nbody \xc3\xa9\r\n")
    assert KnowledgeBase.open(tmp_path) == unix


def test_progress_sees_every_file(tmp_path: Path) -> None:
    write(tmp_path / "a.md", "# A\nx")
    write(tmp_path / "b.md", "# B\nx")
    seen: list[object] = []

    def watch(items: Iterable[Item], *, label: str, total: int | None = None) -> Iterable[Item]:
        listed = list(items)
        seen.extend((*listed, label, total))
        return listed

    KnowledgeBase.open(tmp_path, progress=watch)
    assert seen == ["a.md", "b.md", "Reading rules", 2]


@pytest.mark.parametrize(
    ("name", "content", "message"),
    [
        ("a.md", "", r"a\.md: is empty, expected rule texts"),
        ("a.md", " \n", r"a\.md: is empty"),
        ("a.md", "# A\n", r"holds no rule text, expected"),
        ("a.json", "{}", r"holds no rule text, expected"),
        ("a.md", b"# A\n\nno \xff here", r"a\.md:3: byte 9 \(0xff\) is no UTF-8"),
        ("a.md", b"\xef\xbb\xbfok\r\n\xe9", r"a\.md:2: byte 8 \(0xe9\) is no UTF-8"),
        ("a.md", b"# A\n\nx\0y", r"a\.md:3: holds a NUL byte, expected text"),
        ("a.md", b"\x89PNG\r\n\x1a\n\0\0", r"holds a NUL byte"),
        ("a.md", b"x" * 20_000_001, r"a\.md: is 20,000,001 bytes big, expected at most 20,000,000"),
        ("a.md", "word " * 100_000, r"a\.md:1: a rule text of 100,000 words, expected at most"),
        ("a.pdf", "text", r"a\.pdf: is no knowledge base, expected a folder"),
        ("a.db", b"SQLite format 3\0" + b"x" * 100, r"a\.db: is no knowledge base"),
    ],
)
def test_a_malformed_file_is_one_error_that_names_it(
    tmp_path: Path, name: str, content: str | bytes, message: str
) -> None:
    path = write(tmp_path / name, content)
    with pytest.raises(RuleTextError, match=message) as raised:
        KnowledgeBase.open(path)
    assert str(path) in str(raised.value)
    assert "\n" not in str(raised.value)


def test_one_malformed_file_spoils_its_folder(tmp_path: Path) -> None:
    write(tmp_path / "a.md", "# A\nfine")
    write(tmp_path / "b.md", "")
    with pytest.raises(RuleTextError, match=r"b\.md: is empty"):
        KnowledgeBase.open(tmp_path)


@pytest.mark.parametrize("name", ["none", "none.md", "none.json", "none/page.md"])
def test_a_missing_path_is_named(tmp_path: Path, name: str) -> None:
    with pytest.raises(RuleTextError, match=rf"{name}: does not exist, expected a folder"):
        KnowledgeBase.open(tmp_path / name)


def test_a_folder_without_markdown_is_an_error(tmp_path: Path) -> None:
    write(tmp_path / "notes.doc", "x")
    with pytest.raises(RuleTextError, match=r"holds no Markdown, expected a folder with \*\.md"):
        KnowledgeBase.open(tmp_path)


def test_a_folder_of_bare_headings_is_an_error(tmp_path: Path) -> None:
    write(tmp_path / "a.md", "# A")
    with pytest.raises(RuleTextError, match="holds no rule text"):
        KnowledgeBase.open(tmp_path)


def test_a_file_that_can_not_be_read_is_an_error(tmp_path: Path) -> None:
    (tmp_path / "loop.md").symlink_to("loop.md")
    with pytest.raises(RuleTextError, match=r"loop\.md: can't be read: "):
        KnowledgeBase.open(tmp_path)


def test_an_id_in_two_files_is_an_error_that_names_both(tmp_path: Path) -> None:
    write(tmp_path / "a.md", "# A {#x}\nbody")
    write(tmp_path / "b.md", "\n# B {#x}\nbody")
    with pytest.raises(RuleTextError, match=r"b\.md:2: the id 'x' is taken by a\.md:1, expected"):
        KnowledgeBase.open(tmp_path)
