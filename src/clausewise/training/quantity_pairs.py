"""Questions about quantities with what people say of them, made by arithmetic.

Reviewed trees hold too few numbers to learn from that 34 is not over 65. Here the numbers are
drawn, and the right label is computed; a number about something else settles nothing.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Mapping
from dataclasses import dataclass

from clausewise.training.judge_pairs import JudgedPair
from clausewise.training.number_words import in_words
from clausewise.trees.values import State

OPERATORS: Mapping[str, Callable[[float, float, float], bool]] = {
    "over": lambda value, low, _: value > low,
    "at least": lambda value, low, _: value >= low,
    "under": lambda value, low, _: value < low,
    "at most": lambda value, low, _: value <= low,
    "between": lambda value, low, high: low <= value <= high,
}
_PHRASES: Mapping[str, tuple[str, ...]] = {
    "over": ("more than {low}", "over {low}", "above {low}"),
    "at least": ("at least {low}", "{low} or more", "no less than {low}"),
    "under": ("less than {low}", "under {low}", "below {low}"),
    "at most": ("at most {low}", "{low} or less", "no more than {low}", "up to {low}"),
    "between": ("between {low} and {high}", "from {low} to {high}"),
}
_AGES: Mapping[str, tuple[str, ...]] = {
    "over": ("over {low}", "older than {low}"),
    "at least": ("{low} or over", "at least {low}", "aged {low} or above", "{low} or older"),
    "under": ("under {low}", "younger than {low}", "under the age of {low}"),
    "at most": ("{low} or under", "{low} or younger", "no older than {low}"),
    "between": ("between {low} and {high}", "aged {low} to {high}"),
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Measure:
    """Something that is measured, how it is asked about, and how people say it."""

    asked: tuple[str, ...]
    """With a place {} for a phrase such as 'more than 16'."""
    said: tuple[str, ...]
    """With a place {} for the value with its unit."""
    values: tuple[int, int]
    """The least and the greatest value, in the unit of the first of `units`."""
    units: tuple[tuple[str, float], ...] = (("{}", 1.0),)
    """How a value is written in each unit, and how many of the first unit make one of it."""
    step: int = 1
    """Values are multiples of it, so that thresholds look as they do in rules."""
    phrases: Mapping[str, tuple[str, ...]] | None = None


_MONEY_A_WEEK = (("£{} a week", 1.0), ("£{} a month", 12 / 52), ("£{} a year", 1 / 52))
_TIME = (("{} weeks", 1.0), ("{} months", 52 / 12), ("{} years", 52.0), ("{} days", 1 / 7))
MEASURES = (
    Measure(
        asked=("Are you {}?", "Is your age {}?"),
        said=("I'm {}.", "I am {} years old.", "I turned {} last month.", "At {}, I feel fine."),
        values=(12, 85),
        phrases=_AGES,
    ),
    Measure(
        asked=("Is your child {}?", "Is the child {}?"),
        said=("My daughter is {}.", "Our son is {} years old.", "My little one just turned {}."),
        values=(1, 20),
        phrases=_AGES,
    ),
    Measure(
        asked=("Is your partner {}?",),
        said=("My husband is {}.", "My wife turned {} in spring.", "My partner is {} years old."),
        values=(18, 80),
        phrases=_AGES,
    ),
    Measure(
        asked=("Do you earn {}?", "Are your earnings {}?", "Do you get paid {}?"),
        said=("I earn {}.", "I make about {}.", "My wages come to {}.", "My boss pays me {}."),
        values=(50, 900),
        units=_MONEY_A_WEEK,
        step=5,
    ),
    Measure(
        asked=("Do you have savings of {}?", "Are your savings {}?"),
        said=("I've got {} put away.", "I have savings of {}.", "There's {} in my account."),
        values=(1, 40),
        units=(("£{},000", 1.0), ("£{}k", 1.0), ("${},000", 1.0)),
    ),
    Measure(
        asked=("Is the cost {}?", "Does it cost {}?", "Is the price {}?"),
        said=("It costs {}.", "They charged me {}.", "The bill came to {}.", "I paid {} for it."),
        values=(10, 2000),
        units=(("£{}", 1.0), ("${}", 1.0)),
        step=10,
    ),
    Measure(
        asked=("Do you work {}?", "Are you working {}?"),
        said=("I work {}.", "I do {}.", "My contract is for {}.", "I put in {} at the shop."),
        values=(4, 50),
        units=(("{} hours a week", 1.0),),
    ),
    Measure(
        asked=("Have you lived here for {}?", "Have you been resident for {}?"),
        said=("I've lived here for {}.", "I moved here {} ago.", "This has been home for {}."),
        values=(2, 520),
        units=_TIME,
        step=2,
    ),
    Measure(
        asked=("Have you worked for your employer for {}?", "Have you been employed for {}?"),
        said=("I've been in this job for {}.", "I started working there {} ago."),
        values=(2, 300),
        units=_TIME,
    ),
    Measure(
        asked=("Is your baby due in {}?", "Is the deadline {} away?", "Does it start in {}?"),
        said=("It's {} from now.", "That's {} away.", "There are {} to go."),
        values=(1, 60),
        units=_TIME[:2],
    ),
    Measure(
        asked=("Did you apply within {} of it?", "Was the claim made {} afterwards?"),
        said=("I applied {} later.", "I sent the form {} after it happened."),
        values=(1, 60),
        units=_TIME,
    ),
    Measure(
        asked=("Do you have {} children?", "Are there {} children in your household?"),
        said=("I have {} kids.", "We've got {} children at home.", "There are {} children here."),
        values=(1, 8),
    ),
    Measure(
        asked=("Do you employ {} people?", "Does your business have {} employees?"),
        said=("There are {} of us at the firm.", "I employ {} people.", "My staff numbers {}."),
        values=(1, 300),
    ),
    Measure(
        asked=("Do you own {} of the company?", "Is your share {}?"),
        said=("I hold {} of it.", "My stake is {}.", "I own {} of the shares."),
        values=(5, 95),
        units=(("{}%", 1.0), ("{} percent", 1.0)),
        step=5,
    ),
    Measure(
        asked=("Do you live {} away?", "Is the school {} from your home?"),
        said=("It's {} from my door.", "We live {} away.", "The walk is {}."),
        values=(1, 40),
        units=(("{} miles", 1.0), ("{} km", 0.62)),
    ),
    Measure(
        asked=("Were you born in a year {}?", "Was it built in a year {}?", "Is the year {}?"),
        said=("It was in {}.", "The year was {}.", "That happened back in {}."),
        values=(1930, 2024),
        phrases={
            "over": ("after {low}",),
            "at least": ("{low} or later", "from {low} on"),
            "under": ("before {low}", "earlier than {low}"),
            "at most": ("{low} or earlier", "up to {low}"),
            "between": ("between {low} and {high}",),
        },
    ),
)


def quantity_pairs(count: int, *, lot: random.Random) -> list[JudgedPair]:
    """Return pairs about quantities, drawn by lot; one in five settles nothing."""
    return [_pair(lot.choice(MEASURES), lot=lot) for _ in range(count)]


@dataclass(frozen=True, slots=True, kw_only=True)
class _Amount:
    """A value in the first unit of its measure, and as it is written in another."""

    value: float
    text: str


def _pair(measure: Measure, *, lot: random.Random) -> JudgedPair:
    low, high = _drawn(measure, lot=lot), _drawn(measure, lot=lot)
    low, high = sorted((low, high), key=lambda amount: amount.value)
    operator = lot.choice(tuple(OPERATORS))
    said = _near(low, measure=measure, lot=lot)
    state = State.of(OPERATORS[operator](said.value, low.value, high.value))
    statement = lot.choice(measure.said).format(said.text)
    if lot.random() < 0.2:
        other = lot.choice([one for one in MEASURES if not _alike(one, measure)])
        statement = lot.choice(other.said).format(_drawn(other, lot=lot).text)
        state = State.UNKNOWN
    phrase = lot.choice((measure.phrases or _PHRASES)[operator])
    asked = phrase.format(low=low.text, high=high.text)
    return JudgedPair(question=lot.choice(measure.asked).format(asked), said=statement, state=state)


def _alike(one: Measure, other: Measure) -> bool:
    """Say whether what is said of the one might be taken for the other."""
    return one is other or bool({unit for unit, _ in one.units} & {unit for unit, _ in other.units})


def _drawn(measure: Measure, *, lot: random.Random) -> _Amount:
    least, greatest = measure.values
    return _in_some_unit(lot.randrange(least, greatest + 1, measure.step), measure, lot=lot)


def _near(threshold: _Amount, *, measure: Measure, lot: random.Random) -> _Amount:
    """Return a value; a third are close to the threshold, where it is hardest to tell."""
    if lot.random() > 0.33:
        return _drawn(measure, lot=lot)
    near = round(threshold.value) + measure.step * lot.choice((-2, -1, 0, 1, 2))
    least, greatest = measure.values
    return _in_some_unit(min(max(near, least), greatest), measure, lot=lot)


def _in_some_unit(value: int, measure: Measure, *, lot: random.Random) -> _Amount:
    unit, size = measure.units[0] if lot.random() < 0.5 else lot.choice(measure.units)
    number = max(1, round(value / size))
    return _Amount(value=number * size, text=unit.format(_written(number, unit=unit, lot=lot)))


def _written(number: int, *, unit: str, lot: random.Random) -> str:
    in_signs = any(sign in unit for sign in "£$%")
    if number < 100 and not in_signs and lot.random() < 0.3:
        return in_words(number)
    return f"{number:,}" if number > 9999 else str(number)
