"""How near an asker's questions come to people's: quick figures, to follow a training by.

The published measure is BLEU (`evaluation.metrics`), which needs a tokenizer that a machine for
training may not have.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping

from clausewise.askers.writing import question_words
from clausewise.protocols import Asker
from clausewise.trees.tree import RuleTree
from clausewise.types import RuleText


def question_figures(asker: Asker, trees: Iterable[RuleTree]) -> Mapping[str, float]:
    """Return how many questions are those of the trees, and the F1 of their words, in percent."""
    pairs = [
        (question_words(asker.ask(item.span, rule=_rule(tree))), question_words(item.question))
        for tree in trees
        for item in tree.conditions
    ]
    shared = sum(2 * sum((Counter(one) & Counter(other)).values()) for one, other in pairs)
    length = sum(len(one) + len(other) for one, other in pairs)
    same = sum(one == other for one, other in pairs)
    return {
        "same question": round(100 * same / max(1, len(pairs)), 2),
        "word F1": round(100 * shared / max(1, length), 2),
    }


def _rule(tree: RuleTree) -> RuleText:
    return RuleText(rule_id=tree.rule_id or "rule", text=tree.rule_text or "")
