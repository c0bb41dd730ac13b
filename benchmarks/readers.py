"""Trains the joint readers of a table one after the other, and lets each read a file of samples.

python -m benchmarks.readers mudern mp mudern-no-layers --seeds 0 1 2 --data DATA --out ROOT
    --samples DATA/or_sharc/dev.jsonl --rules DATA/or_sharc/rules.json --set loop.epochs=5

What is finished in ROOT is left as it is.
"""

from __future__ import annotations

import argparse
import json
import logging
import shlex
import sys
import warnings
from pathlib import Path

from clausewise.training.reader_jobs import Measured, jobs, run_jobs

CONFIGS = Path(__file__).resolve().parents[1] / "configs"


def main() -> None:
    """Run the trainings that the command line names."""
    options = _options()
    logging.basicConfig(level=logging.WARNING)
    logging.getLogger("clausewise").setLevel(logging.INFO)
    warnings.simplefilter("ignore")
    measured = None
    if options.samples and options.rules:
        measured = Measured(samples=options.samples, rules=options.rules)
    todo = jobs(options.systems, seeds=options.seeds, configs=CONFIGS, changes=_changes(options))
    finished = run_jobs(
        todo,
        root=options.out,
        data=options.data,
        measured=measured,
        command=shlex.join(["python", "-m", "benchmarks.readers", *sys.argv[1:]]),
    )
    for each in finished:
        state = "trained" if each.trained else "was there"
        print(f"{each.job.name} seed {each.job.seed} {state}: {dict(each.scores)}", flush=True)


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("systems", nargs="+")
    parser.add_argument("--seeds", nargs="+", type=int, default=[0])
    parser.add_argument("--data", type=Path, required=True)
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--samples", type=Path)
    parser.add_argument("--rules", type=Path)
    parser.add_argument("--segmenter", type=Path, help="the folder of the neural segmenter")
    parser.add_argument("--set", nargs="*", default=[], metavar="FIELD=VALUE")
    return parser.parse_args()


def _changes(options: argparse.Namespace) -> dict[str, object]:
    changes: dict[str, object] = {}
    if options.segmenter:
        changes["segmenter_model"] = options.segmenter.resolve()
    for setting in options.set:
        field, _, value = setting.partition("=")
        try:
            changes[field] = json.loads(value)
        except ValueError:
            changes[field] = value
    return changes


if __name__ == "__main__":
    main()
