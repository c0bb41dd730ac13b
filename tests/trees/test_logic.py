from __future__ import annotations

import time

import pytest

from clausewise.errors import LogicError
from clausewise.trees.logic import (
    MAX_DEPTH,
    MAX_LENGTH,
    And,
    AtLeast,
    Logic,
    Name,
    Not,
    Or,
    all_of,
    any_of,
    format_logic,
    is_read_once,
    names,
    parse_logic,
)

A, B, C = Name("a"), Name("b"), Name("c")


@pytest.mark.parametrize(
    ("text", "logic"),
    [
        ("a", A),
        ("not a", Not(A)),
        ("a and b or c", Or((And((A, B)), C))),
        ("a and (b or c)", And((A, Or((B, C))))),
        ("not a and b", And((Not(A), B))),
        ("not (a and b)", Not(And((A, B)))),
        ("not not a", Not(Not(A))),
        ("atleast(2, a, b and c, not a)", AtLeast(2, (A, And((B, C)), Not(A)))),
        ("on and yes_1 or _n", Or((And((Name("on"), Name("yes_1"))), Name("_n")))),
    ],
)
def test_text_becomes_logic_and_back(text: str, logic: Logic) -> None:
    assert parse_logic(text) == logic
    assert format_logic(logic) == text


@pytest.mark.parametrize(
    ("text", "shortest"),
    [
        ("((a))", "a"),
        ("a and (b and c)", "a and b and c"),
        ("(a or b) or c", "a or b or c"),
        ("(a and b) or c", "a and b or c"),
        ("not (a)", "not a"),
        ("atleast(1, (a), (b or c))", "atleast(1, a, b or c)"),
        ("a\n  and\tb", "a and b"),
    ],
)
def test_parentheses_and_spaces_that_change_nothing_are_dropped(text: str, shortest: str) -> None:
    assert format_logic(parse_logic(text)) == shortest


@pytest.mark.parametrize(
    ("text", "column", "expected"),
    [
        ("", 1, "the end at column 1 of '': expected a key"),
        ("a and", 6, "the end at column 6 of 'a and': expected a key"),
        ("a b", 3, "'b' at column 3 of 'a b': expected 'and', 'or' or the end"),
        ("(a or b", 8, "expected ')'"),
        ("a)", 2, "')' at column 2 of 'a)': expected 'and', 'or' or the end"),
        ("a AND b", 3, "expected 'and' in small letters"),
        ("NOT a", 1, "expected 'not' in small letters"),
        ("a & b", 3, "'&' at column 3"),
        ("a and or b", 7, "'or' at column 7 of 'a and or b': expected a key"),
        ("atleast(a, b)", 9, "expected how many, as in atleast(2, a, b, c)"),
        ("atleast(3, a, b)", 9, "expected a count from 1 to the number of parts, 2"),
        ("atleast(0, a, b)", 9, "expected a count from 1 to the number of parts, 2"),
        ("atleast(99999999999999999999, a)", 9, "expected a count from 1"),
        ("atleast(²)", 9, "expected how many"),
        ("atleast 2", 9, "expected '('"),
        ("a and ä", 7, "'ä' at column 7"),
        ("__import__('os')", 11, "'(' at column 11"),
    ],
)
def test_logic_that_does_not_parse_is_refused_with_its_column(
    text: str, column: int, expected: str
) -> None:
    with pytest.raises(LogicError) as caught:
        parse_logic(text)
    assert caught.value.where.column == column
    assert expected in str(caught.value)


def test_an_unknown_key_is_refused_with_its_column_and_the_nearest_key() -> None:
    with pytest.raises(LogicError, match="did you mean 'resident'") as caught:
        parse_logic("a and residnet", keys=["a", "resident"])
    assert caught.value.where.column == 7


@pytest.mark.parametrize(
    "text",
    ["(" * 100_000, "(" * 10_000, "not " * 4_900 + "a", "atleast(1," * 1_900, "((" * 9_000 + "a"],
)
def test_hostile_nesting_is_refused_in_milliseconds(text: str) -> None:
    began = time.process_time()
    with pytest.raises(LogicError):
        parse_logic(text)
    assert time.process_time() - began < 0.25


def test_a_flat_logic_of_thousands_of_parts_is_fine() -> None:
    text = " or ".join(f"k{number}" for number in range(2_000))
    assert len(text) < MAX_LENGTH
    logic = parse_logic(text)
    assert len(names(logic)) == 2_000
    assert format_logic(logic) == text
    assert logic == parse_logic(text)
    assert hash(logic) == hash(parse_logic(text))


def test_the_deepest_logic_can_be_built_compared_hashed_and_printed() -> None:
    def deep(depth: int) -> Logic:
        logic: Logic = A
        while logic.depth < depth:
            logic = Not(logic)
        return logic

    assert deep(MAX_DEPTH) == deep(MAX_DEPTH)
    assert hash(deep(MAX_DEPTH)) == hash(deep(MAX_DEPTH))
    assert format_logic(deep(MAX_DEPTH)).endswith("not a")
    assert repr(deep(MAX_DEPTH)).startswith("Not(part=")
    with pytest.raises(LogicError, match="of depth"):
        deep(MAX_DEPTH + 1)


def test_a_logic_that_doubles_itself_is_stopped_by_its_size() -> None:
    def doubled() -> None:
        logic: Logic = AtLeast(1, (A, B))
        for _ in range(40):
            logic = AtLeast(1, (logic, logic))

    with pytest.raises(LogicError, match="and size"):
        doubled()


def test_what_no_text_can_spell_can_not_be_built() -> None:
    with pytest.raises(LogicError, match="expected at least two"):
        And((A,))
    with pytest.raises(LogicError, match="expected at least two"):
        Or(())
    with pytest.raises(LogicError, match="count from 1"):
        AtLeast(2, (A,))
    for key in ("", "and", "a b", "1a", "ä"):
        with pytest.raises(LogicError, match="can't be a key"):
            Name(key)


def test_one_part_is_joined_to_itself() -> None:
    assert all_of([A]) == any_of([A]) == A
    assert all_of([A, B]) == And((A, B))
    assert any_of([A, B]) == Or((A, B))


def test_names_come_in_the_order_of_first_appearance() -> None:
    assert names(parse_logic("c or atleast(1, b, not a) and c")) == ("c", "b", "a")


def test_a_logic_is_read_once_when_no_key_occurs_twice() -> None:
    assert is_read_once(parse_logic("a and (b or not c)"))
    assert not is_read_once(parse_logic("a and b or not a"))
