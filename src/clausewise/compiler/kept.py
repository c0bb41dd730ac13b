"""Trees that were compiled before, kept on disk: a rule is compiled once, not once a run.

Every tree is a file of its own, put in place whole, under a name made of what it was compiled from.
What can't be read or doesn't fit is compiled again; what can't be written costs time, nothing else.
"""

from __future__ import annotations

import hashlib
import logging
from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import cached_property
from pathlib import Path

from clausewise.errors import InputError, TreeError
from clausewise.files import write_whole
from clausewise.progress import Progress, silent
from clausewise.protocols import Compiler
from clausewise.trees.read import from_json
from clausewise.trees.tree import RuleTree
from clausewise.trees.write import to_json
from clausewise.types import RuleText

log = logging.getLogger(__name__)


class KeepingCompiler:
    """Compiles with another compiler, which is loaded when the first rule needs it."""

    def __init__(self, *, load: Callable[[], Compiler], folder: Callable[[], Path]) -> None:
        """Take both as functions: where every rule is known, neither models nor disk are touched.

        `folder` returns where the trees of just this compiler are kept.
        """
        self._load = load
        self._place = folder
        self._known: dict[str, RuleTree] = {}

    def compile(self, rule: RuleText) -> RuleTree:
        """Return the tree of the rule, compiled at most once."""
        name = _name(rule)
        tree = self._known.get(name) or self._read(name, rule=rule) or self._compiled(name, rule)
        self._known[name] = tree
        return replace(tree, rule_id=rule.rule_id)

    def prepare(self, rules: Sequence[RuleText], *, progress: Progress = silent) -> None:
        """Compile all rules that were not compiled before, so that none has to wait later."""
        missing = [rule for rule in rules if not self._is_kept(_name(rule))]
        for rule in progress(missing, label="Compiling rules", total=len(missing)):
            self.compile(rule)

    @cached_property
    def _compiler(self) -> Compiler:
        return self._load()

    @cached_property
    def _folder(self) -> Path:
        return self._place()

    def _is_kept(self, name: str) -> bool:
        return name in self._known or (self._folder / name).is_file()

    def _read(self, name: str, *, rule: RuleText) -> RuleTree | None:
        try:
            tree = from_json((self._folder / name).read_text("utf-8"))
        except (OSError, UnicodeDecodeError, TreeError):
            return None
        return tree if tree.rule_text == rule.text else None

    def _compiled(self, name: str, rule: RuleText) -> RuleTree:
        tree = self._compiler.compile(rule)
        try:
            self._folder.mkdir(parents=True, exist_ok=True)
            write_whole(self._folder / name, [to_json(tree)])
        except (OSError, InputError) as error:
            log.warning("trees of rules are not kept in %s: %s", self._folder, error)
        return tree


def _name(rule: RuleText) -> str:
    """Return the name of a rule's file; its title is part of the tree too."""
    source = f"{rule.title}\0{rule.text}".encode()
    return f"{hashlib.sha256(source).hexdigest()}.json"
