from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import overload

import numpy as np
import pytest

from clausewise.errors import RuleTextError
from clausewise.retrievers.bm25 import Bm25, Bm25Options
from clausewise.types import RuleText
from tests.retrievers.rules import RULES, dialogue


def found(retriever: Bm25, question: str) -> list[str]:
    return [hit.rule.rule_id for hit in retriever.retrieve(dialogue(question), top_k=5)]


def test_a_retrieved_rule_comes_first_when_its_words_match() -> None:
    assert found(Bm25.build(RULES), "Can I keep hens on my allotment?")[0] == "allotment-hens"


def test_an_inflected_word_finds_its_rule() -> None:
    assert found(Bm25.build(RULES), "renting allotments")[0] == "allotment"


def test_the_headings_above_a_rule_help_to_find_it() -> None:
    body = "You qualify if you are over 60."
    rules = [
        RuleText(rule_id="bus", title="Travel > Bus pass", text=body),
        RuleText(rule_id="pool", title="Sport > Swimming pool", text=body),
    ]
    assert found(Bm25.build(rules), "Can I swim for free?")[0] == "pool"


def test_extra_texts_help_to_find_a_rule() -> None:
    extra = {"market-stall": ("Can I sell my jam in the square?",)}
    assert found(Bm25.build(RULES), "sell jam") == []
    assert found(Bm25.build(RULES, extra_texts=extra), "sell jam") == ["market-stall"]


def test_the_scenario_counts_less_than_the_question() -> None:
    retriever = Bm25.build(RULES)
    hits = retriever.retrieve(dialogue("hens", scenario="licence"), top_k=2)
    assert [hit.rule.rule_id for hit in hits] == ["allotment-hens", "market-stall"]


def test_a_word_that_stands_there_again_counts_little_more() -> None:
    rules = [
        RuleText(rule_id="once", text="hens stay out of gardens"),
        RuleText(rule_id="twice", text="hens and hens stay out"),
    ]
    once, twice = (
        hit.score for hit in reversed(Bm25.build(rules).retrieve(dialogue("hens"), top_k=2))
    )
    assert once < twice < 2 * once


def test_an_index_of_other_rules_is_refused(tmp_path: Path) -> None:
    Bm25.build(RULES).save(tmp_path / "index")
    with pytest.raises(RuleTextError, match="build the index again"):
        Bm25.load(tmp_path / "index", rules=RULES[:-1])


def test_an_index_with_other_constants_is_refused(tmp_path: Path) -> None:
    Bm25.build(RULES).save(tmp_path / "index")
    with pytest.raises(RuleTextError, match="options"):
        Bm25.load(tmp_path / "index", rules=RULES, options=Bm25Options(saturation=2.0))


class OnDemand(Sequence[RuleText]):
    """Rules that know their hash and are read one by one."""

    fingerprint = "of a million rules"

    def __init__(self) -> None:
        self.read: list[int] = []

    def __len__(self) -> int:
        return len(RULES)

    @overload
    def __getitem__(self, place: int) -> RuleText: ...
    @overload
    def __getitem__(self, place: slice) -> Sequence[RuleText]: ...
    def __getitem__(self, place: int | slice) -> RuleText | Sequence[RuleText]:
        if isinstance(place, int | np.integer):
            self.read.append(int(place))
        return RULES[place]


def test_opening_an_index_reads_only_the_rules_that_are_found(tmp_path: Path) -> None:
    Bm25.build(OnDemand()).save(tmp_path / "index")
    rules = OnDemand()
    hits = Bm25.load(tmp_path / "index", rules=rules).retrieve(dialogue("hens"), top_k=2)
    assert [hit.rule.rule_id for hit in hits] == ["allotment-hens"]
    assert rules.read == [3]
