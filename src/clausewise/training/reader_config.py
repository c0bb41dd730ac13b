"""How joint readers are trained: one configuration for every system, so that all get the same."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Literal

from clausewise.config import RetrieverName, SegmenterName
from clausewise.datasets.dialogue_config import DialogueConfig
from clausewise.errors import ConfigError, Where
from clausewise.readers.transformer.config import HeadName, ReaderModelConfig, SystemName
from clausewise.training.loop import LoopConfig
from clausewise.training.reader_hits import KEPT

LabelsName = Literal["tree", "edit_distance"]
"""Where the states of units come from: the trees' own spans, or the nearest words (noisy)."""


@dataclass(frozen=True, slots=True, kw_only=True)
class SampleConfig:
    """What is learned from: dialogues simulated from trees, or samples of one's own."""

    trees: tuple[Path, ...] = ()
    """Reviewed trees, relative to the data folder; the held-out ones are left out."""
    count: int = 18_000
    """How many samples are simulated; OR-ShARC's training part has 17,936."""
    seed: int = 0
    """Of the simulation: apart from the training's, so that all seeds learn the same dialogues."""
    dialogues: DialogueConfig = field(default_factory=DialogueConfig)
    """How they are mixed."""
    held_out: int = 600
    """How many samples over held-out rules tell how the training goes."""
    file: Path | None = None
    """JSON lines like OR-ShARC's, instead of trees; relative to the data folder."""
    rules: Path | None = None
    """With `file`: the rule texts, id -> text."""

    def __post_init__(self) -> None:
        if self.file is not None and self.rules is None:
            raise ConfigError(
                "is missing, expected the rules of `file`", where=Where(field="rules")
            )
        if self.file is None and not self.trees:
            message = "nothing to learn from, expected trees or a file of samples"
            raise ConfigError(message, where=Where(field="trees"))


@dataclass(frozen=True, slots=True, kw_only=True)
class HitsConfig:
    """Which rule texts stand beside the right one, for systems that read several."""

    retriever: RetrieverName = "conversational"
    top_k: int = 6
    """Of so many four to five fit, about as many as in the paper (section 5.3)."""
    cache: Path | None = None
    """A file for what was found, shared by trainings; by default in the model's folder."""

    def __post_init__(self) -> None:
        if not 1 <= self.top_k <= KEPT:
            message = f"{self.top_k} rule texts, expected 1 to {KEPT}"
            raise ConfigError(message, where=Where(field="top_k"))


@dataclass(frozen=True, slots=True, kw_only=True)
class ReaderConfig:
    """How a joint reader is trained."""

    samples: SampleConfig
    """What it learns from."""
    system: SystemName = "mudern"
    backbone: str = "all-MiniLM-L6-v2"
    """The pre-trained weights: a folder, a name inside an installed package, or one of the hub."""
    segmenter: SegmenterName = "neural"
    """What cuts rule texts into units."""
    segmenter_model: Path | None = None
    """Of `neural`: its folder; by default the one that ships."""
    labels: LabelsName = "tree"
    hits: HitsConfig = field(default_factory=HitsConfig)
    loop: LoopConfig = field(default_factory=LoopConfig)
    layers: int = 4
    """L in the paper."""
    head: HeadName = "mudern"
    entailment_weight: float = 8.0
    """Lambda in the paper; 0 leaves the states of units out."""
    span_weight: float = 1.0
    """Of the span to ask about, in EMT and E3."""
    extraction_weight: float = 5.0
    """Of the starts and ends of all spans, in E3: few tokens are one."""
    batch_size: int = 32
    max_tokens: int = 512

    def __post_init__(self) -> None:
        for name in ("entailment_weight", "span_weight", "extraction_weight"):
            if getattr(self, name) < 0:
                message = f"{getattr(self, name)} is no weight, expected at least 0"
                raise ConfigError(message, where=Where(field=name))
        if self.labels == "tree" and self.samples.file is not None:
            message = "'tree' needs trees; samples of a file know only 'edit_distance'"
            raise ConfigError(message, where=Where(field="labels"))
        if self.system == "emt" and not self.entailment_weight:
            message = "0 leaves EMT no states to weigh its tokens by, expected more"
            raise ConfigError(message, where=Where(field="entailment_weight"))

    def with_samples(self, file: Path, *, rules: Path | None) -> ReaderConfig:
        """Return the same over samples of one's own, whose labels are found by edit distance."""
        samples = replace(self.samples, file=file, rules=rules or self.samples.rules, trees=())
        return replace(self, samples=samples, labels="edit_distance")

    @property
    def model(self) -> ReaderModelConfig:
        """What the saved model will say of itself."""
        return ReaderModelConfig(
            system=self.system,
            segmenter=self.segmenter,
            max_tokens=self.max_tokens,
            layers=self.layers,
            head=self.head,
            entails=self.entailment_weight > 0,
        )
