"""Files and folders into one SQLite knowledge base, again and again as the files change."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from clausewise.errors import RuleTextError, Where
from clausewise.knowledge.base import KnowledgeBase, read_rules
from clausewise.knowledge.store import Stored, StoredTree, read_store, write_store
from clausewise.progress import Progress, silent
from clausewise.types import RuleText


@dataclass(frozen=True, slots=True, kw_only=True)
class IngestReport:
    """What ingesting did to a knowledge base: the ids of its rules."""

    added: tuple[str, ...]
    changed: tuple[str, ...]
    """Their text or title is another than before."""
    removed: tuple[str, ...]
    unchanged: tuple[str, ...]
    trees: int = 0
    """How many reviewed trees the knowledge base now keeps."""

    @property
    def rules(self) -> int:
        """How many rules the knowledge base now holds."""
        return len(self.added) + len(self.changed) + len(self.unchanged)

    def to_json(self) -> Mapping[str, object]:
        """Return the report as the command line prints it for programs."""
        return {
            "rules": self.rules,
            "trees": self.trees,
            "added": self.added,
            "changed": self.changed,
            "removed": self.removed,
            "unchanged": self.unchanged,
        }


def ingest(
    paths: Sequence[Path],
    *,
    into: Path,
    trees: Sequence[StoredTree] = (),
    progress: Progress = silent,
) -> IngestReport:
    """Make the knowledge base `into` hold exactly the rules at the paths; return what changed.

    `trees` are kept beside the rules from now on. Trees of unchanged rules stay, and no tree that
    a person reviewed is ever dropped. Whatever is wrong with a path, `into` is either as before or
    wholly new.
    """
    before = read_store(into) if into.exists() else Stored(rules=())
    sources = [read_rules(path, progress=progress) for path in paths]
    rules = tuple(rule for source in sources for rule in source.rules)
    if not rules:
        message = "no rules were given, expected at least one file or folder"
        raise RuleTextError(message, where=Where(file=str(into)))
    brought = (tree for source in sources for tree in source.trees)
    base = KnowledgeBase(rules=rules, trees=_kept((*before.trees, *brought, *trees), rules=rules))
    after = Stored(rules=base.rules, trees=base.trees)
    if after != before:
        write_store(into, after)
    return _report(before.rules, after)


def _kept(trees: Sequence[StoredTree], *, rules: Sequence[RuleText]) -> tuple[StoredTree, ...]:
    current = {rule.content_hash for rule in rules}
    kept = (tree for tree in trees if tree.reviewed or tree.content_hash in current)
    return tuple(dict.fromkeys(kept))


def _report(before: Sequence[RuleText], after: Stored) -> IngestReport:
    old = {rule.rule_id: (rule.text, rule.title) for rule in before}
    new = {rule.rule_id: (rule.text, rule.title) for rule in after.rules}
    return IngestReport(
        added=tuple(rule_id for rule_id in new if rule_id not in old),
        changed=tuple(rule_id for rule_id in new if old.get(rule_id, new[rule_id]) != new[rule_id]),
        removed=tuple(rule_id for rule_id in old if rule_id not in new),
        unchanged=tuple(rule_id for rule_id in new if old.get(rule_id) == new[rule_id]),
        trees=sum(tree.reviewed for tree in after.trees),
    )
