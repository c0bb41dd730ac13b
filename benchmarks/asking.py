"""How close an asker's questions come to those that people wrote for the same words.

    python benchmarks/asking.py TREES.jsonl... [--show 40]

Corpus BLEU of the question for each marked condition against the annotator's. Conditions whose
question is a paraphrase of ours are not shown with --show.
"""

from __future__ import annotations

import argparse
import json
from dataclasses import dataclass
from pathlib import Path

from clausewise.askers.template import TemplateAsker
from clausewise.evaluation.bleu import Pair, corpus_bleu, normalise
from clausewise.trees.values import Span
from clausewise.types import RuleText


@dataclass(frozen=True, slots=True, kw_only=True)
class Question:
    """What was asked of a condition, and what a person asked."""

    text: str
    asked: str
    expected: str


def questions(path: Path) -> list[Question]:
    """Return a question for every condition of a file of trees."""
    asker = TemplateAsker()
    found = []
    for line in path.read_text("utf-8").splitlines():
        tree = json.loads(line)
        rule = RuleText(rule_id=tree["tree_id"], text=tree["rule"])
        for condition in tree["conditions"].values():
            span = Span(start=condition["span"][0], end=condition["span"][1])
            asked = asker.ask(span, rule=rule)
            found.append(
                Question(text=condition["text"], asked=asked, expected=condition["question"])
            )
    return found


def main() -> None:
    """Print BLEU-1 and BLEU-4 for each file."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("trees", nargs="+", type=Path)
    parser.add_argument("--show", type=int, default=0)
    options = parser.parse_args()
    for path in options.trees:
        found = questions(path)
        pairs = [Pair(candidate=normalise(q.asked), reference=normalise(q.expected)) for q in found]
        scores = corpus_bleu(pairs)
        same = sum(pair.candidate == pair.reference for pair in pairs)
        fallbacks = sum(question.asked.startswith("Does this apply") for question in found)
        shares = (100 * same / len(found), 100 * fallbacks / len(found))
        print(f"{path.name}: BLEU-1 {100 * scores[0]:.1f}  BLEU-4 {100 * scores[3]:.1f}")
        print("  word for word {:.1f} %, quoted as they stand {:.1f} %".format(*shares))
        different = [
            q for q, pair in zip(found, pairs, strict=True) if pair.candidate != pair.reference
        ]
        for question in different[:: max(1, len(different) // max(options.show, 1))][
            : options.show
        ]:
            print(f"  {question.text!r}\n    {question.asked}\n    {question.expected}")


if __name__ == "__main__":
    main()
