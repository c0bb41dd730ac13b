"""The compiler that needs no model: conditions by layout and cues, logic by cue words.

It writes the draft of a tree: good enough to talk with at once, plain enough to correct.
"""

from __future__ import annotations

from dataclasses import dataclass
from string import ascii_lowercase

from clausewise.compiler.joining import Joiner
from clausewise.protocols import Asker, Segmenter
from clausewise.trees.tree import RuleTree
from clausewise.trees.values import Condition, Span
from clausewise.types import RuleText


@dataclass(frozen=True, slots=True, kw_only=True)
class CueCompiler:
    """Drafts a rule tree from what a segmenter finds and an asker asks."""

    segmenter: Segmenter
    asker: Asker

    def compile(self, rule: RuleText) -> RuleTree:
        """Return a valid tree; the whole rule is its condition where none is found in it."""
        spans = self.segmenter.segment(rule.text) or (Span(start=0, end=len(rule.text)),)
        conditions = tuple(
            Condition(
                key=key_of(place),
                span=span,
                text=span.cut(rule.text),
                question=self.asker.ask(span, rule=rule),
            )
            for place, span in enumerate(spans)
        )
        named = [(condition.key, condition.span) for condition in conditions]
        return RuleTree(
            rule_id=rule.rule_id,
            conditions=conditions,
            logic=Joiner.of(rule.text, conditions=named).logic(),
            rule_text=rule.text,
            topic=rule.title.rpartition(" > ")[2],
        )


def key_of(place: int) -> str:
    """Return the key of the condition at a place: a to z, then a1 to z1, and so on."""
    lap, letter = divmod(place, len(ascii_lowercase))
    return ascii_lowercase[letter] + (str(lap) if lap else "")
