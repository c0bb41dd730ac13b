"""What the papers' readers need to ask: a span finder and an editor for every seed of a table."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, fields, replace
from pathlib import Path

from clausewise.config import read_config
from clausewise.progress import Progress, silent
from clausewise.training.editor import EditorTrainingConfig
from clausewise.training.editor_run import train_editor
from clausewise.training.manifest import FILE_NAME
from clausewise.training.reader_jobs import HITS, Measured, changed, measured_hits
from clausewise.training.reader_predict import Given
from clausewise.training.span import SpanConfig
from clausewise.training.span_run import train_span
from clausewise.training.span_torch import predict_spans

SPAN, EDITOR = "span", "editor"
FIRST = "-first"
"""What the name of a file of spans ends in that were looked for in the best rule text alone."""


@dataclass(frozen=True, slots=True, kw_only=True)
class AskingJobs:
    """The trainings that asking takes."""

    span: SpanConfig
    editor: EditorTrainingConfig | None
    """None where no system asks with it."""
    seeds: Sequence[int]

    @classmethod
    def read(
        cls,
        configs: Path,
        *,
        seeds: Sequence[int],
        with_editor: bool,
        changes: Mapping[str, object],
    ) -> AskingJobs:
        """Return the jobs; of `changes` to the readers, those that a span finder has too hold."""
        span = read_config(configs / "train-span.toml", SpanConfig)
        known = {each.name for each in fields(SpanConfig)}
        for field, value in changes.items():
            if field.partition(".")[0] in known:
                span = changed(span, field, value)
        editor = None
        if with_editor:
            editor = read_config(configs / "train-editor.toml", EditorTrainingConfig)
            editor = replace(editor, backbone=span.backbone)
        return cls(span=span, editor=editor, seeds=tuple(seeds))


def run_asking_jobs(
    todo: AskingJobs,
    *,
    root: Path,
    data: Path,
    measured: Measured,
    onnx: bool = True,
    command: str = "",
    progress: Progress = silent,
) -> Iterator[Path]:
    """Train what isn't there yet below `root`, and yield each folder as it is finished.

    What a span finder finds in a file of samples is written beside it, one file a setting as with
    readers, and one more ('-first') for systems that read the best rule text alone.
    """
    hits = measured_hits(measured, root=root, progress=progress)
    for seed in todo.seeds:
        folder = root / SPAN / f"seed-{seed}"
        if not (folder / FILE_NAME).is_file():
            train_span(
                _seeded(todo.span, seed=seed, root=root),
                folder=folder,
                data=data,
                onnx=onnx,
                command=command,
                progress=progress,
            )
        _predict(folder, measured=measured, hits=hits, top_k=todo.span.hits.top_k)
        yield folder
        if todo.editor is not None:
            folder = root / EDITOR / f"seed-{seed}"
            if not (folder / FILE_NAME).is_file():
                editor = replace(todo.editor, loop=replace(todo.editor.loop, seed=seed))
                train_editor(editor, folder=folder, data=data, command=command, progress=progress)
            yield folder


def _seeded(config: SpanConfig, *, seed: int, root: Path) -> SpanConfig:
    cache = config.hits.cache or (root / HITS).resolve()
    return replace(
        config,
        loop=replace(config.loop, seed=seed),
        hits=replace(config.hits, cache=cache),
    )


def _predict(
    folder: Path, *, measured: Measured, hits: Mapping[str, Given | None], top_k: int
) -> None:
    for setting, found in hits.items():
        for name, count in ((setting, top_k), (f"{setting}{FIRST}", 1)):
            out = folder / f"{name}.jsonl"
            if not out.is_file():
                predict_spans(
                    folder,
                    samples=measured.samples,
                    rules=measured.rules,
                    out=out,
                    hits=found,
                    top_k=count,
                )
