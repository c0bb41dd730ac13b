"""The judge that ships, on cases written by hand: quantities, denials, both, only and unknowns."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from clausewise.build import build_judge
from clausewise.trees.values import Condition, Span, State
from clausewise.types import Dialogue

CASES = Path(__file__).with_name("quantity_cases.txt")
LABELS = {"E": State.ENTAILED, "C": State.CONTRADICTED, "U": State.UNKNOWN}


@dataclass(frozen=True, slots=True, kw_only=True)
class Case:
    """What a person came with and said, and what follows for the question of a condition."""

    dialogue: Dialogue
    question: str
    state: State


def _cases() -> Iterator[Case]:
    """Yield the cases of the file: '# ' and the person's question, then 'E | condition | said'."""
    about = ""
    for line in filter(None, CASES.read_text(encoding="utf-8").splitlines()):
        if line.startswith("# "):
            about = line.removeprefix("# ")
            continue
        label, question, said = line.split(" | ")
        dialogue = Dialogue(question=about, scenario=said)
        yield Case(dialogue=dialogue, question=question, state=LABELS[label])


def test_nine_cases_in_ten_are_judged_as_a_person_would() -> None:
    judge, cases = build_judge("neural"), list(_cases())
    wrong = []
    for case in cases:
        text = case.question.removesuffix("?")
        span = Span(start=0, end=len(text))
        condition = Condition(key="a", span=span, text=text, question=case.question)
        (judged,) = judge.judge([condition], dialogue=case.dialogue)
        if judged.state is not case.state:
            wrong.append(f"{case.question} | {case.dialogue.scenario} -> {judged.state.value}")
    assert len(cases) >= 150
    assert 1 - len(wrong) / len(cases) >= 0.9, "\n".join(wrong)
