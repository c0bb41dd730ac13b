"""What a simulated sample knows beyond a real one: the state of every condition, word for word.

Written as JSON lines it is a file of samples like any other, with the extra fields beside.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from clausewise.datasets.orsharc import Sample
from clausewise.files import write_whole
from clausewise.trees.values import Condition, State
from clausewise.types import Turn, WordsFrom


@dataclass(frozen=True, slots=True, kw_only=True)
class KnownCondition:
    """A condition, whether it holds as far as the dialogue tells, and where that was said."""

    condition: Condition
    state: State
    said_in: WordsFrom | None = None
    """None exactly where the state is unknown."""


@dataclass(frozen=True, slots=True, kw_only=True)
class SimulatedSample:
    """A sample with everything that a reader could be taught from it."""

    sample: Sample
    rule_text: str
    conditions: tuple[KnownCondition, ...]
    """All conditions of the tree, in its order."""
    asked: Condition | None = None
    """The condition that the gold answer asks about; None where it is Yes or No."""
    reversed: bool = False
    """Whether the question asks for the opposite of what the tree's logic says."""

    def to_json(self) -> Mapping[str, object]:
        """Return the fields of OR-ShARC's data and the extra ones."""
        sample, gold = self.sample, self.sample.gold
        return {
            "utterance_id": sample.utterance_id,
            "tree_id": sample.tree_id,
            "question": sample.dialogue.question,
            "scenario": sample.dialogue.scenario,
            "history": _turns(sample.dialogue.turns),
            "evidence": _turns(gold.evidence),
            "answer": gold.answer,
            "gold_snippet_id": gold.rule_id,
            "snippet_seen": gold.seen,
            "rule_text": self.rule_text,
            "conditions": [_known(condition) for condition in self.conditions],
            "asked": None if self.asked is None else _condition(self.asked),
            "reversed": self.reversed,
        }


def write_samples(samples: Iterable[SimulatedSample], *, path: Path) -> None:
    """Write one JSON object a line; `read_samples` reads the part that all samples have."""
    write_whole(path, (json.dumps(each.to_json(), ensure_ascii=False) + "\n" for each in samples))


def _turns(turns: Sequence[Turn]) -> Sequence[Mapping[str, str]]:
    return [
        {"follow_up_question": turn.question, "follow_up_answer": turn.answer} for turn in turns
    ]


def _condition(condition: Condition) -> Mapping[str, object]:
    span = [condition.span.start, condition.span.end]
    return {"key": condition.key, "text": condition.text, "span": span}


def _known(known: KnownCondition) -> Mapping[str, object]:
    said_in = None if known.said_in is None else known.said_in.value
    return {**_condition(known.condition), "state": known.state.value, "said_in": said_in}
