"""Rule trees out of text and files: YAML as people write it, JSON lines as programs do.

A file is read whole or not at all: the first thing that is wrong ends the reading with an error
that names its file and line.
"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from clausewise.errors import TreeError, Where
from clausewise.trees.document import Reader
from clausewise.trees.nodes import Fields, Node, read_json, read_yaml

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from clausewise.trees.tree import RuleTree

MAX_FILE_BYTES = 8 * 2**20
"""The most that a YAML file may hold; the trees of a thousand rules have about two megabytes."""
MAX_LINE_BYTES = 2**20
"""The most that a line of JSON may hold."""
YAML_SUFFIXES = (".yaml", ".yml")
JSON_SUFFIXES = (".jsonl", ".ndjson")


def parse_tree(source: str, *, rule_text: str | None = None, file: str | None = None) -> RuleTree:
    """Return the tree of the one YAML document in `source`; see `RuleTree.parse`."""
    _check_size(len(source), file=file)
    reader = Reader(file=file, rule_text=rule_text)
    documents = list(read_yaml(source, file=file))
    if not documents:
        raise TreeError("no document; expected a rule tree", where=Where(file=file))
    if len(documents) > 1:
        where = Where(file=file, line=documents[1].line)
        raise TreeError("a second document begins here; expected one rule tree", where=where)
    return reader.tree(documents[0])


def from_json(source: str, *, file: str | None = None, line: int | None = None) -> RuleTree:
    """Return the tree of one JSON value, as `to_json` writes it or as a line of data/trees."""
    return Reader(file=file).tree(_annotated(read_json(source, file=file, line=line)))


def read_trees(
    path: Path | str, *, rule_texts: Mapping[str, str] | None = None
) -> tuple[RuleTree, ...]:
    """Return the rule trees of a YAML file, a file of JSON lines, or all YAML files of a folder.

    `rule_texts` gives the texts, by id, of trees that don't carry their own. Raises TreeError with
    file and line at the first thing that is wrong.
    """
    path = Path(path)
    if path.is_dir():
        files = sorted(file for file in path.rglob("*") if _is_yaml_in(file, folder=path))
        if not files:
            raise TreeError("no .yaml file in this folder", where=Where(file=str(path)))
        return tuple(tree for file in files for tree in _yaml_trees(file, rule_texts=rule_texts))
    if path.suffix in YAML_SUFFIXES:
        return tuple(_yaml_trees(path, rule_texts=rule_texts))
    if path.suffix in JSON_SUFFIXES:
        return tuple(_json_trees(path))
    expected = f"expected a folder or a file {', '.join(YAML_SUFFIXES + JSON_SUFFIXES)}"
    raise TreeError(f"no file of rule trees; {expected}", where=Where(file=str(path)))


def _is_yaml_in(file: Path, *, folder: Path) -> bool:
    hidden = any(part.startswith(".") for part in file.relative_to(folder).parts)
    return file.suffix in YAML_SUFFIXES and not hidden and file.is_file()


def _yaml_trees(path: Path, *, rule_texts: Mapping[str, str] | None) -> Iterator[RuleTree]:
    reader = Reader(file=str(path), rule_texts=rule_texts)
    documents = list(read_yaml(_decoded(_content(path), file=str(path)), file=str(path)))
    if not documents:
        raise TreeError("the file holds no rule tree", where=Where(file=str(path), line=1))
    yield from map(reader.tree, documents)


def _json_trees(path: Path) -> Iterator[RuleTree]:
    file = str(path)
    count = 0
    try:
        with path.open("rb") as lines:
            number = 0
            while line := lines.readline(MAX_LINE_BYTES + 1):
                number += 1
                if len(line) > MAX_LINE_BYTES:
                    problem = f"a line of more than {MAX_LINE_BYTES} bytes; expected one rule tree"
                    raise TreeError(problem, where=Where(file=file, line=number))
                if line.strip():
                    yield from_json(_decoded(line, file=file, line=number), file=file, line=number)
                    count += 1
    except OSError as error:
        raise _unreadable(error, file=file) from None
    if not count:
        raise TreeError("the file holds no rule tree", where=Where(file=file, line=1))


def _content(path: Path) -> bytes:
    try:
        with path.open("rb") as file:
            content = file.read(MAX_FILE_BYTES + 1)
    except OSError as error:
        raise _unreadable(error, file=str(path)) from None
    _check_size(len(content), file=str(path))
    return content


def _check_size(size: int, *, file: str | None) -> None:
    if size > MAX_FILE_BYTES:
        problem = f"more than {MAX_FILE_BYTES // 2**20} MB; expected a file of rule trees"
        raise TreeError(problem, where=Where(file=file))


def _unreadable(error: OSError, *, file: str) -> TreeError:
    return TreeError(f"can't be read: {error.strerror}", where=Where(file=file))


def _decoded(content: bytes, *, file: str, line: int | None = None) -> str:
    try:
        return content.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        bad = line or content.count(b"\n", 0, error.start) + 1
        problem = f"not UTF-8: the byte 0x{content[error.start]:02x}; expected text in UTF-8"
        raise TreeError(problem, where=Where(file=file, line=bad)) from None


def _annotated(node: Node) -> Node:
    """Return a line of data/trees, known by `rule_id`, as a document of ours.

    There `rule` is the rule text, and some fields say how the line was made.
    """
    if not isinstance(node, Fields):
        return node
    marks = {"rule_id", "source", "doubt"}
    if not marks & node.entries.keys():
        return node
    entries = {name: part for name, part in node.entries.items() if name not in marks}
    if "rule" in entries:
        entries["rule_text"] = entries.pop("rule")
    if "rule_id" in node.entries:
        entries["rule"] = node.entries["rule_id"]
    if isinstance(conditions := entries.get("conditions"), Fields):
        entries["conditions"] = _with(
            conditions, {key: _without_added(part) for key, part in conditions.entries.items()}
        )
    return _with(node, entries)


def _without_added(node: Node) -> Node:
    if not isinstance(node, Fields):
        return node
    return _with(node, {name: part for name, part in node.entries.items() if name != "added"})


def _with(node: Fields, entries: dict[str, Node]) -> Fields:
    return Fields(entries=entries, line=node.line, key_lines=dict.fromkeys(entries, node.line))
