from __future__ import annotations

from clausewise.decide import Open, Settled, Stuck, decide
from clausewise.types import Decision, Dialogue, Reading, Turn
from tests.fakes import judged, permit_tree

QUESTION = Dialogue(question="Can I get a second permit?")


def _asked(*questions: str) -> Dialogue:
    turns = tuple(Turn(question=question, answer="don't know") for question in questions)
    return Dialogue(question=QUESTION.question, turns=turns)


def test_one_failed_condition_settles_a_conjunction() -> None:
    outcome = decide(Reading(rule=judged(permit_tree(), b=False)), dialogue=QUESTION)
    assert isinstance(outcome, Settled)
    assert not outcome.verdict
    assert [item.condition.key for item in outcome.because] == ["b"]
    assert outcome.span == outcome.because[0].condition.span


def test_a_yes_rests_on_every_condition_of_a_conjunction() -> None:
    reading = Reading(rule=judged(permit_tree(), a=True, b=True, c=False))
    outcome = decide(reading, dialogue=QUESTION)
    assert isinstance(outcome, Settled)
    assert outcome.verdict
    assert [item.condition.key for item in outcome.because] == ["a", "b", "c"]


def test_the_deciding_clause_reaches_from_the_first_to_the_last_deciding_condition() -> None:
    reading = Reading(rule=judged(permit_tree("a and b or c"), a=True, b=True))
    outcome = decide(reading, dialogue=QUESTION)
    assert isinstance(outcome, Settled)
    clause = outcome.span.cut(reading.rule.rule.text)
    assert clause == "you live in the zone and own two cars"


def test_unknown_is_never_no() -> None:
    outcome = decide(Reading(rule=judged(permit_tree(), a=True, b=True)), dialogue=QUESTION)
    assert isinstance(outcome, Open)
    assert outcome.condition.key == "c"
    assert outcome.questions_left == 1


def test_the_reason_for_a_question_says_what_each_answer_means() -> None:
    outcome = decide(Reading(rule=judged(permit_tree(), a=True, b=True)), dialogue=QUESTION)
    assert isinstance(outcome, Open)
    assert outcome.why == "if yes, the answer is No; if no, the answer is Yes"


def test_a_condition_is_never_asked_about_twice() -> None:
    reading = Reading(rule=judged(permit_tree(), a=True))
    outcome = decide(reading, dialogue=_asked("Do you own two cars?"))
    assert isinstance(outcome, Open)
    assert outcome.condition.key == "c"


def test_when_everything_was_asked_in_vain_it_says_what_would_have_to_be_known() -> None:
    reading = Reading(rule=judged(permit_tree(), a=True))
    outcome = decide(reading, dialogue=_asked("Do you own two cars?", "do you rent"))
    assert outcome == Stuck(conditions=(permit_tree().condition("b"), permit_tree().condition("c")))


def test_asking_goes_on_while_an_answer_can_still_settle_it() -> None:
    # b can't be known any more, but a No to c... leaves it open, a Yes to c decides: No.
    reading = Reading(rule=judged(permit_tree(), a=True))
    outcome = decide(reading, dialogue=_asked("Do you own two cars?"))
    assert isinstance(outcome, Open)


def test_a_reader_with_a_decision_of_its_own_is_followed() -> None:
    reading = Reading(rule=judged(permit_tree()), decision=Decision.YES)
    outcome = decide(reading, dialogue=QUESTION)
    assert isinstance(outcome, Settled)
    assert outcome.verdict
    assert outcome.because == ()


def test_a_reader_that_chose_what_to_ask_about_is_followed() -> None:
    chosen = permit_tree().condition("c")
    reading = Reading(rule=judged(permit_tree(), a=True), decision=Decision.INQUIRE, asks=chosen)
    outcome = decide(reading, dialogue=QUESTION)
    assert isinstance(outcome, Open)
    assert outcome.condition == chosen
    assert outcome.questions_left == 2


def test_a_reader_that_inquires_gets_a_question_chosen() -> None:
    reading = Reading(rule=judged(permit_tree()), decision=Decision.INQUIRE)
    outcome = decide(reading, dialogue=QUESTION)
    assert isinstance(outcome, Open)
    assert outcome.questions_left == 3
