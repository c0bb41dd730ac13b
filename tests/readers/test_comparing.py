from __future__ import annotations

import pytest

from clausewise.readers.amounts import amounts, limit
from clausewise.readers.comparing import Compared, compare
from clausewise.readers.digits import in_digits
from clausewise.trees.values import State

DIGITS = {
    "Thirty-five of us": "35 of us",
    "half a million pounds": "500000 pounds",
    "£120k, 3 million and a hundred": "£120000, 3000000 and 100",
    "two and a half years": "2.5 years",
    "for a week, £90 a week": "for 1 week, £90 a week",
    "half an hour": "0.5 hour",
    "I'm in my late forties": "i'm in my between 46 and 49 years old",
}
SETTLED = {
    ("Do you earn less than £300 a week?", "I earn £2,000 a month."): State.CONTRADICTED,
    ("Is the loan for $2 million or less?", "We want $750,000."): State.ENTAILED,
    ("Are you between 18 and 24?", "I'm thirty-one."): State.CONTRADICTED,
    ("Is your partner under 65?", "I'm 70 but my husband is 61."): State.ENTAILED,
    ("Are both of you over 60?", "I'm 67. My wife is 52."): State.CONTRADICTED,
    ("Were you born before 1953?", "I was born in 1948."): State.ENTAILED,
    ("Have you owned it for at least 5 years?", "I've owned it since 2015."): State.ENTAILED,
    ("Did you apply by 31 January?", "I applied in February."): State.CONTRADICTED,
    ("Do you own more than 25% of it?", "I own forty percent."): State.ENTAILED,
    ("Do you have three or more children?", "We have four kids."): State.ENTAILED,
    ("Is it within 10 km of the border?", "It's 4 miles away."): State.ENTAILED,
    ("Does it weigh less than 3.5 tonnes?", "It weighs 900 kg."): State.ENTAILED,
    ("Do you work at least 16 hours a week?", "I do 9 hours a week."): State.CONTRADICTED,
    ("Are you over 60?", "My mother is 82."): State.UNKNOWN,
}
LEFT_ALONE = (
    ("Are you over 60?", "I like tea."),
    ("Are you over 60?", "I'm not 61 yet."),
    ("Are you over 60?", "I was born in 1950."),
    ("Do you earn more than £300 a week?", "I have £300 in savings."),
    ("Do you earn more than £300?", "I earned £200 in May and £400 in June."),
    ("Are you over 60 and retired?", "I'm 67."),
    ("Are you over 60 or disabled?", "I'm 40."),
    ("Do you have at least 2 dogs?", "I have 3 cats."),
    ("Did you move there in 2015?", "I moved in 2016."),
)


@pytest.mark.parametrize(("text", "expected"), DIGITS.items())
def test_numbers_in_words_become_digits(text: str, expected: str) -> None:
    assert in_digits(text) == expected


@pytest.mark.parametrize(("pair", "state"), SETTLED.items())
def test_arithmetic_settles_amounts_of_one_measure(pair: tuple[str, str], state: State) -> None:
    question, said = pair
    compared = compare(question, said=["Hello.", said])
    assert compared is not None
    assert compared.state is state


@pytest.mark.parametrize(("question", "said"), LEFT_ALONE)
def test_what_does_not_compare_for_certain_is_left_to_the_model(question: str, said: str) -> None:
    assert compare(question, said=[said]) is None


def test_the_sentences_that_state_the_amount_are_named() -> None:
    compared = compare("Are you over 60?", said=["Hello.", "I'm 67.", "I like tea."])
    assert compared == Compared(state=State.ENTAILED, places=(1,))


def test_a_range_that_only_may_be_within_the_limit_settles_nothing() -> None:
    wanted, (stated,) = limit("Is it more than £600?"), amounts("It costs over £500.")
    assert wanted is not None
    assert wanted.accepts(stated) is State.UNKNOWN
