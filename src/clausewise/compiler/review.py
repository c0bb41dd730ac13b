"""Compiled trees as files that people correct, and their corrections on the way back.

Every rule gets one YAML file with its text. The first line keeps a digest of what the machine
wrote below it: a file that no longer fits its digest was edited, and is never overwritten.
"""

from __future__ import annotations

import difflib
import hashlib
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol

from clausewise.compiler.neural import CompiledRule
from clausewise.errors import TreeError, Where
from clausewise.files import write_whole
from clausewise.progress import Progress, silent
from clausewise.trees.tree import RuleTree
from clausewise.types import RuleText

_HEADER = "# compiled by clausewise; edit freely, an edited file is kept. digest: "
_UNSAFE = re.compile(r"[^A-Za-z0-9._-]+")
_LONGEST_NAME = 80


class Drafts(Protocol):
    """A compiler that says how sure it is."""

    def draft(self, rule: RuleText) -> CompiledRule:
        """Return the tree of a rule with its confidence."""
        ...


@dataclass(frozen=True, slots=True, kw_only=True)
class ReviewFile:
    """A file of the folder for review."""

    path: Path
    tree: RuleTree
    edited: bool
    """Whether a person changed what the machine wrote, or wrote it all."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ChangedRule:
    """A rule whose text changed after a person had edited its tree."""

    rule_id: str
    edited: Path
    """The person's tree of the text before; left as it is."""
    fresh: Path
    """The machine's tree of the text as it is now, with what changed on top."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Compilation:
    """What came of compiling some rules."""

    drafts: tuple[CompiledRule, ...]
    """The machine's trees."""
    kept: tuple[RuleTree, ...]
    """The trees of people, that outrank the machine's: their rules were not compiled."""
    changed: tuple[ChangedRule, ...] = ()
    """Rules whose text and edited tree no longer fit; the machine's tree stands in meanwhile."""

    @property
    def to_review(self) -> tuple[CompiledRule, ...]:
        """The drafts that a person should look at."""
        return tuple(draft for draft in self.drafts if draft.review)


def compile_rules(
    rules: Sequence[RuleText],
    *,
    compiler: Drafts,
    reviewed: Mapping[str, Sequence[RuleTree]] | None = None,
    folder: Path | None = None,
    progress: Progress = silent,
) -> Compilation:
    """Compile all rules without a person's tree; write and read back the folder for review.

    `reviewed` are trees of people by the hash of the rule text, besides those in the folder.
    """
    files = read_review(folder) if folder else ()
    edited = _by_text(files)
    drafts: list[CompiledRule] = []
    kept: list[RuleTree] = []
    changed: list[ChangedRule] = []
    for rule in progress(rules, label="Compiling", total=len(rules)):
        own = [*edited.get(rule.text, ()), *(reviewed or {}).get(rule.content_hash, ())]
        if own:
            kept += own
            continue
        draft = compiler.draft(rule)
        drafts.append(draft)
        if folder:
            changed += _write(draft, rule=rule, files=files, folder=folder)
    return Compilation(drafts=tuple(drafts), kept=tuple(kept), changed=tuple(changed))


def read_review(folder: Path) -> tuple[ReviewFile, ...]:
    """Return the trees of the YAML files in a folder; none where there is no folder yet."""
    paths = sorted(folder.glob("*.yaml")) if folder.is_dir() else []
    return tuple(_read(path) for path in paths)


def is_untouched(path: Path) -> bool:
    """Say whether a file holds what the machine wrote, and nothing that a person changed."""
    try:
        return _is_untouched(path.read_text("utf-8"))
    except (OSError, UnicodeDecodeError):
        return False


def document(draft: CompiledRule, *, notes: Sequence[str] = ()) -> str:
    """Return a draft as the text of its file: a digest, how sure it is, the tree."""
    lines = [*notes, *_notes(draft)]
    body = "".join(f"# {line}\n" for line in lines) + draft.tree.dump()
    return f"{_HEADER}{_digest(body)}\n{body}"


def _by_text(files: Sequence[ReviewFile]) -> dict[str, list[RuleTree]]:
    edited: dict[str, list[RuleTree]] = {}
    for file in files:
        if file.edited and file.tree.rule_text is not None:
            edited.setdefault(file.tree.rule_text, []).append(file.tree)
    return edited


def _read(path: Path) -> ReviewFile:
    try:
        source = path.read_text("utf-8")
    except (OSError, UnicodeDecodeError) as error:
        message = f"can't be read ({error}), expected a rule tree in YAML"
        raise TreeError(message, where=Where(file=str(path))) from error
    tree = RuleTree.parse(source, file=str(path))
    return ReviewFile(path=path, tree=tree, edited=not _is_untouched(source))


def _is_untouched(source: str) -> bool:
    first, _, body = source.partition("\n")
    return first == f"{_HEADER}{_digest(body)}"


def _write(
    draft: CompiledRule, *, rule: RuleText, files: Sequence[ReviewFile], folder: Path
) -> Iterator[ChangedRule]:
    """Write the file of a rule; where a person edited another version, write beside it."""
    folder.mkdir(parents=True, exist_ok=True)
    path = folder / f"{file_name(rule.rule_id)}.yaml"
    stale = next(
        (file for file in files if file.edited and file.tree.rule_id == rule.rule_id), None
    )
    taken = any(file.edited and file.path == path for file in files)
    if stale is None and not taken:
        _replace_drafts(path, document(draft), rule=rule, files=files)
        return
    fresh = folder / f"{file_name(rule.rule_id)}.{rule.content_hash[:8]}.yaml"
    before = stale or next(file for file in files if file.path == path)
    shown = document(draft, notes=_difference(before, rule=rule))
    _replace_drafts(fresh, shown, rule=rule, files=files)
    yield ChangedRule(rule_id=rule.rule_id, edited=before.path, fresh=fresh)


def _replace_drafts(
    path: Path, source: str, *, rule: RuleText, files: Sequence[ReviewFile]
) -> None:
    """Write the machine's file of a rule; those of its texts before that nobody edited go."""
    write_whole(path, [source])
    for file in files:
        if file.tree.rule_id == rule.rule_id and not file.edited and file.path != path:
            file.path.unlink(missing_ok=True)


def file_name(rule_id: str) -> str:
    """Return a name for a rule's file: of letters that every system takes, never two alike."""
    plain = _UNSAFE.sub("-", rule_id).strip("-.")[:_LONGEST_NAME]
    return (
        plain if plain == rule_id else f"{plain}-{hashlib.sha256(rule_id.encode()).hexdigest()[:8]}"
    )


def _difference(file: ReviewFile, *, rule: RuleText) -> list[str]:
    before, after = (file.tree.rule_text or "").splitlines(), rule.text.splitlines()
    lines = difflib.unified_diff(before, after, "edited", "now", lineterm="")
    return [f"the rule text changed after {file.path.name} was edited:", *lines, ""]


def _notes(draft: CompiledRule) -> list[str]:
    sure = draft.confidence
    parts = [
        *(
            f"{key} {chance:.2f}"
            for key, chance in zip(draft.tree.keys, sure.conditions, strict=True)
        ),
        f"logic {sure.logic:.2f}",
    ]
    review = ["REVIEW: a part is not sure"] if draft.review else []
    cut = [] if sure.complete else ["REVIEW: the text was too long to be read to its end"]
    return [*review, *cut, f"this rule {draft.polarity.value}", f"sure of: {', '.join(parts)}"]


def _digest(body: str) -> str:
    return hashlib.sha256(body.encode("utf-8")).hexdigest()[:16]
