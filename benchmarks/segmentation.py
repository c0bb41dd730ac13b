"""How well a segmenter finds the conditions that people marked in rule texts.

    python benchmarks/segmentation.py TREES.jsonl... [--errors 20]

A span counts as found when a marked span shares at least half of their joint characters with it,
one to one.
"""

from __future__ import annotations

import argparse
import json
from dataclasses import dataclass
from pathlib import Path

from clausewise.segmenters.clauses import ClauseSegmenter
from clausewise.trees.values import Span


@dataclass(frozen=True, slots=True, kw_only=True)
class Marked:
    """A rule text and the conditions that a person marked in it."""

    text: str
    spans: tuple[Span, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Score:
    """Spans matched, predicted and marked."""

    matched: int
    predicted: int
    marked: int

    def __str__(self) -> str:
        precision = 100 * self.matched / max(self.predicted, 1)
        recall = 100 * self.matched / max(self.marked, 1)
        f1 = 2 * precision * recall / max(precision + recall, 1e-9)
        return f"precision {precision:.1f}  recall {recall:.1f}  F1 {f1:.1f}"


def read(path: Path) -> list[Marked]:
    """Return the marked rule texts of a file of trees; trees over one text are one."""
    spans: dict[str, set[Span]] = {}
    for line in path.read_text("utf-8").splitlines():
        tree = json.loads(line)
        marked = (Span(start=c["span"][0], end=c["span"][1]) for c in tree["conditions"].values())
        spans.setdefault(tree["rule"], set()).update(marked)
    return [Marked(text=text, spans=tuple(sorted(found))) for text, found in spans.items()]


def overlap(left: Span, right: Span) -> float:
    """Return the share of their joint characters that both spans cover."""
    both = min(left.end, right.end) - max(left.start, right.start)
    return max(both, 0) / (max(left.end, right.end) - min(left.start, right.start) or 1)


def matches(predicted: tuple[Span, ...], marked: tuple[Span, ...]) -> list[tuple[Span, Span]]:
    """Return pairs of a predicted and a marked span, best overlap first, each span once."""
    pairs = sorted(((overlap(p, m), p, m) for p in predicted for m in marked), reverse=True)
    taken: set[Span] = set()
    left: set[Span] = set()
    found = []
    for share, one, other in pairs:
        if share >= 0.5 and one not in left and other not in taken:
            left.add(one)
            taken.add(other)
            found.append((one, other))
    return found


def show(rule: Marked, predicted: tuple[Span, ...]) -> None:
    """Print a rule text with the marked spans in [[ ]] and the predicted ones in {{ }}."""
    text = rule.text
    ends = [(s.start, "[[") for s in rule.spans] + [(s.end, "]]") for s in rule.spans]
    ends += [(s.start, "{{") for s in predicted] + [(s.end, "}}") for s in predicted]
    for place, mark in sorted(ends, reverse=True):
        text = text[:place] + mark + text[place:]
    print(f"----\n{text}")


def main() -> None:
    """Measure each file, then all of them."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("trees", nargs="+", type=Path)
    parser.add_argument("--errors", type=int, default=0)
    options = parser.parse_args()
    segmenter = ClauseSegmenter()
    for path in options.trees:
        counts = [0, 0, 0]
        shown = 0
        for rule in read(path):
            predicted = segmenter.segment(rule.text)
            matched = matches(predicted, rule.spans)
            for place, count in enumerate((len(matched), len(predicted), len(rule.spans))):
                counts[place] += count
            if len(matched) < max(len(predicted), len(rule.spans)) and shown < options.errors:
                show(rule, predicted)
                shown += 1
        score = Score(matched=counts[0], predicted=counts[1], marked=counts[2])
        print(f"{path.name}: {score}")


if __name__ == "__main__":
    main()
