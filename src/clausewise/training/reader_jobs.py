"""Many trainings one after the other: every system and ablation of a table, with several seeds.

What has been finished is left as it is, so a machine that is taken away costs one training.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from clausewise.config import RetrieverName, read_config
from clausewise.datasets.orsharc import read_samples
from clausewise.errors import ConfigError, Where
from clausewise.knowledge.base import KnowledgeBase
from clausewise.progress import Progress, silent
from clausewise.training.manifest import FILE_NAME, Manifest
from clausewise.training.reader_config import ReaderConfig
from clausewise.training.reader_hits import hits_of
from clausewise.training.reader_predict import predict_file
from clausewise.training.reader_run import train_reader

ABLATIONS: Mapping[str, Mapping[str, object]] = {
    "mudern-sentences": {"segmenter": "sentences"},
    "mudern-no-layers": {"layers": 0},
    "mudern-no-entailment": {"entailment_weight": 0.0},
    "mudern-discern-head": {"head": "discern"},
    "mudern-edit-distance": {"labels": "edit_distance"},
}
"""What MUDERN is without one of its parts; the last one learns from noisy labels, as the paper."""
CLOSED_BOOK = "closed book"
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
    """End to end with each, besides closed book."""
    top_k: int = 20


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
    command: str = "",
    progress: Progress = silent,
) -> Iterator[Finished]:
    """Train what isn't there yet, one after the other, and yield each as it is finished.

    With `measured`, what a reader says of a file of samples is written beside its model, as
    'SETTING.jsonl' with a setting of 'closed book' or the name of a retriever.
    """
    hits = {} if measured is None else _hits(measured, cache=root / HITS, progress=progress)
    for job in todo:
        folder = job.folder(root)
        trained = not (folder / FILE_NAME).is_file()
        if trained:
            config = job.config
            if config.hits.cache is None:
                cache = (root / HITS).resolve()  # one for all systems and seeds
                config = replace(config, hits=replace(config.hits, cache=cache))
            train_reader(config, folder=folder, data=data, command=command, progress=progress)
        for setting, found in hits.items():
            out = folder / f"{setting.replace(' ', '-')}.jsonl"
            if measured is not None and not out.is_file():
                predict_file(
                    folder,
                    samples=measured.samples,
                    rules=measured.rules,
                    out=out,
                    hits=found,
                    segmenter=job.config.segmenter_model,
                )
        scores = Manifest.read(folder).scores
        yield Finished(job=job, folder=folder, scores=scores, trained=trained)


def _config(name: str, configs: Path, changes: Mapping[str, object]) -> ReaderConfig:
    system = "mudern" if name in ABLATIONS else name
    path = configs / f"train-reader-{system}.toml"
    if not path.is_file():
        message = f"{name!r} is unknown, expected a system or one of {', '.join(ABLATIONS)}"
        raise ConfigError(message, where=Where(file=str(path)))
    config = read_config(path, ReaderConfig)
    for field, value in {**ABLATIONS.get(name, {}), **changes}.items():
        config = _changed(config, field, value)
    return config


def _changed(config: ReaderConfig, field: str, value: object) -> ReaderConfig:
    part, _, inner = field.partition(".")
    try:
        if inner:
            changed = replace(getattr(config, part), **{inner: value})
            return replace(config, **{part: changed})
        return replace(config, **{field: value})  # type: ignore[arg-type]
    except (AttributeError, TypeError) as error:
        raise ConfigError("is no field of a reader's config", where=Where(field=field)) from error


def _hits(
    measured: Measured, *, cache: Path, progress: Progress
) -> dict[str, Mapping[str, Sequence[str]] | None]:
    samples = read_samples(measured.samples)
    rules = KnowledgeBase.open(measured.rules).rules
    found: dict[str, Mapping[str, Sequence[str]] | None] = {CLOSED_BOOK: None}
    for retriever in measured.retrievers:
        by_sample = hits_of(
            {sample.utterance_id: sample.dialogue for sample in samples},
            rules=rules,
            retriever=retriever,
            top_k=measured.top_k,
            cache=cache,
            progress=progress,
        )
        found[retriever] = {
            name: [rule.rule_id for rule in texts] for name, texts in by_sample.items()
        }
    return found
