from __future__ import annotations

import random
import time

import pytest

from clausewise.trees.evaluate import evaluate
from clausewise.trees.explain import because, flips, states_after
from clausewise.trees.logic import And, AtLeast, Logic, Name, Not, Or, parse_logic
from clausewise.trees.values import State
from tests.trees.build import states_of


@pytest.mark.parametrize(
    ("logic", "states", "reason"),
    [
        ("a and b", "a yes, b yes", ("a", "b")),
        ("a and b", "a no, b no", ("a",)),
        ("a and b or c", "a yes, b yes, c yes", ("c",)),
        ("a and (b or c)", "a yes, b yes, c yes", ("a", "b")),
        ("a and not b", "a yes, b yes", ("b",)),
        ("atleast(2, a, b, c)", "a yes, b no, c yes", ("a", "c")),
        ("a or not a", "a yes", ()),
        ("a and b or not a and b", "a yes, b yes", ("b",)),
        ("a and b or c or not a", "a yes, b no, c yes", ("c",)),
    ],
)
def test_a_smallest_set_of_conditions_forces_the_value(
    logic: str, states: str, reason: tuple[str, ...]
) -> None:
    assert because(parse_logic(logic), states=states_of(states)) == reason


@pytest.mark.parametrize(
    ("logic", "states", "changes"),
    [
        ("a and b", "a yes, b yes", (("a",), ("b",))),
        ("a and b", "a no, b no", (("a", "b"),)),
        ("a and b", "a no", (("a", "b"),)),
        ("a and not b", "a no", (("a", "b"),)),
        ("a and (b or c)", "a yes, b yes, c yes", (("a",),)),
        ("a or not a", "a yes", ()),
        ("a and (b and c or not b and not c)", "a no", (("a", "b", "c"),)),
        ("a and (b or c)", "a no", (("a", "b"), ("a", "c"))),
    ],
)
def test_the_smallest_changes_flip_the_answer(
    logic: str, states: str, changes: tuple[tuple[str, ...], ...]
) -> None:
    assert flips(parse_logic(logic), states=states_of(states)) == changes


def test_the_states_after_a_change_say_how_unknown_conditions_are_settled() -> None:
    logic = parse_logic("a and not b")
    after = states_after(logic, states=states_of("a no"), change=("a", "b"))
    assert after == states_of("a yes, b no")
    assert states_after(logic, states=states_of("a no"), change=("a",)) is None


def test_an_open_value_has_no_reason_and_nothing_flips_it() -> None:
    with pytest.raises(ValueError, match="the value is open"):
        because(parse_logic("a and b"), states=states_of("a yes"))
    with pytest.raises(ValueError, match="the value is open"):
        flips(parse_logic("a and b"), states=states_of("a yes"))


def test_changes_are_as_many_as_asked_for() -> None:
    logic = AtLeast(4, tuple(Name(f"k{number}") for number in range(8)))
    states = {f"k{number}": State.CONTRADICTED for number in range(8)}
    assert len(flips(logic, states=states)) == 70
    assert flips(logic, states=states, limit=2) == (
        ("k0", "k1", "k2", "k3"),
        ("k0", "k1", "k2", "k4"),
    )


def test_above_twenty_conditions_no_part_of_a_reason_can_be_left_out() -> None:
    keys = [f"k{number}" for number in range(30)]
    logic = Or(tuple(And((Name(a), Name(b))) for a, b in zip(keys[::2], keys[1::2], strict=True)))
    states = {key: State.of(key not in {"k0", "k3"}) for key in keys}
    reason = because(logic, states=states)
    assert evaluate(logic, {key: states[key] for key in reason}) is State.ENTAILED
    for key in reason:
        rest = {other: states[other] for other in reason if other != key}
        assert evaluate(logic, rest) is State.UNKNOWN


def test_above_twenty_conditions_small_changes_are_still_found() -> None:
    keys = [f"k{number}" for number in range(30)]
    logic = And(tuple(Name(key) for key in keys))
    states = {key: State.of(key not in {"k4", "k7"}) for key in keys}
    assert flips(logic, states=states) == (("k4", "k7"),)
    assert flips(logic, states=dict.fromkeys(keys, State.ENTAILED), limit=2) == (("k0",), ("k1",))


def _random_logic(keys: list[str], *, rng: random.Random) -> Logic:
    if len(keys) == 1:
        return Not(Name(keys[0])) if rng.random() < 0.3 else Name(keys[0])
    cut = rng.randrange(1, len(keys))
    parts = (_random_logic(keys[:cut], rng=rng), _random_logic(keys[cut:], rng=rng))
    return rng.choice((And(parts), Or(parts), AtLeast(rng.randint(1, 2), parts)))


def test_twenty_conditions_are_explained_in_milliseconds() -> None:
    rng = random.Random(7)
    keys = [f"k{number}" for number in range(20)]
    slowest = 0.0
    for _ in range(10):
        logic = _random_logic(keys + rng.sample(keys, 20), rng=rng)
        states = {key: State.of(rng.random() < 0.5) for key in keys}
        began = time.process_time()
        because(logic, states=states)
        flips(logic, states=states)
        slowest = max(slowest, time.process_time() - began)
    assert slowest < 0.1  # some 3 ms on an idle core; a test machine may be slow and busy
