"""Whether a Yes of a machine's tree is a Yes to the question that was asked.

The same rule serves "Can I claim it?" and "Am I excluded from it?". A compiler knows no question:
what its logic stands for is read from the words of the outcome and from whether it is true where
all conditions hold; where either is unclear the logic is left as it is.
"""

from __future__ import annotations

import re
from dataclasses import replace

from clausewise.structure.cues import CUE
from clausewise.structure.polarity import Polarity, polarity_of
from clausewise.trees.evaluate import evaluate
from clausewise.trees.logic import Logic, Not
from clausewise.trees.tree import RuleTree
from clausewise.trees.values import State

_OPPOSITE = re.compile(
    r"\b(?:exempt(?:ed)?|excluded?|disqualified|ineligible|refused?|rejected|turned down|denied"
    r"|barred|banned|blocked|expelled|prohibited|forbidden|illegal|unlawful)\b",
    re.IGNORECASE,
)
_ASKS_FOR_DUTY = re.compile(
    r"\b(?:have to|need(?: to)?|must|should|required|liable|obliged|charged|fined|pay)\b",
    re.IGNORECASE,
)
_NO_DUTY = re.compile(
    r"(?:\bnot|n['’]t) (?:need|have to)\b|\bexempt\b|\bno \w+ (?:is|are) (?:charged|due)\b",
    re.IGNORECASE,
)


def facing(tree: RuleTree, *, question: str) -> RuleTree:
    """Return the tree, its logic turned round where the question asks for the opposite."""
    wanted, stated = _wanted(tree, question=question), _stated(tree.logic, keys=tree.keys)
    if wanted is None or stated is None or wanted is stated:
        return tree
    turned = tree.logic.part if isinstance(tree.logic, Not) else Not(tree.logic)
    return replace(tree, logic=turned)


def _wanted(tree: RuleTree, *, question: str) -> bool | None:
    """Say whether Yes should mean that the conditions are met, or not; None where that is open."""
    if tree.outcome is None:
        return None
    outcome = CUE.split(tree.outcome.text, maxsplit=1)[0]
    opposite = _OPPOSITE.search(question)
    if opposite and opposite[0].lower() in outcome.lower():
        return True
    match polarity_of(outcome):
        case Polarity.PERMITS | Polarity.REQUIRES:
            return False if opposite else None
        case Polarity.FORBIDS:
            return bool(opposite)
        case Polarity.EXCLUDES if _NO_DUTY.search(outcome):
            return True if opposite else (False if _ASKS_FOR_DUTY.search(question) else None)
        case Polarity.EXCLUDES:
            return bool(opposite)


def _stated(logic: Logic, *, keys: tuple[str, ...]) -> bool | None:
    """Say whether the logic is true where all conditions are met; None where that is not all."""
    met = evaluate(logic, dict.fromkeys(keys, State.ENTAILED))
    unmet = evaluate(logic, dict.fromkeys(keys, State.CONTRADICTED))
    return met is State.ENTAILED if met is not unmet else None
