"""Many trainings one after the other: every system and ablation of a table, with several seeds.

What has been finished is left as it is, so a machine that is taken away costs one training.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, TypeVar, cast

from clausewise.config import RetrieverName, read_config
from clausewise.datasets.orsharc import read_samples
from clausewise.errors import ConfigError, Where
from clausewise.knowledge.base import KnowledgeBase
from clausewise.progress import Progress, silent
from clausewise.training.loop import LoopConfig
from clausewise.training.manifest import FILE_NAME, Manifest
from clausewise.training.reader_config import ReaderConfig
from clausewise.training.reader_data import ReaderData
from clausewise.training.reader_hits import KEPT, hits_of
from clausewise.training.reader_predict import Given, predict_file
from clausewise.training.reader_run import Prepared, look_up, prepare_reader, train_reader

Config = TypeVar("Config")
ABLATIONS: Mapping[str, Mapping[str, object]] = {
    "mudern-sentences": {"segmenter": "sentences"},
    "mudern-no-layers": {"layers": 0},
    "mudern-no-entailment": {"entailment_weight": 0.0},
    "mudern-discern-head": {"head": "discern"},
    "mudern-edit-distance": {"labels": "edit_distance"},
}
"""What MUDERN is without one of its parts; the last one learns from noisy labels, as the paper."""
CLOSED_BOOK = "closed-book"
HITS = "hits.json"


@dataclass(frozen=True, slots=True, kw_only=True)
class Job:
    """One training."""

    name: str
    """Of the system, or of the ablation."""
    seed: int
    config: ReaderConfig

    def folder(self, root: Path) -> Path:
        """Return where its model goes."""
        return root / self.name / f"seed-{self.seed}"


@dataclass(frozen=True, slots=True, kw_only=True)
class Finished:
    """What came of a job, now or in an earlier run."""

    job: Job
    folder: Path
    scores: Mapping[str, float]
    trained: bool
    """False where its model was there already."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Measured:
    """A file of samples that every trained reader reads as soon as it is trained."""

    samples: Path
    rules: Path
    retrievers: tuple[RetrieverName, ...] = ("conversational", "tfidf")
    """End to end with each, besides closed book; as many texts as in training."""


def jobs(
    names: Sequence[str], *, seeds: Sequence[int], configs: Path, changes: Mapping[str, object]
) -> tuple[Job, ...]:
    """Return the jobs of some systems and ablations, seed by seed.

    `configs` is the folder of the train-reader files; `changes` are fields that are set in each,
    those of parts as 'loop.epochs'.
    """
    return tuple(
        Job(name=name, seed=seed, config=_config(name, configs, {**changes, "loop.seed": seed}))
        for seed in seeds
        for name in names
    )


def run_jobs(
    todo: Sequence[Job],
    *,
    root: Path,
    data: Path,
    measured: Measured | None = None,
    onnx: bool = True,
    command: str = "",
    progress: Progress = silent,
) -> Iterator[Finished]:
    """Train what isn't there yet, one after the other, and yield each as it is finished.

    With `measured`, what a reader says of a file of samples is written beside its model, as
    'SETTING.jsonl' with a setting of 'closed-book' or the name of a retriever.
    """
    hits = {} if measured is None else measured_hits(measured, root=root, progress=progress)
    ready: dict[ReaderConfig, Prepared] = {}
    for job in todo:
        folder = job.folder(root)
        trained = not (folder / FILE_NAME).is_file()
        if trained:
            key = _preparing(job.config)
            if key not in ready:
                config = _with_cache(job.config, root=root)
                ready[key] = prepare_reader(config, folder=root, data=data, progress=progress)
            train_reader(
                job.config,
                folder=folder,
                data=data,
                prepared=ready[key],
                onnx=onnx,
                command=command,
                progress=progress,
            )
        if measured is not None:
            _predict(job, folder=folder, measured=measured, hits=hits)
        scores = Manifest.read(folder).scores
        yield Finished(job=job, folder=folder, scores=scores, trained=trained)


def look_up_once(todo: Sequence[Job], *, root: Path, data: Path) -> None:
    """Find the rule texts that jobs learn from, into a file in `root`, before any is trained."""
    for config in {_with_cache(job.config, root=root) for job in todo}:
        if config.model.reads_many:
            read = ReaderData.read(config.samples, labels=config.labels, data=data)
            look_up(config, read=read, folder=root, data=data)


def _with_cache(config: ReaderConfig, *, root: Path) -> ReaderConfig:
    if config.hits.cache is not None:
        return config
    return replace(config, hits=replace(config.hits, cache=(root / HITS).resolve()))


def measured_hits(
    measured: Measured, *, root: Path, progress: Progress = silent
) -> Mapping[str, Given | None]:
    """Return by setting which rule texts each sample is read with; kept in `root` for all jobs."""
    samples = read_samples(measured.samples)
    rules = KnowledgeBase.open(measured.rules).rules
    found: dict[str, Given | None] = {CLOSED_BOOK: None}
    for retriever in measured.retrievers:
        by_sample = hits_of(
            {sample.utterance_id: sample.dialogue for sample in samples},
            rules=rules,
            retriever=retriever,
            top_k=KEPT,
            cache=root / HITS,
            progress=progress,
        )
        found[retriever] = {
            name: [rule.rule_id for rule in texts] for name, texts in by_sample.items()
        }
    return found


def _predict(
    job: Job, *, folder: Path, measured: Measured, hits: Mapping[str, Given | None]
) -> None:
    top_k = job.config.hits.top_k
    for setting, found in hits.items():
        out = folder / f"{setting}.jsonl"
        if not out.is_file():
            cut = None if found is None else {name: ids[:top_k] for name, ids in found.items()}
            predict_file(
                folder,
                samples=measured.samples,
                rules=measured.rules,
                out=out,
                hits=cut,
                segmenter=job.config.segmenter_model,
            )


def _preparing(config: ReaderConfig) -> ReaderConfig:
    """Return the configuration without what doesn't change the examples in tokens."""
    return replace(
        config,
        loop=LoopConfig(),
        layers=0,
        head="mudern",
        entailment_weight=1.0,
        span_weight=1.0,
        extraction_weight=1.0,
        batch_size=1,
    )


def _config(name: str, configs: Path, changes: Mapping[str, object]) -> ReaderConfig:
    system = "mudern" if name in ABLATIONS else name
    path = configs / f"train-reader-{system}.toml"
    if not path.is_file():
        message = f"{name!r} is unknown, expected a system or one of {', '.join(ABLATIONS)}"
        raise ConfigError(message, where=Where(file=str(path)))
    config = read_config(path, ReaderConfig)
    for field, value in {**changes, **ABLATIONS.get(name, {})}.items():
        config = changed(config, field, value)
    return config


def changed(config: Config, field: str, value: object) -> Config:
    """Return a configuration with one field set, of a part as 'loop.epochs'."""
    part, _, inner = field.partition(".")
    try:
        if inner:
            return _with(config, **{part: _with(getattr(config, part), **{inner: value})})
        return _with(config, **{field: value})
    except (AttributeError, TypeError) as error:
        raise ConfigError("is no field of the configuration", where=Where(field=field)) from error


def _with(config: Config, **values: object) -> Config:
    made: Config = replace(cast("Any", config), **values)
    return made
