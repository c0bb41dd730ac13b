from __future__ import annotations

from clausewise.datasets.dialogues import simulate
from clausewise.datasets.orsharc import Gold, Sample
from clausewise.readers.transformer.encode import Part, Piece
from clausewise.training.reader_examples import (
    SpanState,
    decision_of,
    noisy_examples,
    tree_example,
    unit_states,
)
from clausewise.trees.values import Span, State
from clausewise.types import Decision, Dialogue, RuleText, Turn
from tests.datasets.trees import TREES

RULE = RuleText(
    rule_id="r",
    text="You can get help with your bills. You must be over 60 and live in the county.",
)
SAMPLE = Sample(
    utterance_id="s",
    dialogue=Dialogue(
        question="Can I get help?",
        scenario="I moved to the county last year.",
        turns=(Turn(question="Are you over 60?", answer="No"),),
    ),
    gold=Gold(
        answer="Do you get help with your bills?",
        rule_id="r",
        evidence=(Turn(question="Do you live in the county?", answer="Yes"),),
    ),
)


def unit(start: int, end: int, *, rule: int = 0) -> Piece:
    return Piece(part=Part.UNIT, start=0, end=1, rule=rule, span=Span(start=start, end=end))


def test_edit_distance_finds_what_turns_and_evidence_are_about() -> None:
    (example,) = noisy_examples([SAMPLE], rules={"r": RULE})
    said = [(one.span.cut(RULE.text), one.state) for one in example.settled]
    # 'you live in the county' is one word from 'live in the county'; 'you over 60' from 'over 60'
    assert said == [
        ("live in the county", State.ENTAILED),
        ("over 60", State.CONTRADICTED),
    ]


def test_edit_distance_finds_what_the_right_question_is_about() -> None:
    (example,) = noisy_examples([SAMPLE], rules={"r": RULE})
    assert example.decision is Decision.INQUIRE
    assert example.asked is not None
    assert example.asked.cut(RULE.text) == "get help with your bills"


def test_all_that_was_asked_about_a_rule_tells_its_conditions() -> None:
    other = Sample(
        utterance_id="t", dialogue=Dialogue(question="?"), gold=Gold(answer="Yes", rule_id="r")
    )
    _, example = noisy_examples([SAMPLE, other], rules={"r": RULE})
    assert [span.cut(RULE.text) for span in example.conditions] == [
        "get help with your bills", "over 60", "live in the county",
    ]  # fmt: skip
    assert example.asked is None


def test_the_unit_that_shares_most_with_a_span_has_its_state() -> None:
    units = [unit(0, 10), unit(10, 30), unit(30, 40)]
    settled = [SpanState(span=Span(start=8, end=20), state=State.ENTAILED)]
    assert unit_states(settled, units=units, rule=0) == (
        State.UNKNOWN, State.ENTAILED, State.UNKNOWN,
    )  # fmt: skip


def test_units_of_other_rule_texts_and_spans_that_were_cut_off_stay_unknown() -> None:
    units = [unit(0, 10, rule=1), unit(0, 5, rule=0)]
    settled = [SpanState(span=Span(start=6, end=9), state=State.ENTAILED)]
    assert set(unit_states(settled, units=units, rule=0)) == {State.UNKNOWN}


def test_a_tree_tells_spans_and_states_exactly() -> None:
    for sample in simulate(TREES, count=40, seed=1):
        rule = RuleText(rule_id="x", text=sample.rule_text)
        example = tree_example(sample, rule=rule)
        known = {one.condition.span: one.state for one in sample.conditions}
        assert all(known[one.span] is one.state for one in example.settled)
        assert (example.asked is None) == (example.decision is not Decision.INQUIRE)
        assert decision_of(sample.sample) is example.decision
