"""The reader that the papers' systems are behind: packs, runs the network, and says what it found.

A joint reader decides without logic and can't cite anyone's words. What it does say of conditions,
the states of the units, is shown as a tree over the units of one rule text.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

from clausewise.protocols import Asker, SpanFinder
from clausewise.readers.transformer.config import ReaderModelConfig
from clausewise.readers.transformer.encode import Packed, Packer
from clausewise.readers.transformer.finding import Findings, UnitState, findings
from clausewise.readers.transformer.scores import Scores
from clausewise.trees.logic import And, Logic, Name
from clausewise.trees.tree import RuleTree
from clausewise.trees.values import Condition, Span, State
from clausewise.types import (
    Decision,
    Dialogue,
    FoundSpan,
    Hit,
    JudgedRule,
    Judgement,
    Reading,
    RuleText,
)


class ReaderModel(Protocol):
    """The network of a joint reader, however it is run."""

    @property
    def config(self) -> ReaderModelConfig:
        """Which system it is."""
        ...

    def run(self, packed: Packed) -> Scores:
        """Return what the network says of a sequence."""
        ...


@dataclass(frozen=True, slots=True, kw_only=True)
class JointReader:
    """Reads the dialogue and the retrieved rule texts together."""

    model: ReaderModel
    packer: Packer
    asker: Asker
    """Writes the question that is asked."""
    template: Asker
    """Words the other units, of which nobody is asked."""
    spans: SpanFinder | None = None
    """Finds what to ask about for systems that don't; without it, an open unit is asked about."""

    def read(self, dialogue: Dialogue, *, hits: Sequence[Hit]) -> Reading:
        """Return the decision, the states of one rule text's units, and what is asked about."""
        read = hits if self.model.config.reads_many else hits[:1]
        packed = self.packer.pack(dialogue, rules=[hit.rule for hit in read])
        read = read[: packed.rules]
        rules = [hit.rule for hit in read]
        found = findings(self.model.run(packed), packed, dialogue=dialogue, rules=rules)
        asked = self._asked(found, dialogue=dialogue, hits=read)
        place = rules.index(asked.rule) if asked else _most_settled(found)
        judged = self._judged(rules[place], place=place, packed=packed, units=found.units)
        return Reading(
            rule=judged,
            decision=found.decision,
            asks=None if asked is None else self._condition(asked, judged=judged),
        )

    def _asked(
        self, found: Findings, *, dialogue: Dialogue, hits: Sequence[Hit]
    ) -> FoundSpan | None:
        if found.decision is not Decision.INQUIRE:
            return None
        if found.span is not None or self.spans is None:
            return found.span
        return self.spans.find(dialogue, hits=hits)

    def _condition(self, asked: FoundSpan, *, judged: JudgedRule) -> Condition:
        key = next(
            (item.key for item in judged.tree.conditions if item.span.overlaps(asked.span)),
            judged.tree.keys[0],
        )
        return Condition(
            key=key,
            span=asked.span,
            text=asked.span.cut(asked.rule.text),
            question=self.asker.ask(asked.span, rule=asked.rule),
        )

    def _judged(
        self, rule: RuleText, *, place: int, packed: Packed, units: Sequence[UnitState]
    ) -> JudgedRule:
        spans = [unit.span for unit in packed.units if unit.rule == place]
        tree = self._tree(rule, spans=spans)
        known = {unit.span: unit for unit in units if unit.rule == place}
        return JudgedRule(
            rule=rule,
            tree=tree,
            judgements=tuple(
                _judgement(condition, unit=known.get(condition.span))
                for condition in tree.conditions
            ),
        )

    def _tree(self, rule: RuleText, *, spans: Sequence[Span]) -> RuleTree:
        conditions = tuple(
            Condition(
                key=f"u{number}",
                span=span,
                text=span.cut(rule.text),
                question=self.template.ask(span, rule=rule),
            )
            for number, span in enumerate(spans, start=1)
        )
        return RuleTree(
            rule_id=rule.rule_id,
            rule_text=rule.text,
            conditions=conditions,
            logic=_all_of([condition.key for condition in conditions]),
        )


def _all_of(keys: Sequence[str]) -> Logic:
    names = tuple(Name(key) for key in keys)
    return And(names) if len(names) > 1 else names[0]


def _judgement(condition: Condition, *, unit: UnitState | None) -> Judgement:
    if unit is None:
        return Judgement(key=condition.key, state=State.UNKNOWN)
    return Judgement(key=condition.key, state=unit.state, probability=unit.probability)


def _most_settled(found: Findings) -> int:
    """Return the rule text of which most is settled; the best one where that isn't known."""
    settled: dict[int, float] = {0: 0.0}
    for unit in found.units:
        if unit.state is not State.UNKNOWN:
            settled[unit.rule] = settled.get(unit.rule, 0.0) + unit.probability
    return max(settled, key=lambda place: (settled[place], -place))
