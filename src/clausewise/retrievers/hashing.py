"""Numbers for words, so that an index is a few arrays and needs no table of its vocabulary.

DrQA puts its n-grams into 2**24 buckets with the 32-bit MurmurHash3; its figures can only be met
with the same function, which no package of the core brings. The other retrievers use 64 bits,
where even a million different n-grams practically never collide.
"""

from __future__ import annotations

from functools import lru_cache
from hashlib import blake2b

DRQA_BUCKETS = 2**24
_WORD = 0xFFFFFFFF


@lru_cache(maxsize=2**17)
def drqa_bucket(term: str) -> int:
    """Return the bucket, below 2**24, that DrQA would count a term in."""
    return murmurhash3(term.encode("utf-8")) % DRQA_BUCKETS


@lru_cache(maxsize=2**17)
def term_key(term: str) -> int:
    """Return a signed 64-bit number for a term; the same on every machine."""
    return int.from_bytes(blake2b(term.encode("utf-8"), digest_size=8).digest(), signed=True)


def murmurhash3(data: bytes, *, seed: int = 0) -> int:
    """Return the unsigned 32-bit MurmurHash3 (x86 variant, Austin Appleby) of some bytes."""
    state = seed
    whole = len(data) - len(data) % 4
    for start in range(0, whole, 4):
        state ^= _scrambled(int.from_bytes(data[start : start + 4], "little"))
        state = (_rotated(state, by=13) * 5 + 0xE6546B64) & _WORD
    state ^= _scrambled(int.from_bytes(data[whole:], "little")) ^ len(data)
    state = ((state ^ state >> 16) * 0x85EBCA6B) & _WORD
    state = ((state ^ state >> 13) * 0xC2B2AE35) & _WORD
    return state ^ state >> 16


def _scrambled(block: int) -> int:
    return (_rotated((block * 0xCC9E2D51) & _WORD, by=15) * 0x1B873593) & _WORD


def _rotated(number: int, *, by: int) -> int:
    return ((number << by) | (number >> (32 - by))) & _WORD
