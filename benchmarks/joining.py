"""How often the cue words of a rule text give the logic that a person gave it.

    python benchmarks/joining.py TREES.jsonl... [--show 20]

Once with the person's conditions, once with our own where they match theirs one to one. A person
may have asked the opposite of the words ('don't own' -> 'Do you own?'): that is allowed for.
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Mapping
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path

from clausewise.compiler.joining import Joiner
from clausewise.readers.wording import is_negated
from clausewise.segmenters.clauses import ClauseSegmenter
from clausewise.trees.logic import And, AtLeast, Logic, Name, Not, Or, format_logic, parse_logic
from clausewise.trees.tables import truth_table
from clausewise.trees.values import Span
from segmentation import matches

_MOST_CONDITIONS = 12
"""A truth table has two to this power of rows."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Given:
    """A tree as a person wrote it."""

    text: str
    spans: dict[str, Span]
    logic: Logic


@dataclass(frozen=True, slots=True, kw_only=True)
class Result:
    """A given tree and our logic in its keys."""

    given: Given
    logic: Logic

    @property
    def equal(self) -> bool:
        """Whether both logics agree on every row."""
        keys = sorted(self.given.spans)
        return truth_table(self.logic, keys=keys) == truth_table(self.given.logic, keys=keys)


def read(path: Path) -> list[Given]:
    """Return the trees of a file whose spans don't overlap."""
    found = []
    for line in path.read_text("utf-8").splitlines():
        tree = json.loads(line)
        conditions = tree["conditions"].items()
        spans = {key: Span(start=c["span"][0], end=c["span"][1]) for key, c in conditions}
        literals: dict[str, Logic] = {
            key: Not(Name(key))
            if is_negated(c["text"]) and not is_negated(c["question"])
            else Name(key)
            for key, c in conditions
        }
        apart = all(left.end <= right.start for left, right in pairwise(sorted(spans.values())))
        if apart and len(spans) <= _MOST_CONDITIONS:
            logic = put(parse_logic(tree["logic"]), literals)
            found.append(Given(text=tree["rule"], spans=spans, logic=logic))
    return found


def put(logic: Logic, literals: Mapping[str, Logic]) -> Logic:
    """Return the logic with other logics in the place of its keys."""
    match logic:
        case Name(key):
            return literals[key]
        case Not(part):
            return Not(put(part, literals))
        case And(parts):
            return And(tuple(put(part, literals) for part in parts))
        case Or(parts):
            return Or(tuple(put(part, literals) for part in parts))
        case AtLeast(count, parts):
            return AtLeast(count, tuple(put(part, literals) for part in parts))


def with_their_conditions(given: Given) -> Result:
    """Return what the cue words say of the person's conditions."""
    ordered = sorted(given.spans.items(), key=lambda pair: pair[1])
    return Result(given=given, logic=Joiner.of(given.text, conditions=ordered).logic())


def with_our_conditions(given: Given) -> Result | None:
    """Return what they say of ours; None unless ours match the person's one to one."""
    ours = ClauseSegmenter().segment(given.text)
    theirs = {span: key for key, span in given.spans.items()}
    pairs = matches(ours, tuple(theirs))
    if not len(pairs) == len(ours) == len(theirs):
        return None
    named = [(theirs[other], mine) for mine, other in sorted(pairs)]
    return Result(given=given, logic=Joiner.of(given.text, conditions=named).logic())


def report(name: str, results: list[Result]) -> None:
    """Print how many logics are equal, of all trees and of those with several conditions."""
    several = [result for result in results if len(result.given.spans) > 1]
    for kind, some in (("all", results), ("several conditions", several)):
        right = sum(result.equal for result in some)
        share = 100 * right / max(len(some), 1)
        print(f"{name}, {kind}: {right} of {len(some)}, {share:.1f} %")


def show(result: Result) -> None:
    """Print a rule text with its marked conditions and both logics."""
    text = result.given.text
    for key, span in sorted(result.given.spans.items(), key=lambda pair: -pair[1].start):
        text = f"{text[: span.start]}[{key}: {span.cut(text)}]{text[span.end :]}"
    theirs, ours = format_logic(result.given.logic), format_logic(result.logic)
    print(f"----\n{text}\n  theirs {theirs}\n  ours   {ours}")


def main() -> None:
    """Measure each file."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("trees", nargs="+", type=Path)
    parser.add_argument("--show", type=int, default=0)
    options = parser.parse_args()
    for path in options.trees:
        found = read(path)
        given = [with_their_conditions(one) for one in found]
        own = [result for one in found if (result := with_our_conditions(one))]
        report(f"{path.name}, their conditions", given)
        report(f"{path.name}, our conditions", own)
        wrong = [result for result in given if not result.equal]
        for result in wrong[:: max(1, len(wrong) // max(options.show, 1))][: options.show]:
            show(result)


if __name__ == "__main__":
    main()
