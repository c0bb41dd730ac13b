from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from clausewise.retrievers.vectors import passage, rule_vectors
from clausewise.types import RuleText
from tests.retrievers.encoders import HashedWords
from tests.retrievers.rules import RULES

CORRECTED = (*RULES[:-1], RuleText(rule_id=RULES[-1].rule_id, text="No stalls on Saturdays."))


def test_a_rule_is_encoded_under_its_headings() -> None:
    assert passage(RULES[0]).startswith("# Library > Cards\n\nYou can have")
    assert passage(RuleText(rule_id="1", text="Keep off.")) == "Keep off."


def test_rules_that_were_encoded_before_are_not_encoded_again(tmp_path: Path) -> None:
    first = rule_vectors(RULES, encoder=HashedWords(), cache=tmp_path)
    later = HashedWords()
    again = rule_vectors(RULES, encoder=later, cache=tmp_path)
    assert later.encoded == []
    assert np.array_equal(first, again)


def test_only_a_corrected_rule_is_encoded_again(tmp_path: Path) -> None:
    rule_vectors(RULES, encoder=HashedWords(), cache=tmp_path)
    later = HashedWords()
    vectors = rule_vectors(CORRECTED, encoder=later, cache=tmp_path)
    assert later.encoded == ["No stalls on Saturdays."]
    assert np.array_equal(vectors, rule_vectors(CORRECTED, encoder=HashedWords()))


def test_rules_in_another_order_keep_their_own_vectors(tmp_path: Path) -> None:
    rule_vectors(RULES, encoder=HashedWords(), cache=tmp_path)
    turned = rule_vectors(RULES[::-1], encoder=HashedWords(), cache=tmp_path)
    assert np.array_equal(turned, rule_vectors(RULES[::-1], encoder=HashedWords()))


def test_vectors_of_another_model_are_not_used(tmp_path: Path) -> None:
    rule_vectors(RULES, encoder=HashedWords("old"), cache=tmp_path)
    new = HashedWords("new")
    rule_vectors(RULES, encoder=new, cache=tmp_path)
    assert len(new.encoded) == len(RULES)


def test_opened_vectors_are_mapped_into_memory(tmp_path: Path) -> None:
    rule_vectors(RULES, encoder=HashedWords(), cache=tmp_path)
    assert isinstance(rule_vectors(RULES, encoder=HashedWords(), cache=tmp_path), np.memmap)


@pytest.mark.parametrize("damage", [b"", b"no numpy file", b"\x93NUMPY\x01\x00"])
def test_a_damaged_cache_is_made_anew(tmp_path: Path, damage: bytes) -> None:
    good = rule_vectors(RULES, encoder=HashedWords(), cache=tmp_path)
    for file in tmp_path.rglob("*.npy"):
        file.write_bytes(damage)
    assert np.array_equal(rule_vectors(RULES, encoder=HashedWords(), cache=tmp_path), good)


def test_a_cache_that_cannot_be_written_only_costs_time(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("no folder", "utf-8")
    vectors = rule_vectors(RULES, encoder=HashedWords(), cache=tmp_path / "file")
    assert len(vectors) == len(RULES)


def test_no_rules_have_no_vectors(tmp_path: Path) -> None:
    assert len(rule_vectors((), encoder=HashedWords(), cache=tmp_path)) == 0
