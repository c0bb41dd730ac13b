from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from clausewise.conversation.events import (
    Answered,
    Asked,
    Conversation,
    Event,
    Restarted,
    TookBack,
    replay,
)
from clausewise.types import Dialogue, Turn


def test_nothing_has_been_asked_at_first() -> None:
    assert Conversation().dialogue is None


def test_a_question_and_its_answers_add_up_to_a_dialogue() -> None:
    events = (
        Asked(question="Can I park here?", scenario="I live at 4 Mill Lane."),
        Answered(question="Is it after 6pm?", answer="yes"),
    )
    assert replay(events) == Dialogue(
        question="Can I park here?",
        scenario="I live at 4 Mill Lane.",
        turns=(Turn(question="Is it after 6pm?", answer="yes"),),
    )


def test_taking_back_removes_the_last_answer_and_keeps_the_events() -> None:
    conversation = (
        Conversation()
        .then(Asked(question="Can I park here?"))
        .then(Answered(question="Is it after 6pm?", answer="yes"))
        .then(TookBack())
    )
    assert conversation.dialogue == Dialogue(question="Can I park here?")
    assert len(conversation.events) == 3


def test_taking_back_without_an_answer_takes_the_question_back() -> None:
    assert replay((Asked(question="Can I park here?"), TookBack())) is None


def test_taking_back_nothing_changes_nothing() -> None:
    assert replay((TookBack(),)) is None


def test_restarting_drops_the_case() -> None:
    assert replay((Asked(question="Can I park here?"), Restarted())) is None


def test_a_new_question_begins_a_new_case() -> None:
    events = (
        Asked(question="Can I park here?"),
        Answered(question="Is it after 6pm?", answer="yes"),
        Asked(question="Can I get a permit?"),
    )
    assert replay(events) == Dialogue(question="Can I get a permit?")


def test_an_answer_before_any_question_is_a_bug() -> None:
    with pytest.raises(ValueError, match="before any question"):
        replay((Answered(question="Is it after 6pm?", answer="yes"),))


_answers = st.lists(st.sampled_from(["yes", "no", "don't know"]), max_size=6)


@given(_answers)
def test_taking_every_answer_back_leads_to_the_question_alone(answers: list[str]) -> None:
    said: list[Event] = [Asked(question="Can I park here?")]
    said += [Answered(question=f"Question {n}?", answer=text) for n, text in enumerate(answers)]
    said += [TookBack() for _ in answers]
    assert replay(said) == Dialogue(question="Can I park here?")
