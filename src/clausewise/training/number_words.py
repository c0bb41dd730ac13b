"""Small numbers in words."""

from __future__ import annotations

_ONES = """
    zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen
    sixteen seventeen eighteen nineteen
"""
_TENS = "twenty thirty forty fifty sixty seventy eighty ninety"


def in_words(number: int) -> str:
    """Return a number from 0 to 99 in words."""
    small = _ONES.split()
    if number < len(small):
        return small[number]
    tens, ones = divmod(number, 10)
    return _TENS.split()[tens - 2] + (f"-{small[ones]}" if ones else "")
