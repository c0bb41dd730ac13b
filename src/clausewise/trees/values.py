"""The small values that everything else is made of: spans, states, conditions.

They stand below the rule trees so that a tree, a judgement and a reply speak of the same things.
"""

from __future__ import annotations

import enum
from dataclasses import dataclass


@dataclass(frozen=True, slots=True, kw_only=True, order=True)
class Span:
    """The characters [start, end) of a text."""

    start: int
    end: int

    def __post_init__(self) -> None:
        if not 0 <= self.start <= self.end:
            message = f"a span needs 0 <= start <= end, not [{self.start}, {self.end})"
            raise ValueError(message)

    def cut(self, text: str) -> str:
        """Return the characters of `text` that the span covers."""
        return text[self.start : self.end]

    def overlaps(self, other: Span) -> bool:
        """Say whether the two spans share a character."""
        return self.start < other.end and other.start < self.end


class State(enum.Enum):
    """What is known of a condition, or of a whole rule: Kleene's three values."""

    ENTAILED = "entailed"
    CONTRADICTED = "contradicted"
    UNKNOWN = "unknown"

    @classmethod
    def of(cls, value: bool) -> State:
        """Return the decided state for a truth value."""
        return cls.ENTAILED if value else cls.CONTRADICTED

    def __invert__(self) -> State:
        """Return the negation; unknown stays unknown."""
        match self:
            case State.ENTAILED:
                return State.CONTRADICTED
            case State.CONTRADICTED:
                return State.ENTAILED
            case State.UNKNOWN:
                return State.UNKNOWN


@dataclass(frozen=True, slots=True, kw_only=True)
class Condition:
    """One thing that a rule asks of a person, with the exact words that ask it."""

    key: str
    """Its name in the tree's logic: a, b, c, ..."""
    span: Span
    """Where its words stand in the rule text."""
    text: str
    """Its words: exactly what `span` cuts out of the rule text."""
    question: str
    """The follow-up question that settles it; Yes means that the condition holds."""
    paraphrases: tuple[str, ...] = ()
    """Other wordings of the question."""
    yes: tuple[str, ...] = ()
    """First-person statements, each of which settles the condition as true."""
    no: tuple[str, ...] = ()
    """First-person statements, each of which settles the condition as false."""
