from __future__ import annotations

import numpy as np
import pytest

from clausewise.readers.transformer.encode import Layout, Packed
from clausewise.readers.transformer.extraction import (
    candidates,
    extracted,
    list_items,
    overlaps,
    places_of,
    rule_tokens,
    span_at,
    token_f1,
)
from clausewise.readers.transformer.finding import findings
from clausewise.readers.transformer.scores import Floats, Scores
from clausewise.trees.values import Span, State
from clausewise.types import Decision, Dialogue, Turn
from tests.readers.transformer.test_encode import ASKED, HENS, STALLS, packer


def packed(layout: Layout = Layout.RULE_INSIDE) -> Packed:
    return packer(layout=layout).pack(ASKED, rules=[STALLS])


def scores(*likely: int, size: int) -> Floats:
    found = np.full(size, -5.0, np.float32)
    found[list(likely)] = 5.0
    return found


def words(places: tuple[int, int], *, of: Packed) -> str:
    return span_at(places, of).cut(STALLS.text)


@pytest.mark.parametrize("layout", Layout)
def test_a_span_of_a_rule_has_its_tokens(layout: Layout) -> None:
    sequence = packed(layout)
    start = STALLS.text.index("to traders")
    places = places_of(Span(start=start, end=start + len("to traders")), sequence)
    assert places is not None
    assert words(places, of=sequence) == "to traders"


def test_a_span_behind_what_was_packed_has_none() -> None:
    assert places_of(Span(start=900, end=910), packed()) is None


def test_items_of_lists_are_spans_without_their_marker() -> None:
    assert [span.cut(STALLS.text) for span in list_items(STALLS.text)] == [
        "to traders", "to charities",
    ]  # fmt: skip


def test_a_start_goes_with_the_nearest_end_behind_it() -> None:
    sequence = packed()
    known = rule_tokens(sequence)
    size = len(sequence.ids)
    starts = scores(known[0], known[5], size=size)
    ends = scores(known[2], known[6], known[7], size=size)
    assert extracted(starts, ends, sequence) == [(known[0], known[2]), (known[5], known[6])]


def test_the_likeliest_start_is_taken_even_where_none_is_likely() -> None:
    sequence = packed()
    known = rule_tokens(sequence)
    starts = np.full(len(sequence.ids), -5.0, np.float32)
    starts[known[1]] = -4.0
    ends = np.full(len(sequence.ids), -5.0, np.float32)
    ends[known[0]] = -4.0  # lies before it, so the best end behind it is taken instead
    assert extracted(starts, ends, sequence) == [(known[1], known[1])]


def test_tokens_outside_the_rule_are_never_extracted() -> None:
    sequence = packed()
    size = len(sequence.ids)
    found = extracted(scores(0, 1, size=size), scores(0, 1, size=size), sequence)
    assert all(place in rule_tokens(sequence) for places in found for place in places)


def test_overlap_is_the_token_f1_with_the_most_similar_question_and_with_the_scenario() -> None:
    dialogue = Dialogue(
        question="?",
        scenario="I let a stall",
        turns=(Turn(question="Are you a trader?", answer="no"), Turn(question="To?", answer="")),
    )
    # 'to traders' shares 1 word of 2 + 1 with 'To?', none with the scenario
    asked, told = overlaps("to traders", dialogue)
    assert asked == pytest.approx(2 / 3)
    assert told == 0.0


def test_token_f1_counts_a_word_as_often_as_both_have_it() -> None:
    assert token_f1("a a b", "a c") == pytest.approx(2 / 5)
    assert token_f1("", "") == 0.0


def test_found_spans_and_list_items_are_asked_about_each_once() -> None:
    sequence = packed()
    item = places_of(list_items(STALLS.text)[0], sequence)
    assert item is not None
    shown = [words(each, of=sequence) for each in candidates([item], sequence, text=STALLS.text)]
    assert shown == ["to traders", "to charities"]


def test_the_span_of_e3_is_the_candidate_with_the_highest_score() -> None:
    sequence = packed()
    tokens = np.zeros((len(sequence.ids), 4), np.float32)
    tokens[:, :2] = -5.0
    tokens[rule_tokens(sequence)[0], :2] = -4.0
    wanted = places_of(list_items(STALLS.text)[1], sequence)
    assert wanted is not None
    tokens[wanted[0] : wanted[1] + 1, 3] = 2.0
    said = Scores(
        decision=np.array([0, 0, 3], np.float32), tokens=tokens, overlap=np.zeros(3, np.float32)
    )
    found = findings(said, sequence, dialogue=ASKED, rules=[STALLS])
    assert found.decision is Decision.INQUIRE
    assert found.span is not None
    assert found.span.span.cut(STALLS.text) == "to charities"


def test_the_span_of_emt_stays_inside_one_unit() -> None:
    sequence = packed(Layout.PIECES)
    first, second = sequence.units[1:3]
    tokens = np.zeros((len(sequence.ids), 2), np.float32)
    tokens[first.start + 2, 0] = 5.0  # 'to'
    tokens[first.end - 1, 1] = 1.0  # 'traders'
    tokens[second.end - 1, 1] = 3.0  # 'charities', in another unit
    said = Scores(decision=np.zeros(3, np.float32), tokens=tokens)
    found = findings(said, sequence, dialogue=ASKED, rules=[STALLS])
    assert found.span is not None
    assert found.span.span.cut(STALLS.text) == "to traders"


def test_units_have_their_likeliest_state() -> None:
    sequence = packer().pack(ASKED, rules=[HENS])
    states = np.array([[2.0, 0, 0], [0, 0, 1.0]], np.float32)
    said = Scores(decision=np.array([1.0, 0, 0], np.float32), states=states)
    found = findings(said, sequence, dialogue=ASKED, rules=[HENS])
    assert found.decision is Decision.YES
    assert [unit.state for unit in found.units] == [State.ENTAILED, State.UNKNOWN]
    assert found.span is None
