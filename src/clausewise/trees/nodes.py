"""YAML and JSON as nodes that remember their lines, in which every scalar is the text people wrote.

YAML's own loaders turn `no`, `on` or `1-03` into something else, forget the lines, take the last of
two equal keys and follow aliases that grow without bound. Nothing of that happens here: nodes are
built from the parser's events, one by one, and nothing is ever constructed from a tag.
"""

from __future__ import annotations

import json
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import yaml

from clausewise.errors import TreeError, Where

if TYPE_CHECKING:
    from collections.abc import Iterator

MAX_DEPTH = 20
"""How deep a document may nest; a rule tree needs six levels."""
_LOADER = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
"""The parser in C, where PyYAML was built with it, is ten times as fast."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Text:
    """A scalar, as it was written."""

    text: str
    line: int | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Items:
    """A sequence."""

    items: tuple[Node, ...]
    line: int | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Fields:
    """A mapping from texts to nodes, in its order."""

    entries: dict[str, Node]
    line: int | None
    key_lines: dict[str, int | None] = field(default_factory=dict)
    """The line of every key."""


Node = Text | Items | Fields


def describe(node: Node) -> str:
    """Return what the node is, for a message that expected something else."""
    match node:
        case Text(text=text):
            return repr(text if len(text) <= 60 else f"{text[:57]}...") if text else "nothing"
        case Items():
            return "a list"
        case Fields():
            return "a mapping"


def read_yaml(source: str, *, file: str | None) -> Iterator[Node]:
    """Yield one node a document; raises TreeError with the line of what can't be read."""
    builder = _Builder(file=file)
    try:
        for event in yaml.parse(source, Loader=_LOADER):
            if builder.take(event):
                yield builder.root
    except yaml.MarkedYAMLError as error:
        line = error.problem_mark.line + 1 if error.problem_mark else None
        problem = f"not YAML: {error.problem or error.context}"
        raise TreeError(problem, where=Where(file=file, line=line)) from None
    except (yaml.YAMLError, UnicodeEncodeError) as error:
        raise TreeError(f"not YAML: {error}", where=Where(file=file)) from None


class _Open:
    """A mapping or a list whose end has not come yet."""

    def __init__(self, *, line: int | None, mapping: bool) -> None:
        self.line = line
        self.mapping = mapping
        self.key: Text | None = None
        self.items: list[Node] = []
        self.entries: dict[str, Node] = {}
        self.key_lines: dict[str, int | None] = {}

    def close(self) -> Node:
        if self.mapping:
            return Fields(entries=self.entries, line=self.line, key_lines=self.key_lines)
        return Items(items=tuple(self.items), line=self.line)


class _Builder:
    """Builds nodes from events without recursion, however deep the document nests."""

    def __init__(self, *, file: str | None) -> None:
        self.root: Node = Text(text="", line=None)
        self._file = file
        self._open: list[_Open] = []

    def take(self, event: yaml.Event) -> bool:
        """Take the next event; say whether it ends a document, which `root` then holds."""
        line = event.start_mark.line + 1 if event.start_mark else None
        if isinstance(event, yaml.DocumentStartEvent):
            self.root = Text(text="", line=line)
        if isinstance(event, yaml.AliasEvent):
            raise self._error(
                f"the alias *{event.anchor} is refused; write it out or quote it", line
            )
        if isinstance(event, yaml.NodeEvent):
            self._refuse_specials(event, line)
        if isinstance(event, yaml.ScalarEvent):
            self._add(Text(text=event.value, line=line))
        elif isinstance(event, yaml.CollectionStartEvent):
            self._start(line, mapping=isinstance(event, yaml.MappingStartEvent))
        elif isinstance(event, yaml.CollectionEndEvent):
            self._add(self._open.pop().close())
        return isinstance(event, yaml.DocumentEndEvent)

    def _refuse_specials(self, event: yaml.NodeEvent, line: int | None) -> None:
        if event.anchor is not None:
            raise self._error(f"the anchor &{event.anchor} is refused; quote text with &", line)
        tag = getattr(event, "tag", None)
        if tag is not None and tag not in {"!", "tag:yaml.org,2002:str"}:
            raise self._error(f"the tag {tag} is refused; quote text that begins with !", line)

    def _start(self, line: int | None, *, mapping: bool) -> None:
        if len(self._open) >= MAX_DEPTH:
            raise self._error(f"nested more than {MAX_DEPTH} deep; no rule tree is", line)
        self._open.append(_Open(line=line, mapping=mapping))

    def _add(self, node: Node) -> None:
        if not self._open:
            empty = isinstance(node, Text) and not node.text
            self.root = self.root if empty else node
            return
        parent = self._open[-1]
        if not parent.mapping:
            parent.items.append(node)
        elif parent.key is None:
            parent.key = self._key(node, parent)
        else:
            parent.entries[parent.key.text] = node
            parent.key_lines[parent.key.text] = parent.key.line
            parent.key = None

    def _key(self, node: Node, parent: _Open) -> Text:
        if not isinstance(node, Text):
            raise self._error(f"{describe(node)} can't be a key; expected text", node.line)
        if node.text in parent.entries:
            first = parent.key_lines[node.text]
            raise self._error(
                f"duplicate key {node.text!r}; it first stands in line {first}", node.line
            )
        return node

    def _error(self, problem: str, line: int | None) -> TreeError:
        return TreeError(problem, where=Where(file=self._file, line=line))


def read_json(source: str, *, file: str | None, line: int | None) -> Node:
    """Return the node of one JSON value; entries that are null are left out."""
    where = Where(file=file, line=line)

    def build(pairs: list[tuple[str, object]]) -> dict[str, object]:
        found = dict(pairs)
        if len(found) < len(pairs):
            keys = [key for key, _ in pairs]
            duplicate = next(key for key in keys if keys.count(key) > 1)
            raise TreeError(f"duplicate key {duplicate!r}", where=where)
        return found

    try:
        value: object = json.loads(source, object_pairs_hook=build)
        return _from_json(value, line=line)
    except json.JSONDecodeError as error:
        problem = f"not JSON: {error.msg} at character {error.pos + 1}"
        raise TreeError(problem, where=where) from None
    except (RecursionError, ValueError):
        # ValueError: a number of thousands of digits, which Python refuses to read
        raise TreeError("not JSON: nested too deep or a number too long", where=where) from None


def _from_json(value: object, *, line: int | None) -> Node:
    match value:
        case dict():
            entries = {
                str(key): _from_json(part, line=line)
                for key, part in value.items()
                if part is not None
            }
            return Fields(entries=entries, line=line, key_lines=dict.fromkeys(entries, line))
        case list():
            return Items(items=tuple(_from_json(part, line=line) for part in value), line=line)
        case bool():
            return Text(text="yes" if value else "no", line=line)
        case None:
            return Text(text="", line=line)
        case _:
            return Text(text=str(value), line=line)
