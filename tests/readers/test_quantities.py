from __future__ import annotations

import pytest

from clausewise.readers.quantities import Amount, Kind, Limit, limit, stated
from clausewise.trees.values import State

FACTS = {
    "I'm 34.": Amount(kind=Kind.AGE, value=34),
    "I am 34 years old": Amount(kind=Kind.AGE, value=34),
    "My 12-year-old plays chess": Amount(kind=Kind.AGE, value=12),
    "I earn £1,200.50 a month": Amount(kind=Kind.MONEY, value=1200.5, per="month"),
    "We paid $3 million": Amount(kind=Kind.MONEY, value=3_000_000),
    "I have been here for 2 weeks": Amount(kind=Kind.TIME, value=14),
}
LIMITS = {
    "over 65": (Kind.AGE, 65.0, 66.0),
    "16 or over": (Kind.AGE, 15.0, 16.0),
    "under 18": (Kind.AGE, 18.0, 17.0),
    "at least 21 years old": (Kind.AGE, 20.0, 21.0),
    "you earn no more than £300 a week": (Kind.MONEY, 301.0, 300.0),
    "a loan of more than $2 million": (Kind.MONEY, 2e6, 3e6),
    "less than 2 weeks": (Kind.TIME, 14.0, 13.0),
}


@pytest.mark.parametrize(("text", "expected"), FACTS.items())
def test_a_stated_number_keeps_its_kind(text: str, expected: Amount) -> None:
    assert stated(text) == (expected,)


@pytest.mark.parametrize(("text", "expected"), LIMITS.items())
def test_a_limit_accepts_what_its_words_accept(
    text: str, expected: tuple[Kind, float, float]
) -> None:
    kind, outside, inside = expected
    found = limit(text)
    assert found is not None
    assert found.kind is kind
    assert found.judge(Amount(kind=kind, value=outside, per=found.per)) is State.CONTRADICTED
    assert found.judge(Amount(kind=kind, value=inside, per=found.per)) is State.ENTAILED


@pytest.mark.parametrize("text", ["between 16 and 24", "three dogs", "line 4", "over 3 bedrooms"])
def test_what_sets_no_single_plain_limit_is_left_alone(text: str) -> None:
    assert limit(text) is None


def test_numbers_of_another_kind_or_period_say_nothing() -> None:
    weekly = Limit(kind=Kind.MONEY, high=300, per="week")
    assert weekly.judge(Amount(kind=Kind.AGE, value=34)) is State.UNKNOWN
    assert weekly.judge(Amount(kind=Kind.MONEY, value=10, per="month")) is State.UNKNOWN
