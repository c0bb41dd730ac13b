"""The baseline that never reads the rule.

It asks on the first turn and afterwards repeats the last answer: about 60 % right on OR-ShARC,
because most dialogues there end as soon as their last answer is given. A system that can't clearly
beat it has learnt nothing, so its figures stand beside every result.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from clausewise.protocols import Compiler
from clausewise.readers.answers import understand
from clausewise.trees.values import State
from clausewise.types import Decision, Dialogue, Hit, JudgedRule, Judgement, Reading


@dataclass(frozen=True, slots=True, kw_only=True)
class PatternReader:
    """Decides by the shape of the dialogue alone."""

    compiler: Compiler
    """Only words the question of the first turn; its logic plays no part."""

    def read(self, dialogue: Dialogue, *, hits: Sequence[Hit]) -> Reading:
        """Return Inquire on the first turn, else the last answer as the decision."""
        rule = hits[0].rule
        tree = self.compiler.compile(rule)
        unknown = tuple(Judgement(key=key, state=State.UNKNOWN) for key in tree.keys)
        return Reading(
            rule=JudgedRule(rule=rule, tree=tree, judgements=unknown),
            decision=_last_answer(dialogue),
        )


def _last_answer(dialogue: Dialogue) -> Decision:
    if not dialogue.turns:
        return Decision.INQUIRE
    match understand(dialogue.turns[-1].answer):
        case State.ENTAILED:
            return Decision.YES
        case State.CONTRADICTED:
            return Decision.NO
        case State.UNKNOWN:
            return Decision.INQUIRE
