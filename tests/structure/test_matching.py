from __future__ import annotations

import itertools
import random

from clausewise.structure.matching import Match, closest_match, closest_span

RULE = """# Second permit

You can have a second permit if:

* you own two cars
* you don't rent a garage
"""


def cut(question: str) -> str | None:
    span = closest_span(question, text=RULE)
    return span.cut(RULE) if span else None


def test_a_question_is_found_in_the_words_it_was_made_from() -> None:
    assert cut("Do you own two cars?") == "you own two cars"


def test_no_span_crosses_a_line() -> None:
    assert cut("Is it that you own two cars you don't rent a garage?") == "you don't rent a garage"


def test_among_equally_near_spans_the_shorter_wins() -> None:
    # 'a b' and 'a b x c' both miss 'a b c' by one word.
    match = closest_match(["a", "b", "c"], ["a", "b", "x", "c"])
    assert match == Match(distance=1, length=2, first=0)


def test_a_text_without_words_has_no_span() -> None:
    assert closest_span("Do you rent?", text="---") is None


def test_a_stretch_has_at_least_one_word() -> None:
    assert closest_match([], ["a", "b"]) == Match(distance=1, length=1, first=0)
    assert closest_match(["x"], ["a"]).length == 1


def test_it_finds_what_trying_every_stretch_finds() -> None:
    lot = random.Random(7)
    for _ in range(200):
        wanted = [lot.choice("abc") for _ in range(lot.randint(1, 5))]
        line = [lot.choice("abcd") for _ in range(lot.randint(1, 7))]
        tried = min(
            (_distance(wanted, line[start:end]), end - start)
            for start, end in itertools.combinations(range(len(line) + 1), 2)
        )
        found = closest_match(wanted, line)
        assert (found.distance, found.length) == tried


def _distance(left: list[str], right: list[str]) -> int:
    if not left or not right:
        return len(left) + len(right)
    same = _distance(left[1:], right[1:]) + (left[0] != right[0])
    return min(same, _distance(left[1:], right) + 1, _distance(left, right[1:]) + 1)
