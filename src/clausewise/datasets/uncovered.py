"""Questions that a body of rules does not cover, sorted by why they are not."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from clausewise.datasets.records import read_text
from clausewise.errors import DataError, Where

if TYPE_CHECKING:
    from pathlib import Path


@dataclass(frozen=True, slots=True, kw_only=True)
class UncoveredQuestion:
    """A question to abstain on."""

    kind: str
    """Why: another topic, a near miss, a greeting."""
    question: str


def read_uncovered(path: Path) -> tuple[UncoveredQuestion, ...]:
    """Return the questions of a file of lines, each a kind, a tab and a question."""
    lines = enumerate(read_text(path).splitlines(), start=1)
    found = tuple(_question(line, file=str(path), number=number) for number, line in lines if line)
    if not found:
        raise DataError("holds no questions", where=Where(file=str(path)))
    return found


def _question(line: str, *, file: str, number: int) -> UncoveredQuestion:
    kind, tab, question = line.partition("\t")
    if not (kind.strip() and tab and question.strip()):
        message = f"{line!r}: expected a kind, a tab and a question"
        raise DataError(message, where=Where(file=file, line=number))
    return UncoveredQuestion(kind=kind.strip(), question=question.strip())
