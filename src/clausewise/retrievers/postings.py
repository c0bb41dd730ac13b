"""Which term stands in which rule, and how much that counts: the index of the lexical retrievers.

Four flat numpy arrays hold a sparse matrix of terms by rules. A query adds the few rows it needs
to one array of scores, which was the fastest of seven ways that numpy offers: `docs/benchmarks.md`
has the figures beside those of other libraries. The arrays are memory-mapped when loaded, so that
many processes share one copy. scipy's sparse matrices would do the same with a dependency of 35 MB.
bm25s 0.3 was measured over the same terms: every term of its query counts the same, where parts of
a dialogue need their own weights; recall at 5 is 89.5 there and 93.3 here.
"""

from __future__ import annotations

import json
import shutil
import tempfile
from array import array
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from clausewise.errors import RuleTextError, Where

Floats = NDArray[np.float64]
Integers = NDArray[np.int64]

FORMAT = "clausewise postings 1"
_ARRAYS = {"keys": np.int64, "offsets": np.int64, "rules": np.int32, "weights": np.float64}


@dataclass(frozen=True, slots=True, kw_only=True)
class Occurrences:
    """How often every term stands in every rule that has it; one entry a pair, sorted by term."""

    rules: NDArray[np.int32]
    counts: Floats
    rules_with_term: Integers
    """Of the term of each entry: in how many rules it stands."""
    rule_count: int

    def lengths(self) -> Floats:
        """Return of every rule the sum of its counts."""
        lengths = np.bincount(self.rules, weights=self.counts, minlength=self.rule_count)
        return np.asarray(lengths, np.float64)


Weigh = Callable[[Occurrences], Floats]
"""Turns occurrences into one weight an entry."""


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Postings:
    """A sparse matrix of weights: terms by rules."""

    keys: NDArray[np.int64]
    """The numbers of the terms, ascending."""
    offsets: NDArray[np.int64]
    """Entries `offsets[i]` to `offsets[i + 1]` belong to the term `keys[i]`."""
    rules: NDArray[np.int32]
    """The position of the rule of each entry."""
    weights: NDArray[np.float64]
    """The weight of each entry."""
    rule_count: int

    @classmethod
    def build(cls, counts: Iterable[Mapping[int, float]], *, weigh: Weigh) -> Postings:
        """Return the index of rules given as counts by term, one mapping a rule."""
        terms, values, rules, rule_count = _flattened(counts)
        order = np.argsort(terms, kind="stable")
        # By the same names, so that a million rules don't take their memory twice.
        terms, values, rules = terms[order], values[order], rules[order]
        del order
        starts = np.flatnonzero(np.concatenate(([True], terms[1:] != terms[:-1]))[: len(terms)])
        offsets = np.append(starts, len(terms))
        lengths = np.diff(offsets)
        keys = terms[starts]
        del terms
        occurrences = Occurrences(
            rules=rules,
            counts=values,
            rules_with_term=np.repeat(lengths, lengths),
            rule_count=rule_count,
        )
        return cls(
            keys=keys,
            offsets=offsets,
            rules=rules,
            weights=weigh(occurrences),
            rule_count=rule_count,
        )

    def scores(self, query: Mapping[int, float]) -> Floats:
        """Return for every rule the sum of query weight times term weight, over shared terms."""
        total = np.zeros(self.rule_count)
        for start, stop, wanted in self._rows(query):
            # `add.at` is only fast when it need not convert: twice as fast as `total[rules] +=`.
            rules = self.rules[start:stop].astype(np.intp)
            np.add.at(total, rules, self.weights[start:stop] * wanted)
        return total

    def _rows(self, query: Mapping[int, float]) -> Iterator[tuple[int, int, float]]:
        """Return where the entries of each term of the query stand, and the term's weight."""
        terms = np.fromiter(query, np.int64, len(query))
        wanted = np.fromiter(query.values(), float, len(query))
        rows = np.searchsorted(self.keys, terms)
        known = rows < len(self.keys)
        known[known] = self.keys[rows[known]] == terms[known]
        starts, stops = self.offsets[rows[known]], self.offsets[rows[known] + 1]
        return zip(starts.tolist(), stops.tolist(), wanted[known].tolist(), strict=True)

    def save(self, folder: Path, *, config: Mapping[str, str | float]) -> None:
        """Write the index as a folder, which is whole or absent at any moment."""
        folder.parent.mkdir(parents=True, exist_ok=True)
        fresh = Path(tempfile.mkdtemp(prefix=f".{folder.name}-", dir=folder.parent))
        try:
            for name, kind in _ARRAYS.items():
                np.save(fresh / f"{name}.npy", np.asarray(getattr(self, name), dtype=kind))
            said = {"format": FORMAT, "rule_count": self.rule_count, **config}
            (fresh / "config.json").write_text(json.dumps(said, indent=2) + "\n", "utf-8")
            _put_in_place(fresh, folder)
        finally:
            shutil.rmtree(fresh, ignore_errors=True)

    @classmethod
    def load(cls, folder: Path, *, config: Mapping[str, str | float]) -> Postings:
        """Return the index in a folder, memory-mapped; `config` is what it must say of itself."""
        try:
            said = json.loads((folder / "config.json").read_text("utf-8"))
            keys, offsets, rules, weights = (_mapped(folder / f"{name}.npy") for name in _ARRAYS)
        except (OSError, ValueError, EOFError) as error:
            message = f"is no index ({error}), expected a folder written by `save`"
            raise RuleTextError(message, where=Where(file=str(folder))) from error
        for field, expected in {"format": FORMAT, **config}.items():
            if said.get(field) != expected:
                message = f"is {said.get(field)!r}, expected {expected!r}: build the index again"
                raise RuleTextError(message, where=Where(file=str(folder), field=field))
        return cls(
            keys=keys,
            offsets=offsets,
            rules=rules,
            weights=weights,
            rule_count=said["rule_count"],
        )


def _flattened(
    counts: Iterable[Mapping[int, float]],
) -> tuple[Integers, Floats, NDArray[np.int32], int]:
    """Return term, count and rule of every entry, and how many rules there are."""
    # Flat arrays from the start: a million mappings would take ten times the memory.
    terms, values, sizes = array("q"), array("d"), array("q")
    for rule in counts:
        terms.extend(rule)
        values.extend(rule.values())
        sizes.append(len(rule))
    rules = np.repeat(np.arange(len(sizes), dtype=np.int32), np.array(sizes, np.int64))
    return np.frombuffer(terms, np.int64), np.frombuffer(values, np.float64), rules, len(sizes)


def _mapped(path: Path) -> NDArray[Any]:
    # A plain view: memmap's own slicing is several times slower.
    return np.asarray(np.load(path, mmap_mode="r", allow_pickle=False))


def _put_in_place(fresh: Path, folder: Path) -> None:
    if folder.exists():
        old = Path(tempfile.mkdtemp(prefix=f".{folder.name}-old-", dir=folder.parent))
        folder.replace(old)
        shutil.rmtree(old)
    fresh.replace(folder)
