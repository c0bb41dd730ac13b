"""The places where Clausewise can be extended: one Protocol each, with one method.

Implementations don't inherit from these; `build.py` is the table from names to classes.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

from clausewise.trees.tree import RuleTree
from clausewise.trees.values import Condition, Span
from clausewise.types import Dialogue, FoundSpan, Hit, Judgement, Reading, RuleText


class Retriever(Protocol):
    """Finds the rule texts that may settle a question."""

    def retrieve(self, dialogue: Dialogue, *, top_k: int) -> tuple[Hit, ...]:
        """Return at most `top_k` hits, best first; ties in the order of the rules."""
        ...


class Coverage(Protocol):
    """Tells whether the retrieved rules cover the question at all."""

    def covers(self, dialogue: Dialogue, *, hits: Sequence[Hit]) -> float:
        """Return how likely it is that one of the hits settles the question, from 0 to 1."""
        ...


class Segmenter(Protocol):
    """Finds the conditions of a rule text."""

    def segment(self, text: str) -> tuple[Span, ...]:
        """Return the spans of the conditions: in order, without overlap, none of them empty."""
        ...


class Asker(Protocol):
    """Writes follow-up questions."""

    def ask(self, span: Span, *, rule: RuleText) -> str:
        """Return a question whose Yes means that the condition at `span` holds."""
        ...


class SpanFinder(Protocol):
    """Finds the words of the retrieved rule texts that are to be asked about next."""

    def find(self, dialogue: Dialogue, *, hits: Sequence[Hit]) -> FoundSpan:
        """Return a span that is not empty, in one of the hits, of which there is at least one."""
        ...


class Compiler(Protocol):
    """Turns a rule text into a rule tree."""

    def compile(self, rule: RuleText) -> RuleTree:
        """Return the tree of the rule; its spans cut the rule's text."""
        ...


class Judge(Protocol):
    """Judges the conditions of a rule against what the person said."""

    def judge(
        self, conditions: Sequence[Condition], *, dialogue: Dialogue
    ) -> tuple[Judgement, ...]:
        """Return one judgement a condition, in their order."""
        ...


class Reader(Protocol):
    """Reads retrieved rules in the light of a dialogue."""

    def read(self, dialogue: Dialogue, *, hits: Sequence[Hit]) -> Reading:
        """Return the reading of the hits, of which there is at least one."""
        ...
