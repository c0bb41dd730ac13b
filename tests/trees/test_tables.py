from __future__ import annotations

from clausewise.trees.logic import parse_logic
from clausewise.trees.tables import depends_on, for_all_first, full, of_weight, truth_table


def test_bits_of_a_table_are_assignments_with_the_first_key_highest() -> None:
    assert truth_table(parse_logic("a"), keys="ab") == 0b1100
    assert truth_table(parse_logic("b"), keys="ab") == 0b1010
    assert truth_table(parse_logic("a and b"), keys="ab") == 0b1000
    assert truth_table(parse_logic("atleast(2, a, b, c)"), keys="abc") == 0b11101000


def test_weights_split_all_assignments() -> None:
    tables = [of_weight(weight, count=4) for weight in range(-1, 6)]
    assert [table.bit_count() for table in tables] == [0, 1, 4, 6, 4, 1, 0]
    assert sum(tables) == full(4)


def test_a_key_that_changes_nothing_is_found() -> None:
    table = truth_table(parse_logic("a and (b or not b)"), keys="ab")
    assert [depends_on(table, position, count=2) for position in range(2)] == [True, False]


def test_the_first_keys_are_quantified_away() -> None:
    table = truth_table(parse_logic("u or a and b"), keys="uab")
    assert for_all_first(table, times=1, count=3) == truth_table(parse_logic("a and b"), keys="ab")
    assert for_all_first(table, times=0, count=3) == table
