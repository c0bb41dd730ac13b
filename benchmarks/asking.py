"""How close an asker's questions come to people's, with the words to ask about given.

    python benchmarks/asking.py --samples dev.jsonl --trees TREES.jsonl... [--model models/compiler]
        [--asker models/asker] [--worst 20]

Counted are the samples whose right answer is a question that a reviewed tree of the rule holds:
the asker gets the span of that condition. The template is measured beside.
"""

from __future__ import annotations

import argparse
import difflib
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path

from clausewise.askers.template import TemplateAsker
from clausewise.build import load_compiler
from clausewise.datasets.orsharc import Sample, read_samples
from clausewise.evaluation.compiling import question_bleu
from clausewise.protocols import Asker
from clausewise.text import normalised
from clausewise.trees.read import read_trees
from clausewise.trees.tree import RuleTree
from clausewise.trees.values import Condition
from clausewise.types import RuleText

DECISIONS = ("Yes", "No", "Irrelevant")
ENOUGH = 0.75


def asked_condition(
    sample: Sample, *, trees: Mapping[str, Sequence[RuleTree]]
) -> tuple[RuleTree, Condition] | None:
    """Return the condition that the sample's right question asks about, and its tree."""
    best: tuple[float, RuleTree, Condition] | None = None
    for tree in trees.get(sample.gold.rule_id, ()):
        for condition in tree.conditions:
            for wording in (condition.question, *condition.paraphrases):
                share = difflib.SequenceMatcher(
                    None, normalised(wording).split(), normalised(sample.gold.answer).split()
                ).ratio()
                if share >= ENOUGH and (best is None or share > best[0]):
                    best = (share, tree, condition)
    return best[1:] if best else None


def written(
    asker: Asker, cases: Iterable[tuple[Sample, RuleTree, Condition]]
) -> list[tuple[str, str]]:
    """Return the asker's question and the right one for each case; every condition asked once."""
    known: dict[tuple[str, int, int], str] = {}
    pairs = []
    for sample, tree, condition in cases:
        text = tree.rule_text or ""
        key = (text, condition.span.start, condition.span.end)
        if key not in known:
            rule = RuleText(rule_id=tree.rule_id or "rule", text=text)
            known[key] = asker.ask(condition.span, rule=rule)
        pairs.append((known[key], sample.gold.answer))
    return pairs


def main() -> None:
    """Measure the template and, where given, the trained asker."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--samples", type=Path, required=True)
    parser.add_argument("--trees", type=Path, nargs="+", required=True)
    parser.add_argument("--model", type=Path)
    parser.add_argument("--asker", type=Path)
    parser.add_argument("--worst", type=int, default=0)
    options = parser.parse_args()
    trees: dict[str, list[RuleTree]] = defaultdict(list)
    for path in options.trees:
        for tree in read_trees(path):
            trees[tree.rule_id].append(tree)
    asked = [s for s in read_samples(options.samples) if s.gold.answer not in DECISIONS]
    found = [(sample, asked_condition(sample, trees=trees)) for sample in asked]
    cases = [(sample, *pair) for sample, pair in found if pair]
    askers: dict[str, Asker] = {"template": TemplateAsker()}
    if options.model:
        askers["trained"] = load_compiler(options.model, asker=options.asker).asker
    print(f"{len(asked)} samples ask, {len(cases)} of them about a condition of a tree")
    for name, asker in askers.items():
        for part, chosen in (
            ("all", cases),
            ("unseen", [case for case in cases if not case[0].gold.seen]),
        ):
            bleu = question_bleu(written(asker, chosen))
            print(f"{name}, {part} ({len(chosen)}): BLEU-1 {bleu[0]} BLEU-4 {bleu[3]}")
        wrong = [
            pair for pair in written(asker, cases) if normalised(pair[0]) != normalised(pair[1])
        ]
        for question, right in list(dict.fromkeys(wrong))[: options.worst]:
            print(f"  {question}\n    right: {right}")


if __name__ == "__main__":
    main()
