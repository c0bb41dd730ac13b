"""Drafts of the compiler without a model: they say of themselves that a person should look."""

from __future__ import annotations

from dataclasses import dataclass

from clausewise.compiler.confidence import Confidence
from clausewise.compiler.cues import CueCompiler
from clausewise.compiler.neural import CompiledRule
from clausewise.compiler.outcome import remaining_outcome
from clausewise.structure.polarity import polarity_of
from clausewise.types import RuleText

_UNMEASURED = 0.5


@dataclass(frozen=True, slots=True, kw_only=True)
class CueDrafts:
    """Drafts by cue words; nothing in them is sure."""

    compiler: CueCompiler

    def draft(self, rule: RuleText) -> CompiledRule:
        """Return the tree of a rule, marked for review."""
        tree = self.compiler.compile(rule)
        outcome = remaining_outcome(rule.text, conditions=[item.span for item in tree.conditions])
        return CompiledRule(
            tree=tree,
            confidence=Confidence(
                conditions=(_UNMEASURED,) * len(tree.conditions),
                questions=(_UNMEASURED,) * len(tree.conditions),
                logic=_UNMEASURED,
                outcome=None,
                complete=True,
            ),
            polarity=polarity_of(outcome.cut(rule.text) if outcome else rule.text),
            review=True,
        )
