"""The values that travel along the path of a question.

All are frozen and keyword-only; equal content means equal value.
"""

from __future__ import annotations

import enum
import hashlib
from dataclasses import dataclass, field

from clausewise.trees.tree import RuleTree
from clausewise.trees.values import Condition, Span, State


class Decision(enum.Enum):
    """What a reader makes of a dialogue: the three classes of OR-ShARC."""

    YES = "Yes"
    NO = "No"
    INQUIRE = "Inquire"


@dataclass(frozen=True, slots=True, kw_only=True)
class RuleText:
    """One rule, word for word as its owner wrote it."""

    rule_id: str
    text: str
    title: str = ""
    """The headings above it, outermost first, joined by ' > '."""
    source: str = ""
    """Where it came from: a file and line, a URL."""

    @property
    def content_hash(self) -> str:
        """The SHA-256 of the text in UTF-8: changes when a character of the text does."""
        return hashlib.sha256(self.text.encode("utf-8")).hexdigest()


@dataclass(frozen=True, slots=True, kw_only=True)
class Turn:
    """A follow-up question that was asked, and what the person answered, in their own words."""

    question: str
    answer: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Dialogue:
    """All that is known of one case: the whole input of `Engine.reply`."""

    question: str
    scenario: str = ""
    turns: tuple[Turn, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Hit:
    """A rule text that a retriever found; hits come best first, higher scores are better."""

    rule: RuleText
    score: float


@dataclass(frozen=True, slots=True, kw_only=True)
class FoundSpan:
    """The words to ask about next, in one of the rule texts that were retrieved."""

    rule: RuleText
    span: Span


class WordsFrom(enum.Enum):
    """The part of a dialogue that settled a condition."""

    SCENARIO = "scenario"
    ANSWER = "answer"


@dataclass(frozen=True, slots=True, kw_only=True)
class UserWords:
    """The person's own words behind a judgement."""

    said_in: WordsFrom
    text: str
    """Exactly as the person wrote it."""
    question: str | None = None
    """The follow-up question that was answered with it; None for words of the scenario."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Judgement:
    """Whether one condition holds for the person, and which of their words say so."""

    key: str
    state: State
    words: UserWords | None = None
    """None when the state is unknown; and where a joint reader, which can't cite, decided it."""
    probability: float | None = None
    """Of the state, where the judge can tell."""


@dataclass(frozen=True, slots=True, kw_only=True)
class JudgedRule:
    """A rule tree with a judgement for every one of its conditions, in the tree's order."""

    rule: RuleText
    tree: RuleTree
    judgements: tuple[Judgement, ...]
    reviewed: bool = False
    """Whether a person wrote or checked the tree."""

    @property
    def states(self) -> dict[str, State]:
        """The state of every condition by its key."""
        return {judgement.key: judgement.state for judgement in self.judgements}


@dataclass(frozen=True, slots=True, kw_only=True)
class Reading:
    """What a reader found; the tree's logic decides unless the reader brings its own decision."""

    rule: JudgedRule
    decision: Decision | None = None
    """Set by readers that decide without logic (joint readers, the pattern baseline)."""
    asks: Condition | None = None
    """What a reader that inquires asks about, where it chooses that itself; its span cuts the text
    of `rule`, and it needn't be one of the tree's conditions."""


@dataclass(frozen=True, slots=True, kw_only=True)
class SettledCondition:
    """A condition that helped to decide, and the person's words that settled it."""

    condition: Condition
    state: State
    words: UserWords


@dataclass(frozen=True, slots=True, kw_only=True)
class Answer:
    """Yes or No, with its proof."""

    verdict: bool
    rule: RuleText
    span: Span
    """The clause of the rule text that decides; cuts out exactly what is shown."""
    because: tuple[SettledCondition, ...]
    """A smallest set of conditions that forces the verdict."""
    reading: JudgedRule = field(repr=False)

    @property
    def clause(self) -> str:
        """The words of the clause that decides."""
        return self.span.cut(self.rule.text)


@dataclass(frozen=True, slots=True, kw_only=True)
class Inquiry:
    """A follow-up question, and why it is asked."""

    question: str
    rule: RuleText
    condition: Condition
    why: str
    questions_left: int
    """How many questions are left at most, this one included."""
    reading: JudgedRule = field(repr=False)


class WhyAbstained(enum.Enum):
    """Why there is neither an answer nor anything left to ask."""

    NOT_COVERED = "not covered"
    """No rule is about the question."""
    NOT_KNOWN = "not known"
    """The person could not say what the rule turns on; unknown is never No."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Abstention:
    """Neither Yes nor No, and nothing left to ask."""

    why: WhyAbstained
    closest: tuple[RuleText, ...]
    """The rules that came nearest, best first; the first is the one that was read."""
    open_conditions: tuple[Condition, ...] = ()
    """What would have to be known: empty where no rule covers the question."""
    reading: JudgedRule | None = field(default=None, repr=False)


Reply = Answer | Inquiry | Abstention
