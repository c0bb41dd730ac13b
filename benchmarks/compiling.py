"""How well rule texts are compiled: conditions, logic and questions against reviewed trees.

    python benchmarks/compiling.py TREES.jsonl... [--held-out] [--model models/compiler]
        [--asker models/asker] [--errors 20]

The compiler that needs no model is measured beside. `--held-out` takes only the trees that training
leaves out: those of the rule texts whose SHA-256 are the smallest of their file.
"""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from pathlib import Path

from clausewise.askers.template import TemplateAsker
from clausewise.build import load_compiler
from clausewise.compiler.cues import CueCompiler
from clausewise.evaluation.compiling import Compared, compare, compiling_report
from clausewise.protocols import Compiler
from clausewise.segmenters.clauses import ClauseSegmenter
from clausewise.training.held_out import held_out_texts
from clausewise.trees.logic import format_logic
from clausewise.trees.read import read_trees
from clausewise.trees.tree import RuleTree
from clausewise.types import RuleText


def compared(compiler: Compiler, trees: Sequence[RuleTree]) -> list[Compared]:
    """Return each tree beside the one that the compiler makes of its rule text."""
    return [
        compare(
            compiler.compile(RuleText(rule_id=tree.rule_id or "rule", text=tree.rule_text or "")),
            reviewed=tree,
        )
        for tree in trees
    ]


def show(case: Compared) -> None:
    """Print a rule text with both trees."""
    print(f"----\n{case.reviewed.rule_text}")
    for name, tree in (("reviewed", case.reviewed), ("compiled", case.compiled)):
        print(f"  {name}: {format_logic(tree.logic)}")
        for item in tree.conditions:
            print(f"    {item.key}: {item.text!r} -> {item.question}")


def main() -> None:
    """Measure each file with each compiler."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("trees", nargs="+", type=Path)
    parser.add_argument("--held-out", action="store_true")
    parser.add_argument("--model", type=Path)
    parser.add_argument("--asker", type=Path)
    parser.add_argument("--errors", type=int, default=0)
    options = parser.parse_args()
    compilers: dict[str, Compiler] = {
        "cues": CueCompiler(segmenter=ClauseSegmenter(), asker=TemplateAsker())
    }
    if options.model:
        compilers["neural"] = load_compiler(options.model, asker=options.asker)
    for path in options.trees:
        trees = read_trees(path)
        if options.held_out:
            held = held_out_texts([tree.rule_text or "" for tree in trees], file=path.name)
            trees = tuple(tree for tree in trees if tree.rule_text in held)
        for name, compiler in compilers.items():
            cases = compared(compiler, trees)
            print(f"{path.name}, {name}: {compiling_report(cases)}", flush=True)
            for case in [case for case in cases if not case.same][: options.errors]:
                show(case)


if __name__ == "__main__":
    main()
