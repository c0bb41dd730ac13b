"""The knowledge base: all rule texts that questions are answered from, whatever they came in.

It is read whole and checked whole; there is no half-open state and nothing is loaded later.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from pathlib import Path

from clausewise.errors import RuleTextError, Where
from clausewise.knowledge.files import read_bytes, read_text
from clausewise.knowledge.json_rules import rules_of_json
from clausewise.knowledge.markdown import rules_of_markdown
from clausewise.knowledge.store import MAGIC, Stored, StoredTree, read_store
from clausewise.progress import Progress, silent
from clausewise.types import RuleText

_MARKDOWN = (".md", ".markdown", ".txt")


@dataclass(frozen=True, slots=True, kw_only=True)
class KnowledgeBase:
    """Rule texts in the order of their files; no two have the same id."""

    rules: tuple[RuleText, ...]
    trees: tuple[StoredTree, ...] = ()
    """The rule trees that a SQLite file keeps beside its rules."""
    _by_id: dict[str, RuleText] = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        by_id: dict[str, RuleText] = {}
        for rule in self.rules:
            first = by_id.setdefault(rule.rule_id, rule)
            if first is not rule:
                raise _duplicate(rule, first=first)
        object.__setattr__(self, "_by_id", by_id)

    @classmethod
    def open(cls, path: Path | str, *, progress: Progress = silent) -> KnowledgeBase:
        """Return the rules of a folder of Markdown, a Markdown file, a JSON object or SQLite.

        Raises RuleTextError, with file and line, where anything in it can't be read.
        """
        stored = read_rules(Path(path), progress=progress)
        return cls(rules=stored.rules, trees=stored.trees)

    def rule(self, rule_id: str) -> RuleText:
        """Return the rule with this id; KeyError where there is none."""
        return self._by_id[rule_id]

    def __contains__(self, rule_id: object) -> bool:
        return rule_id in self._by_id

    def __len__(self) -> int:
        return len(self.rules)

    def __iter__(self) -> Iterator[RuleText]:
        return iter(self.rules)


def read_rules(path: Path, *, progress: Progress = silent) -> Stored:
    """Return what stands at a path, which must hold at least one rule text."""
    if path.is_dir():
        return Stored(rules=_read_folder(path, progress=progress))
    stored = _read_file(path, page=path.name)
    if not stored.rules:
        message = "holds no rule text, expected at least one with words below its heading"
        raise RuleTextError(message, where=Where(file=str(path)))
    return stored


def _read_folder(folder: Path, *, progress: Progress) -> tuple[RuleText, ...]:
    pages = sorted(_pages(folder))
    if not pages:
        message = "holds no Markdown, expected a folder with *.md files"
        raise RuleTextError(message, where=Where(file=str(folder)))
    rules: list[RuleText] = []
    for page in progress(pages, label="Reading rules", total=len(pages)):
        rules.extend(_read_file(folder / page, page=page).rules)
    if not rules:
        message = "holds no rule text, expected headings with words below them"
        raise RuleTextError(message, where=Where(file=str(folder)))
    return tuple(rules)


def _pages(folder: Path) -> Iterable[str]:
    """Return the paths of the Markdown files below a folder, hidden ones left out."""
    for path in folder.rglob("*"):
        page = path.relative_to(folder)
        hidden = any(part.startswith(".") for part in page.parts)
        if path.suffix.lower() == ".md" and not hidden and not path.is_dir():
            yield page.as_posix()


def _read_file(path: Path, *, page: str) -> Stored:
    kind = path.suffix.lower()
    if is_store(path):
        return read_store(path)
    if kind == ".json":
        return Stored(rules=rules_of_json(read_text(path), page=page, file=str(path)))
    if kind in _MARKDOWN:
        return Stored(rules=rules_of_markdown(read_text(path), page=page, file=str(path)))
    read_bytes(path)  # a file that is missing or unreadable says so first
    message = f"is no knowledge base, expected a folder, {', '.join(_MARKDOWN)}, .json or SQLite"
    raise RuleTextError(message, where=Where(file=str(path)))


def is_store(path: Path) -> bool:
    """Say whether a path is a SQLite file, as `clausewise ingest` writes it."""
    try:
        with path.open("rb") as file:
            return file.read(len(MAGIC)) == MAGIC
    except OSError:
        return False


def _duplicate(rule: RuleText, *, first: RuleText) -> RuleTextError:
    message = f"the id {rule.rule_id!r} is taken by {first.source or 'another rule'}"
    return RuleTextError(f"{message}, expected another", where=Where(file=rule.source or None))
