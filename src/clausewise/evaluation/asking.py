"""Measures how close an asker's questions come to people's, with the words to ask about given.

Counted are the samples whose right answer is a question that a reviewed tree of the rule holds; the
asker gets the span of that condition.
"""

from __future__ import annotations

import difflib
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from clausewise.datasets.orsharc import Sample
from clausewise.evaluation.compiling import question_bleu
from clausewise.protocols import Asker
from clausewise.text import normalised
from clausewise.trees.tree import RuleTree
from clausewise.trees.values import Condition
from clausewise.types import RuleText

_DECISIONS = ("Yes", "No", "Irrelevant")
_LEAST_LIKENESS = 0.75
"""How alike a tree's question must be to the right one to be about the same condition."""


@dataclass(frozen=True, slots=True, kw_only=True)
class AskingCase:
    """A question that people asked, and the condition that it asks about."""

    sample: Sample
    tree: RuleTree
    condition: Condition


@dataclass(frozen=True, slots=True, kw_only=True)
class AskingReport:
    """The BLEU of an asker's questions, orders 1, 2, 3, 4, in percent."""

    n: int
    asked: int
    """Samples whose right answer is a question; `n` of them ask about a condition of a tree."""
    bleu: tuple[float, ...]
    unseen_bleu: tuple[float, ...]

    def to_json(self) -> Mapping[str, object]:
        """Return the report as the command line prints it for programs."""
        return {
            "n": self.n,
            "asked": self.asked,
            "bleu": {str(order): value for order, value in enumerate(self.bleu, start=1)},
            "unseen": {
                "bleu": {str(order): value for order, value in enumerate(self.unseen_bleu, start=1)}
            },
        }


def evaluate_asking(
    asker: Asker, samples: Sequence[Sample], *, trees: Iterable[RuleTree]
) -> AskingReport:
    """Return how close the asker comes to the questions that people asked."""
    asked = [sample for sample in samples if sample.gold.answer not in _DECISIONS]
    cases = asking_cases(asked, trees=trees)
    unseen = [case for case in cases if case.sample.gold.seen is False]
    return AskingReport(
        n=len(cases),
        asked=len(asked),
        bleu=question_bleu(written(asker, cases)),
        unseen_bleu=question_bleu(written(asker, unseen)),
    )


def asking_cases(samples: Iterable[Sample], *, trees: Iterable[RuleTree]) -> tuple[AskingCase, ...]:
    """Return the samples whose right answer asks about a condition of a tree of their rule."""
    by_rule: dict[str, list[RuleTree]] = defaultdict(list)
    for tree in trees:
        by_rule[tree.rule_id].append(tree)
    found = (_case(sample, trees=by_rule[sample.gold.rule_id]) for sample in samples)
    return tuple(case for case in found if case is not None)


def written(asker: Asker, cases: Iterable[AskingCase]) -> list[tuple[str, str]]:
    """Return the asker's question and the right one for each case."""
    known: dict[tuple[str, int, int], str] = {}
    pairs = []
    for case in cases:
        text, span = case.tree.rule_text or "", case.condition.span
        key = (text, span.start, span.end)
        if key not in known:
            rule = RuleText(rule_id=case.tree.rule_id, text=text)
            known[key] = asker.ask(span, rule=rule)
        pairs.append((known[key], case.sample.gold.answer))
    return pairs


def _case(sample: Sample, *, trees: Sequence[RuleTree]) -> AskingCase | None:
    likeness, best = 0.0, None
    for tree in trees:
        for condition in tree.conditions:
            for wording in (condition.question, *condition.paraphrases):
                share = _likeness(wording, sample.gold.answer)
                if share >= _LEAST_LIKENESS and share > likeness:
                    likeness = share
                    best = AskingCase(sample=sample, tree=tree, condition=condition)
    return best


def _likeness(left: str, right: str) -> float:
    words = (normalised(left).split(), normalised(right).split())
    return difflib.SequenceMatcher(None, *words).ratio()
