"""Trains and lets read everything that one table of the papers' systems is made from.

Nothing here needs the tokenizer of the scores, nor the command line: it runs where the accelerator
is. The scores are made of the files that it leaves (`evaluation.joint_table`).
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path

from clausewise.evaluation.joint_table import TablePlan
from clausewise.progress import Progress, silent
from clausewise.training.asking_jobs import AskingJobs, run_asking_jobs
from clausewise.training.reader_jobs import Measured, jobs, run_jobs


def train_table(
    plan: TablePlan,
    *,
    data: Path,
    configs: Path,
    changes: Mapping[str, object] | None = None,
    onnx: bool = False,
    command: str = "",
    progress: Progress = silent,
) -> Iterator[Path]:
    """Make the predictions of a plan that aren't there yet; yield each folder as it is finished.

    `data` is what paths in the configurations are relative to, `configs` the folder with these.
    """
    systems = plan.joint
    if not systems:
        return
    plan.work.mkdir(parents=True, exist_ok=True)
    measured = Measured(samples=plan.samples, rules=plan.rules)
    todo = jobs(systems, seeds=plan.seeds, configs=configs, changes=changes or {})
    for finished in run_jobs(
        todo,
        root=plan.work,
        data=data,
        measured=measured,
        onnx=onnx,
        command=command,
        progress=progress,
    ):
        yield finished.folder
    asking = AskingJobs.read(
        configs, seeds=plan.seeds, with_editor="e3" in systems, changes=changes or {}
    )
    yield from run_asking_jobs(
        asking,
        root=plan.work,
        data=data,
        measured=measured,
        onnx=onnx,
        command=command,
        progress=progress,
    )
