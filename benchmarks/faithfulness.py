"""How often the state of a condition changes when the words that an answer cites are taken out.

    python benchmarks/faithfulness.py --rules RULES --data SAMPLES.jsonl [--trees FILE]...

A cited sentence leaves the scenario, a cited answer its turn; then the conditions of the same tree
are judged again. A second table lets the question go with its answer: what the person said of their
own accord as well then counts against the citation.
"""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from pathlib import Path

from clausewise.build import build_judge
from clausewise.cli.load import Body
from clausewise.config import EngineConfig
from clausewise.datasets.orsharc import read_samples
from clausewise.evaluation.faithfulness import Citation, citations
from clausewise.evaluation.laws import said
from clausewise.types import WordsFrom


def main() -> None:
    """Print both tables, and some of the citations that could go."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rules", type=Path, required=True)
    parser.add_argument("--data", type=Path, required=True)
    parser.add_argument("--trees", type=Path, action="append")
    parser.add_argument("--show", type=int, default=0)
    options = parser.parse_args()
    config = EngineConfig()
    engine = Body.load(options.rules, trees=options.trees).engine(config)
    cases = said(engine, (sample.dialogue for sample in read_samples(options.data)))
    judge = build_judge(config.judge)
    for stays in (True, False):
        found = citations(cases, judge=judge, question_stays=stays)
        print("the question stays" if stays else "the question goes with the answer")
        report(found)
        for one in [one for one in found if not one.faithful][: options.show]:
            print(f"    {one.dialogue}\n    {one.item}\n")


def report(found: Sequence[Citation]) -> None:
    """Print how many citations had to be there, by where the words were said."""
    for place in (*WordsFrom, None):
        chosen = [one for one in found if place in (None, one.item.words.said_in)]
        faithful = sum(one.faithful for one in chosen)
        share = 100 * faithful / max(len(chosen), 1)
        print(f"  {place.value if place else 'all'}: {faithful} of {len(chosen)} ({share:.1f} %)")


if __name__ == "__main__":
    main()
