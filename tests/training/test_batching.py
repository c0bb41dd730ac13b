from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

pytest.importorskip("torch", reason="training needs the train extra")
pytest.importorskip("transformers", reason="training needs the train extra")

from clausewise.training.batching import bucketed, by_length, tokenized, tokens_of
from tests.training.backbones import tiny_tokenizer

lengths = st.lists(st.integers(1, 300), max_size=60)


@settings(max_examples=50)
@given(lengths=lengths, size=st.integers(1, 9))
def test_every_item_is_in_exactly_one_batch(lengths: list[int], size: int) -> None:
    for batches in (by_length(lengths, size=size), bucketed(lengths, size=size, seed="0/1")):
        assert sorted(place for batch in batches for place in batch) == list(range(len(lengths)))
        assert all(len(batch) <= size for batch in batches)


def test_the_same_seed_gives_the_same_batches() -> None:
    numbers = list(range(40))
    assert bucketed(numbers, size=4, seed="1") == bucketed(numbers, size=4, seed="1")
    assert bucketed(numbers, size=4, seed="1") != bucketed(numbers, size=4, seed="2")


def test_texts_are_filled_up_and_pairs_have_two_types() -> None:
    pairs = [("can i keep hens", "you may"), ("can i", "no")]
    tokens = tokens_of(tokenized(pairs, tokenizer=tiny_tokenizer(), max_tokens=16))
    assert tokens.ids.shape == (2, 32)
    assert tokens.mask.sum(1).tolist() == [9, 6]
    assert tokens.types.sum(1).tolist() == [3, 2]


def test_long_texts_are_cut() -> None:
    (encoding,) = tokenized(["hens " * 50], tokenizer=tiny_tokenizer(), max_tokens=10)
    assert len(encoding.ids) == 10
