"""How often an engine breaks the laws that it should obey on every dialogue.

    python benchmarks/laws.py --rules RULES --data SAMPLES.jsonl [--trees FILE]... [--show 5]

Five rules of the demonstration, each about something else than the data, are added one at a time
and then all 132 at once: what is decided should stay. The other laws take the engine as it is.
"""

from __future__ import annotations

import argparse
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from clausewise.build import build_engine
from clausewise.cli.load import Body
from clausewise.config import EngineConfig
from clausewise.datasets.orsharc import read_samples
from clausewise.engine import Engine
from clausewise.evaluation.laws import (
    Case,
    Tally,
    permuted,
    proven,
    repeated,
    reworded,
    said,
    silent,
    with_another_engine,
)
from clausewise.types import RuleText

_EVERY = 27


@dataclass(frozen=True, slots=True, kw_only=True)
class Setting:
    """The body of rules that is measured, and rules of another world."""

    body: Body
    unrelated: tuple[RuleText, ...]

    def engine(self, *more: RuleText) -> Engine:
        """Return the engine over the rules and some more."""
        rules = (*self.body.knowledge.rules, *more)
        return build_engine(rules, trees=self.body.trees, config=EngineConfig())


def tallies(setting: Setting, cases: tuple[Case, ...]) -> Iterator[Tally]:
    """Yield the tally of every law."""
    engine = setting.engine()
    yield proven(cases)
    yield repeated(cases, engine=engine)
    yield permuted(cases, engine=engine)
    yield reworded(cases, engine=engine)
    yield silent((case.dialogue for case in cases), engine=engine)
    for rule in setting.unrelated[::_EVERY]:
        larger = setting.engine(rule)
        yield with_another_engine(f"with {rule.rule_id}", cases, engine=larger)
    larger = setting.engine(*setting.unrelated)
    yield with_another_engine("with the whole demonstration", cases, engine=larger)


def main() -> None:
    """Print a line a law, and some of the cases that broke it."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rules", type=Path, required=True)
    parser.add_argument("--data", type=Path, required=True)
    parser.add_argument("--trees", type=Path, action="append")
    parser.add_argument("--show", type=int, default=0)
    options = parser.parse_args()
    body = Body.load(options.rules, trees=options.trees)
    setting = Setting(body=body, unrelated=tuple(Body.load(None).knowledge.rules))
    cases = said(setting.engine(), (sample.dialogue for sample in read_samples(options.data)))
    print(f"{sum(case.decided for case in cases)} of {len(cases)} dialogues are decided")
    for tally in tallies(setting, cases):
        print(f"{tally.law}: {len(tally.broken)} of {tally.n} ({tally.percent:.2f} %)", flush=True)
        for broken in tally.broken[: options.show]:
            print(f"    {broken.case.dialogue}\n    {broken.case.reply}")
            print(f"    {broken.changed}\n    {broken.reply}\n")


if __name__ == "__main__":
    main()
