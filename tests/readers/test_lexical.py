from __future__ import annotations

import pytest

from clausewise.readers.lexical import LexicalJudge
from clausewise.trees.values import Condition, Span, State
from clausewise.types import Dialogue, Judgement, Turn, UserWords, WordsFrom


def condition(
    question: str, *, key: str = "a", text: str = "", also: tuple[str, ...] = ()
) -> Condition:
    text = text or question
    return Condition(
        key=key, span=Span(start=0, end=len(text)), text=text, question=question, paraphrases=also
    )


BOAT = condition("Do you own a rowing boat?", key="boat", text="own a rowing boat")
CARD = condition("Do you hold a club card?", key="card", text="hold a club card")
CHILD = condition("Is your child under 5?", key="child", text="your child is under 5")
AGE = condition("Are you 16 or over?", key="age", text="are 16 or over")


def judge(
    *conditions: Condition, scenario: str = "", turns: tuple[tuple[str, str], ...] = ()
) -> list[State]:
    return [
        judgement.state for judgement in judgements(*conditions, scenario=scenario, turns=turns)
    ]


def judgements(
    *conditions: Condition, scenario: str = "", turns: tuple[tuple[str, str], ...] = ()
) -> tuple[Judgement, ...]:
    said = tuple(Turn(question=question, answer=answer) for question, answer in turns)
    dialogue = Dialogue(question="May I moor here?", scenario=scenario, turns=said)
    return LexicalJudge().judge(conditions, dialogue=dialogue)


def test_an_answered_question_settles_its_condition_and_no_other() -> None:
    found = judgements(BOAT, CARD, turns=(("do you hold a club card", "No, it expired."),))
    assert [judgement.state for judgement in found] == [State.UNKNOWN, State.CONTRADICTED]
    assert found[1].words == UserWords(
        said_in=WordsFrom.ANSWER, text="No, it expired.", question="do you hold a club card"
    )


def test_a_paraphrase_settles_too() -> None:
    card = condition("Are you a member?", also=("Do you have a club card?",))
    assert judge(card, turns=(("Do you have a club card?", "yep"),)) == [State.ENTAILED]


def test_a_question_in_nearly_the_same_words_settles_the_best_match_only() -> None:
    other = condition("Do you own a rowing machine?", key="machine")
    turns = (("Do you currently own any rowing boat?", "yes"),)
    assert judge(other, BOAT, turns=turns) == [State.UNKNOWN, State.ENTAILED]


def test_a_question_of_another_matter_settles_nothing() -> None:
    assert judge(BOAT, turns=(("Is it raining?", "yes"),)) == [State.UNKNOWN]


def test_yes_to_the_opposite_question_is_a_no() -> None:
    turns = (("Is it true that you do not own a rowing boat?", "yes"),)
    assert judge(BOAT, turns=turns) == [State.CONTRADICTED]


def test_the_latest_answer_wins() -> None:
    turns = ((BOAT.question, "yes"), (BOAT.question, "no"))
    assert judge(BOAT, turns=turns) == [State.CONTRADICTED]


def test_not_knowing_outranks_the_scenario_and_stays_unknown() -> None:
    turns = ((BOAT.question, "I don't know"),)
    assert judge(BOAT, scenario="I own a rowing boat.", turns=turns) == [State.UNKNOWN]


def test_a_free_answer_is_read_as_text() -> None:
    turns = ((BOAT.question, "My rowing boat is the one I own in the shed"),)
    assert judge(BOAT, turns=turns) == [State.ENTAILED]


def test_a_free_answer_to_one_question_may_settle_another() -> None:
    turns = ((BOAT.question, "Yes. I hold a club card too."),)
    assert judge(BOAT, CARD, turns=turns) == [State.ENTAILED, State.ENTAILED]


def test_the_scenario_settles_in_the_exact_words_of_a_sentence() -> None:
    found = judgements(CARD, scenario="Hello there. I hold a club card!  It is blue.")[0]
    assert found.state is State.ENTAILED
    assert found.words == UserWords(said_in=WordsFrom.SCENARIO, text="I hold a club card!")


SAYS = {
    "I own a rowing boat.": State.ENTAILED,
    "I don't own a rowing boat.": State.CONTRADICTED,
    "I no longer own a rowing boat": State.CONTRADICTED,
    "I have never owned a rowing boat": State.CONTRADICTED,
    "I own a rowing boat and I don't like rain": State.ENTAILED,
    "I lost the rowing boat that I own": State.UNKNOWN,
    "My brother owns a rowing boat": State.UNKNOWN,
    "I like rowing": State.UNKNOWN,
    "": State.UNKNOWN,
}


@pytest.mark.parametrize(("scenario", "state"), SAYS.items())
def test_denials_flip_and_doubts_leave_open(scenario: str, state: State) -> None:
    assert judge(BOAT, scenario=scenario) == [state]


AGES = {
    "I am 34.": State.ENTAILED,
    "I'm 15 and I love boats": State.CONTRADICTED,
    "My son is 34.": State.UNKNOWN,
    "The fee is £34.": State.UNKNOWN,
    "I'm not 34.": State.UNKNOWN,
    "Between 12 and 34 of us will come": State.UNKNOWN,
}


@pytest.mark.parametrize(("scenario", "state"), AGES.items())
def test_ages_are_compared_when_they_are_the_persons(scenario: str, state: State) -> None:
    assert judge(AGE, scenario=scenario) == [state]


def test_the_age_of_a_child_is_compared_with_the_limit_for_the_child() -> None:
    assert judge(CHILD, scenario="My child is 3.") == [State.ENTAILED]
    assert judge(CHILD, scenario="I am 3.") == [State.UNKNOWN]
