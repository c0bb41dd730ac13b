"""Trains the joint readers of a table, and lets each read a file of samples when it is trained.

python -m benchmarks.readers mudern mp mudern-no-layers --seeds 0 1 2 --data DATA --out ROOT
    --samples DATA/or_sharc/dev.jsonl --rules DATA/or_sharc/rules.json --set loop.epochs=5

What is finished in ROOT is left as it is. With --workers, systems are trained side by side; a large
accelerator is hardly busy with one small network. With --prepare, rules are only looked up, into
ROOT/hits.json, so that it needn't be done where time is dear.
"""

from __future__ import annotations

import argparse
import json
import logging
import multiprocessing
import shlex
import sys
import warnings
from concurrent.futures import ProcessPoolExecutor, as_completed
from pathlib import Path

from clausewise.training.reader_jobs import (
    Job,
    Measured,
    jobs,
    look_up_once,
    measured_hits,
    run_jobs,
)

CONFIGS = Path(__file__).resolve().parents[1] / "configs"


def main() -> None:
    """Run the trainings that the command line names."""
    options = _options()
    options.out.mkdir(parents=True, exist_ok=True)
    todo = {
        name: jobs(
            [name], seeds=options.seeds, configs=CONFIGS, changes=_changes(options.set, options)
        )
        for name in options.systems
    }
    _prepare([each[0] for each in todo.values()], options)
    if options.prepare:
        return
    context = multiprocessing.get_context("spawn")
    with ProcessPoolExecutor(options.workers, mp_context=context) as pool:
        running = [pool.submit(_run, each, options) for each in todo.values()]
        for finished in as_completed(running):
            finished.result()


def _prepare(first: list[Job], options: argparse.Namespace) -> None:
    """Look rules up once, before workers would all do it."""
    look_up_once(first, root=options.out, data=options.data)
    measured = _measured(options)
    if measured is not None:
        measured_hits(measured, root=options.out)


def _run(todo: tuple[Job, ...], options: argparse.Namespace) -> None:
    logging.basicConfig(level=logging.WARNING)
    logging.getLogger("clausewise").setLevel(logging.INFO)
    warnings.simplefilter("ignore")
    finished = run_jobs(
        todo,
        root=options.out,
        data=options.data,
        measured=_measured(options),
        onnx=not options.no_onnx,
        command=shlex.join(["python", "-m", "benchmarks.readers", *sys.argv[1:]]),
    )
    for each in finished:
        state = "trained" if each.trained else "was there"
        print(f"{each.job.name} seed {each.job.seed} {state}: {dict(each.scores)}", flush=True)


def _measured(options: argparse.Namespace) -> Measured | None:
    if not (options.samples and options.rules):
        return None
    return Measured(samples=options.samples, rules=options.rules)


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("systems", nargs="+")
    parser.add_argument("--seeds", nargs="+", type=int, default=[0])
    parser.add_argument("--data", type=Path, required=True)
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--samples", type=Path)
    parser.add_argument("--rules", type=Path)
    parser.add_argument("--segmenter", type=Path, help="the folder of the neural segmenter")
    parser.add_argument("--workers", type=int, default=1)
    parser.add_argument("--prepare", action="store_true", help="look rules up and stop")
    parser.add_argument("--no-onnx", action="store_true", help="write no ONNX")
    parser.add_argument("--set", nargs="*", default=[], metavar="FIELD=VALUE")
    return parser.parse_args()


def _changes(settings: list[str], options: argparse.Namespace) -> dict[str, object]:
    changes: dict[str, object] = {}
    if options.segmenter:
        changes["segmenter_model"] = options.segmenter.resolve()
    for setting in settings:
        field, _, value = setting.partition("=")
        try:
            changes[field] = json.loads(value)
        except ValueError:
            changes[field] = value
    return changes


if __name__ == "__main__":
    main()
