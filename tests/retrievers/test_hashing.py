from __future__ import annotations

import pytest

from clausewise.retrievers.hashing import DRQA_BUCKETS, drqa_bucket, murmurhash3, term_key


@pytest.mark.parametrize(
    ("data", "seed", "expected"),
    [
        (b"", 0, 0),
        (b"", 1, 0x514E28B7),
        (b"test", 0, 0xBA6BD213),
        (b"Hello, world!", 0x9747B28C, 0x24884CBA),
        (b"The quick brown fox jumps over the lazy dog", 0x9747B28C, 0x2FA826CD),
    ],
)
def test_murmurhash3_gives_the_published_values(data: bytes, seed: int, expected: int) -> None:
    assert murmurhash3(data, seed=seed) == expected


def test_a_bucket_lies_below_the_number_of_buckets() -> None:
    assert all(0 <= drqa_bucket(f"word {number}") < DRQA_BUCKETS for number in range(100))


def test_different_terms_have_different_keys_of_64_signed_bits() -> None:
    keys = {term_key(f"word {number}") for number in range(1000)}
    assert len(keys) == 1000
    assert all(-(2**63) <= key < 2**63 for key in keys)
