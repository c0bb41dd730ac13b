"""How well a judge tells what a person's statement says of a condition.

    python benchmarks/judging.py TREES.jsonl... [--show 20]

Every statement of a tree is a scenario: it settles its own condition as true or false, and says
nothing of a condition of another rule. For its siblings it should say nothing either, but may hint.
"""

from __future__ import annotations

import argparse
import json
import random
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from clausewise.readers.lexical import LexicalJudge
from clausewise.trees.values import Condition, Span, State
from clausewise.types import Dialogue


@dataclass(frozen=True, slots=True, kw_only=True)
class Sample:
    """A statement, a condition, and what the one says of the other."""

    statement: str
    condition: Condition
    expected: State
    kind: str


def trees(path: Path) -> list[list[Condition]]:
    """Return the conditions of every tree of a file."""
    return [
        [
            Condition(
                key=key,
                span=Span(start=found["span"][0], end=found["span"][1]),
                text=found["text"],
                question=found["question"],
                yes=tuple(found["yes"]),
                no=tuple(found["no"]),
            )
            for key, found in json.loads(line)["conditions"].items()
        ]
        for line in path.read_text("utf-8").splitlines()
    ]


def samples(rules: list[list[Condition]]) -> Iterator[Sample]:
    """Yield every statement with its own condition, a sibling and a stranger."""
    chosen = random.Random(7)
    for conditions in rules:
        for own in conditions:
            stranger = chosen.choice(chosen.choice(rules))
            siblings = [other for other in conditions if other is not own]
            for state, statements in ((State.ENTAILED, own.yes), (State.CONTRADICTED, own.no)):
                for said in statements:
                    yield Sample(statement=said, condition=own, expected=state, kind=state.value)
                    unknown = [("stranger", stranger)] if stranger not in conditions else []
                    unknown += [("sibling", chosen.choice(siblings))] if siblings else []
                    for kind, other in unknown:
                        yield Sample(
                            statement=said, condition=other, expected=State.UNKNOWN, kind=kind
                        )


def main() -> None:
    """Print a table of what was judged and the precision of what was decided."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("trees", nargs="+", type=Path)
    parser.add_argument("--show", type=int, default=0)
    options = parser.parse_args()
    judge = LexicalJudge()
    for path in options.trees:
        counts: Counter[tuple[str, State]] = Counter()
        wrong = []
        for sample in samples(trees(path)):
            dialogue = Dialogue(question="Can I?", scenario=sample.statement)
            state = judge.judge((sample.condition,), dialogue=dialogue)[0].state
            counts[sample.kind, state] += 1
            if state is not State.UNKNOWN and state is not sample.expected:
                wrong.append(sample)
        report(path.name, counts)
        for sample in wrong[:: max(1, len(wrong) // max(options.show, 1))][: options.show]:
            print(f"  {sample.kind}: {sample.statement}\n    {sample.condition.question}")


def report(name: str, counts: Counter[tuple[str, State]]) -> None:
    """Print one file's table."""
    print(f"{name}\n  {'should be':<14}" + "".join(f"{state.value:>14}" for state in State))
    for kind in ("entailed", "contradicted", "sibling", "stranger"):
        print(f"  {kind:<14}" + "".join(f"{counts[kind, state]:>14}" for state in State))
    right = counts["entailed", State.ENTAILED] + counts["contradicted", State.CONTRADICTED]
    decided = sum(n for (_, state), n in counts.items() if state is not State.UNKNOWN)
    settled = sum(n for (kind, _), n in counts.items() if kind in {"entailed", "contradicted"})
    print(f"  precision of decided {100 * right / max(decided, 1):.1f} %")
    print(f"  recall of settled {100 * right / max(settled, 1):.1f} %")


if __name__ == "__main__":
    main()
