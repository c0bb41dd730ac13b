from __future__ import annotations

from hypothesis import given, settings
from hypothesis import strategies as st

from clausewise.errors import LogicError
from clausewise.trees.evaluate import evaluate, exact, kleene, restrict
from clausewise.trees.logic import Logic, format_logic, is_read_once, names, parse_logic
from clausewise.trees.values import State
from tests.properties.logics import (
    KNOWN,
    agreed,
    completions,
    logics,
    logics_with_states,
    read_once_logics,
    truth,
)


@settings(max_examples=150, deadline=None)
@given(logic=logics(leaves=25))
def test_printed_logic_reads_back_to_an_equal_value(logic: Logic) -> None:
    assert parse_logic(format_logic(logic)) == logic


@settings(max_examples=100, deadline=None)
@given(logic=logics(keys=4))
def test_printed_logic_means_the_same_to_python(logic: Logic) -> None:
    def atleast(count: int, *parts: bool) -> bool:
        return sum(parts) >= count

    code = compile(format_logic(logic), "logic", "eval")
    for assignment in completions(logic, {}):
        assert eval(code, {"atleast": atleast}, assignment) == truth(logic, assignment)


@settings(max_examples=100, deadline=None)
@given(logic=logics())
def test_no_parenthesis_can_be_left_out(logic: Logic) -> None:
    text = format_logic(logic)
    for opens in (place for place, char in enumerate(text) if char == "("):
        if text[:opens].endswith("atleast"):
            continue
        closes = _closing(text, opens)
        shorter = text[:opens] + text[opens + 1 : closes] + text[closes + 1 :]
        assert parse_logic(shorter) != logic


def _closing(text: str, opens: int) -> int:
    depth = 0
    for place in range(opens, len(text)):
        depth += {"(": 1, ")": -1}.get(text[place], 0)
        if depth == 0:
            return place
    raise AssertionError(text)


@settings(max_examples=200, deadline=None)
@given(text=st.text("ab ()notrdleast,123", max_size=40) | st.text(max_size=30))
def test_any_text_parses_or_is_refused_with_a_column_inside_it(text: str) -> None:
    try:
        logic = parse_logic(text)
    except LogicError as error:
        column = error.where.column
        assert column is not None
        assert 1 <= column <= len(text) + 1
    else:
        assert parse_logic(format_logic(logic)) == logic


@settings(max_examples=60, deadline=None)
@given(found=logics_with_states())
def test_exact_evaluation_is_what_all_completions_agree_on(
    found: tuple[Logic, dict[str, State]],
) -> None:
    logic, states = found
    assert exact(logic, states) is evaluate(logic, states) is agreed(logic, states)


@settings(max_examples=100, deadline=None)
@given(found=logics_with_states())
def test_kleene_never_says_more_than_the_completions(
    found: tuple[Logic, dict[str, State]],
) -> None:
    logic, states = found
    assert kleene(logic, states) in {exact(logic, states), State.UNKNOWN}


@settings(max_examples=100, deadline=None)
@given(logic=read_once_logics(), data=st.data())
def test_kleene_is_exact_where_every_key_occurs_once(logic: Logic, data: st.DataObject) -> None:
    states = {key: data.draw(st.sampled_from(list(State))) for key in names(logic)}
    if is_read_once(logic):
        assert kleene(logic, states) is agreed(logic, states)


@settings(max_examples=100, deadline=None)
@given(logic=logics(), data=st.data())
def test_both_agree_with_two_valued_logic_when_all_is_known(
    logic: Logic, data: st.DataObject
) -> None:
    assignment = {key: data.draw(st.booleans()) for key in names(logic)}
    states = {key: State.of(value) for key, value in assignment.items()}
    expected = State.of(truth(logic, assignment))
    assert kleene(logic, states) is exact(logic, states) is expected


@settings(max_examples=150, deadline=None)
@given(found=logics_with_states(), data=st.data())
def test_a_decided_value_stays_when_more_becomes_known(
    found: tuple[Logic, dict[str, State]], data: st.DataObject
) -> None:
    logic, states = found
    more = {
        key: data.draw(st.sampled_from(KNOWN)) if state is State.UNKNOWN else state
        for key, state in states.items()
    }
    for value_of in (kleene, exact, evaluate):
        before = value_of(logic, states)
        assert before in {State.UNKNOWN, value_of(logic, more)}


@settings(max_examples=100, deadline=None)
@given(found=logics_with_states(keys=6), data=st.data())
def test_what_is_left_has_the_value_of_the_whole(
    found: tuple[Logic, dict[str, State]], data: st.DataObject
) -> None:
    logic, states = found
    left = restrict(logic, states)
    assignment = data.draw(st.sampled_from(list(completions(logic, states))))
    value = left if isinstance(left, bool) else truth(left, assignment)
    assert value == truth(logic, assignment)
    if not isinstance(left, bool):
        assert all(states[key] is State.UNKNOWN for key in names(left))
