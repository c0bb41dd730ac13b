"""Every error that a user can cause, in one small tree.

    ClausewiseError
    ├── InputError            a file, a flag or a field holds what it may not hold
    │   ├── RuleTextError     a body of rules can't be read
    │   ├── TreeError         a rule tree is malformed or doesn't fit its rule text
    │   │   └── LogicError    the logic of a tree doesn't parse; knows the column
    │   ├── ConfigError       a configuration is unknown, contradictory or malformed
    │   └── DataError         a data set or a file of predictions is malformed
    └── MissingExtraError     a feature needs packages that are not installed

A message names the offending value, what was expected, and where (file, line, field). The command
line prints it as one line and exits with 2; anything else that is raised is a bug.
"""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class Where:
    """A place in the input: as much of file, line, column and field as is known."""

    file: str | None = None
    line: int | None = None
    """Counted from 1."""
    column: int | None = None
    """Counted from 1."""
    field: str | None = None

    def __str__(self) -> str:
        position = ":".join(str(part) for part in (self.file, self.line, self.column) if part)
        return ": ".join(part for part in (position, self.field) if part)


class ClausewiseError(Exception):
    """Anything that a user of Clausewise can cause and can mend."""


class InputError(ClausewiseError):
    """Input that can't be used; the message is one line: where, what, what was expected."""

    def __init__(self, problem: str, *, where: Where | None = None) -> None:
        self.problem = problem
        self.where = where or Where()
        place = str(self.where)
        super().__init__(" ".join(f"{place}: {problem}".split()) if place else problem)


class RuleTextError(InputError):
    """A body of rules that can't be read."""


class TreeError(InputError):
    """A rule tree that is malformed or doesn't fit its rule text."""


class LogicError(TreeError):
    """Logic that doesn't parse; `where.column` points into it."""


class ConfigError(InputError):
    """A configuration that is unknown, contradictory or malformed."""


class DataError(InputError):
    """A data set or a file of predictions that is malformed."""


class MissingExtraError(ClausewiseError):
    """A feature whose packages are not installed."""

    def __init__(self, feature: str, *, extra: str) -> None:
        super().__init__(f"{feature} needs more packages: pip install 'clausewise[{extra}]'")
