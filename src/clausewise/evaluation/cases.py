"""Runs the tests that the authors of rules write, and says for each failure what came instead."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from clausewise.evaluation.reading import Replies
from clausewise.trees.evaluate import evaluate
from clausewise.trees.plan import plan
from clausewise.trees.tree import Case, RuleTree
from clausewise.trees.values import State
from clausewise.types import Abstention, Answer, Dialogue, Inquiry, Reply, Turn

_VERDICTS = {State.ENTAILED: "Yes", State.CONTRADICTED: "No"}


@dataclass(frozen=True, slots=True, kw_only=True)
class CaseResult:
    """What came of one test."""

    rule_id: str
    case: Case
    got: str
    """Yes, No, 'ask KEY' or abstain, as `Case.expect` has it; with the rule if another spoke."""

    @property
    def passed(self) -> bool:
        """Whether what came is what the author expects."""
        return self.got == self.case.expect


def run_cases(trees: Sequence[RuleTree], *, engine: Replies) -> tuple[CaseResult, ...]:
    """Return the result of every test of every tree, in order."""
    return tuple(
        CaseResult(rule_id=tree.rule_id, case=case, got=_outcome(case, tree=tree, engine=engine))
        for tree in trees
        for case in tree.tests
    )


def _outcome(case: Case, *, tree: RuleTree, engine: Replies) -> str:
    if case.question:
        turns = tuple(Turn(question=question, answer=answer) for question, answer in case.answers)
        dialogue = Dialogue(question=case.question, scenario=case.scenario, turns=turns)
        return _said(engine.reply(dialogue), tree=tree)
    states = dict.fromkeys(tree.keys, State.UNKNOWN)
    states |= {key: State.of(value) for key, value in case.given}
    value = evaluate(tree.logic, states)
    if value is not State.UNKNOWN:
        return _VERDICTS[value]
    planned = plan(tree, states=states)
    return f"ask {planned.key}" if planned else "abstain"


def _said(reply: Reply, *, tree: RuleTree) -> str:
    if isinstance(reply, Abstention):
        return "abstain"
    elsewhere = "" if reply.rule.rule_id == tree.rule_id else f" (from {reply.rule.rule_id})"
    match reply:
        case Answer():
            return ("Yes" if reply.verdict else "No") + elsewhere
        case Inquiry():
            return f"ask {reply.condition.key}{elsewhere}"
