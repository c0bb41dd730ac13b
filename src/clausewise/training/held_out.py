"""The rule texts that no model learns from, so that models can be measured on unseen rules.

Of each file of trees a fixed number is left out: the texts with the smallest SHA-256. The list
depends on the texts alone, so judge, compiler and asker leave out the same.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Mapping

HELD_OUT: Mapping[str, int] = {"or_sharc.jsonl": 36, "public_rules.jsonl": 24}
"""How many rule texts of a file are left out; of files not named here, none."""


def held_out_texts(texts: Iterable[str], *, file: str) -> frozenset[str]:
    """Return those of a file's rule texts that are left out of training."""
    distinct = sorted(set(texts), key=lambda text: hashlib.sha256(text.encode()).hexdigest())
    return frozenset(distinct[: HELD_OUT.get(file, 0)])
