"""The rule tree: a rule text made checkable.

The conditions of the text with their exact words, a follow-up question for each, and the logic that
joins them. People read, correct and test it (`parse`, `dump`), machines store and evaluate it. A
tree that contradicts itself can't be built.
"""

from __future__ import annotations

import dataclasses
from collections import Counter
from dataclasses import dataclass
from typing import TYPE_CHECKING

from clausewise.errors import TreeError, Where
from clausewise.trees.logic import Logic, is_key, names
from clausewise.trees.values import Condition, Span

if TYPE_CHECKING:
    from collections.abc import Iterable

VERDICTS = ("Yes", "No", "abstain")
"""What a case may expect, besides `ask KEY`."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Outcome:
    """The words of the rule text that name what it grants, forbids or demands."""

    span: Span
    text: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Case:
    """A test that the rule's author wrote: what must come of certain conditions or words."""

    expect: str
    """`Yes`, `No`, `ask KEY` (still open, and this is asked next) or `abstain`."""
    given: tuple[tuple[str, bool], ...] = ()
    """Keys of conditions and whether they hold; the others are unknown."""
    question: str = ""
    """Set for a case in words, which goes the whole path of a question."""
    scenario: str = ""
    answers: tuple[tuple[str, str], ...] = ()
    """Follow-up questions and how the person answers them, should they be asked."""

    def __post_init__(self) -> None:
        if self.expect not in VERDICTS and self.asks is None:
            expected = "expected Yes, No, abstain or ask and a key"
            raise _error(f"a case expects {self.expect!r}; {expected}", field="expect")
        if self.given and self.question:
            raise _error("a case is given conditions or a question, not both", field="given")
        if not self.question and (self.scenario or self.answers):
            raise _error("a case in words needs a question", field="question")
        _no_duplicates((key for key, _ in self.given), what="condition", field="given")
        _no_duplicates((question for question, _ in self.answers), what="answer", field="answers")

    @property
    def in_words(self) -> bool:
        """Whether the case has a question of its own and goes the whole path of a question."""
        return bool(self.question)

    @property
    def asks(self) -> str | None:
        """The key of the condition that must be asked next; None where a verdict is expected."""
        word, _, key = self.expect.partition(" ")
        return key if word == "ask" and is_key(key) else None


@dataclass(frozen=True, slots=True, kw_only=True)
class RuleTree:
    """A rule text's conditions and their logic; true means that the answer is Yes."""

    rule_id: str
    """The id of the rule text in the knowledge base; empty where it has none."""
    conditions: tuple[Condition, ...]
    """In the author's order, which is the order of the text as a rule."""
    logic: Logic
    rule_text: str | None = None
    """The rule text that the spans cut; None as long as it isn't known (see `bind`)."""
    topic: str = ""
    outcome: Outcome | None = None
    questions: tuple[str, ...] = ()
    """Questions of users that are answered Yes exactly when the logic is true."""
    tests: tuple[Case, ...] = ()
    tree_id: str = ""

    def __post_init__(self) -> None:
        _no_duplicates(self.keys, what="condition", field="conditions")
        _logic_fits(self)
        for condition in self.conditions:
            where = f"conditions.{condition.key}"
            check_span(condition.span, text=condition.text, rule_text=self.rule_text, field=where)
        if self.outcome is not None:
            outcome = self.outcome
            check_span(outcome.span, text=outcome.text, rule_text=self.rule_text, field="outcome")
        for case in self.tests:
            check_case(case, keys=self.keys)

    @property
    def keys(self) -> tuple[str, ...]:
        """The keys of the conditions, in the author's order."""
        return tuple(condition.key for condition in self.conditions)

    def condition(self, key: str) -> Condition:
        """Return the condition with this key; KeyError where there is none."""
        for condition in self.conditions:
            if condition.key == key:
                return condition
        raise KeyError(key)

    def bind(self, rule_text: str) -> RuleTree:
        """Return the tree with its rule text; TreeError where a span doesn't cut its words out."""
        return dataclasses.replace(self, rule_text=rule_text)

    @classmethod
    def parse(
        cls, source: str, *, rule_text: str | None = None, file: str | None = None
    ) -> RuleTree:
        """Return the tree of the one YAML document in `source`.

        `rule_text` stands in where the document doesn't hold the text itself; `file` only names
        the place in errors. Raises TreeError with file and line.
        """
        from clausewise.trees.read import parse_tree  # noqa: PLC0415 - it builds RuleTrees

        return parse_tree(source, rule_text=rule_text, file=file)

    def dump(self) -> str:
        """Return the tree as one YAML document, which `parse` reads back to an equal tree."""
        from clausewise.trees.write import to_yaml  # noqa: PLC0415 - it takes RuleTrees

        return to_yaml(self)


def check_span(
    span: Span, *, text: str, rule_text: str | None, field: str, place: Where | None = None
) -> None:
    """Raise TreeError unless the span cuts exactly `text` out of the rule text.

    Of a rule text that isn't known yet only the length of the span can be checked.
    """
    if not text:
        raise _error("the text is empty; expected words of the rule text", field=field, place=place)
    shown = f"span [{span.start}, {span.end}]"
    if rule_text is None:
        if span.end - span.start != len(text):
            length = f"{span.end - span.start} characters long"
            problem = f"{shown} is {length}, but the text has {len(text)}: {text!r}"
            raise _error(problem, field=field, place=place)
    elif span.end > len(rule_text):
        problem = f"{shown} ends behind the rule text, which has {len(rule_text)} characters"
        raise _error(f"{problem}; expected it to cut out {text!r}", field=field, place=place)
    elif span.cut(rule_text) != text:
        problem = f"{shown} cuts out {span.cut(rule_text)!r}; expected {text!r}"
        raise _error(problem + _found_at(text, rule_text), field=field, place=place)


def _found_at(text: str, rule_text: str) -> str:
    start = rule_text.find(text)
    return "" if start < 0 else f", which stands at [{start}, {start + len(text)}]"


def _logic_fits(tree: RuleTree) -> None:
    named = names(tree.logic)
    known = set(tree.keys)
    for key in named:
        if key not in known:
            expected = f"expected one of {', '.join(tree.keys)}"
            raise _error(
                f"the logic names {key!r}, which is no condition; {expected}", field="logic"
            )
    for key in tree.keys:
        if key not in named:
            raise _error("the logic doesn't use this condition", field=f"conditions.{key}")


def check_case(case: Case, *, keys: tuple[str, ...]) -> None:
    """Raise TreeError where the case names a key that is no condition's."""
    named = [key for key, _ in case.given] + ([case.asks] if case.asks else [])
    for key in named:
        if key not in keys:
            expected = f"expected one of {', '.join(keys)}"
            raise _error(f"a case names {key!r}, which is no condition; {expected}", field="tests")


def _no_duplicates(found: Iterable[str], *, what: str, field: str) -> None:
    counted = Counter(found)
    for name, count in counted.items():
        if count > 1:
            raise _error(f"{what} {name!r} stands there {count} times", field=field)


def _error(problem: str, *, field: str, place: Where | None = None) -> TreeError:
    return TreeError(problem, where=dataclasses.replace(place or Where(), field=field))
