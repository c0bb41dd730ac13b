"""Small real classes that stand in for the steps of a question's path."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from clausewise.trees.logic import parse_logic
from clausewise.trees.tree import RuleTree
from clausewise.trees.values import Condition, Span, State
from clausewise.types import (
    Dialogue,
    Hit,
    JudgedRule,
    Judgement,
    Reading,
    RuleText,
    UserWords,
    WordsFrom,
)

PERMIT = RuleText(
    rule_id="permits#second",
    text="You can get a second permit if you live in the zone and own two cars, unless you rent.",
    title="Permits > Second permit",
)


def condition(text: str, *, key: str, question: str, rule: RuleText = PERMIT) -> Condition:
    start = rule.text.index(text)
    span = Span(start=start, end=start + len(text))
    return Condition(key=key, span=span, text=text, question=question)


def permit_tree(logic: str = "a and b and not c") -> RuleTree:
    return RuleTree(
        rule_id=PERMIT.rule_id,
        rule_text=PERMIT.text,
        topic="second permit",
        questions=("Can I get a second permit?",),
        conditions=(
            condition("you live in the zone", key="a", question="Do you live in the zone?"),
            condition("own two cars", key="b", question="Do you own two cars?"),
            condition("you rent", key="c", question="Do you rent?"),
        ),
        logic=parse_logic(logic),
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class FixedRetriever:
    """Finds the same rules for every dialogue."""

    rules: tuple[RuleText, ...] = (PERMIT,)

    def retrieve(self, dialogue: Dialogue, *, top_k: int) -> tuple[Hit, ...]:
        del dialogue
        return tuple(Hit(rule=rule, score=1.0) for rule in self.rules[:top_k])


@dataclass(frozen=True, slots=True, kw_only=True)
class FixedCoverage:
    """Thinks the same of every dialogue."""

    probability: float = 1.0

    def covers(self, dialogue: Dialogue, *, hits: Sequence[Hit]) -> float:
        del dialogue, hits
        return self.probability


@dataclass(frozen=True, slots=True, kw_only=True)
class FixedCompiler:
    """Compiles every rule to the same tree."""

    tree: RuleTree

    def compile(self, rule: RuleText) -> RuleTree:
        del rule
        return self.tree


class AnswerJudge:
    """Knows only what was answered with yes or no to a condition's own question."""

    def judge(
        self, conditions: Sequence[Condition], *, dialogue: Dialogue
    ) -> tuple[Judgement, ...]:
        answers = {turn.question: turn.answer for turn in dialogue.turns}
        return tuple(_judged(item, answer=answers.get(item.question)) for item in conditions)


def _judged(item: Condition, *, answer: str | None) -> Judgement:
    states = {"yes": State.ENTAILED, "no": State.CONTRADICTED}
    if answer not in states:
        return Judgement(key=item.key, state=State.UNKNOWN)
    words = UserWords(said_in=WordsFrom.ANSWER, text=answer, question=item.question)
    return Judgement(key=item.key, state=states[answer], words=words)


def judged(tree: RuleTree, **answers: bool) -> JudgedRule:
    judgements = tuple(
        _judged(item, answer={True: "yes", False: "no", None: None}[answers.get(item.key)])
        for item in tree.conditions
    )
    return JudgedRule(rule=PERMIT, tree=tree, judgements=judgements)


@dataclass(frozen=True, slots=True, kw_only=True)
class FixedReader:
    """Reads every dialogue the same way."""

    reading: Reading

    def read(self, dialogue: Dialogue, *, hits: Sequence[Hit]) -> Reading:
        del dialogue, hits
        return self.reading
