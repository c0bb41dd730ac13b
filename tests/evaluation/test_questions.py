from __future__ import annotations

from clausewise.evaluation.questions import question_figures
from clausewise.trees.tree import RuleTree
from clausewise.trees.values import Span
from clausewise.types import RuleText

TREE = RuleTree.parse(
    """
rule: "r"
conditions:
  a: {span: [12, 18], text: "it is ", question: "Is it wet?"}
  b: {span: [18, 21], text: "dry", question: "Are you dry?"}
logic: a or b
"""
).bind("You may row it is dry")


class AsksTheSame:
    def ask(self, span: Span, *, rule: RuleText) -> str:
        assert span.cut(rule.text)
        return "Is it wet"


def test_questions_are_compared_by_their_words_whatever_their_case_and_mark() -> None:
    figures = question_figures(AsksTheSame(), [TREE])
    assert figures == {"same question": 50.0, "word F1": 50.0}


def test_no_trees_give_no_figures_above_nothing() -> None:
    assert question_figures(AsksTheSame(), []) == {"same question": 0.0, "word F1": 0.0}
