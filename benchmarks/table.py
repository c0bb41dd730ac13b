"""Trains everything that `clausewise reproduce table` scores, where that isn't installed.

python -m benchmarks.table --systems mudern mp --seeds 3 --training DATA --work ROOT
    --data DATA/or_sharc/dev.jsonl --rules DATA/or_sharc/rules.json --set loop.epochs=5

What is finished in ROOT is left as it is; `clausewise reproduce table --only score` with the same
--work makes the table of it, on any machine.
"""

from __future__ import annotations

import argparse
import logging
import shlex
import sys
import warnings
from pathlib import Path

from benchmarks.readers import CONFIGS, _changes
from clausewise.evaluation.joint_table import ABLATIONS, SYSTEMS, TablePlan
from clausewise.training.table import train_table


def main() -> None:
    """Train what the command line names."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--systems", nargs="+", default=[*SYSTEMS, *ABLATIONS])
    parser.add_argument("--seeds", type=int, default=3)
    parser.add_argument("--training", type=Path, required=True)
    parser.add_argument("--work", type=Path, required=True)
    parser.add_argument("--data", type=Path, required=True)
    parser.add_argument("--rules", type=Path, required=True)
    parser.add_argument("--segmenter", type=Path)
    parser.add_argument("--set", nargs="*", default=[], metavar="FIELD=VALUE")
    options = parser.parse_args()
    logging.basicConfig(level=logging.WARNING)
    logging.getLogger("clausewise").setLevel(logging.INFO)
    warnings.simplefilter("ignore")
    plan = TablePlan(
        systems=tuple(options.systems),
        seeds=tuple(range(options.seeds)),
        work=options.work,
        rules=options.rules,
        samples=options.data,
    )
    for done in train_table(
        plan,
        data=options.training,
        configs=CONFIGS,
        changes=_changes(options.set, options),
        command=shlex.join(["python", "-m", "benchmarks.table", *sys.argv[1:]]),
    ):
        print(f"{done.relative_to(plan.work)}: trained and read", flush=True)


if __name__ == "__main__":
    main()
