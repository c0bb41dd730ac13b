"""The dual encoder learns which rule settles a question (Karpukhin et al. 2020).

Every query of a batch must find its rule among all rules of the batch. Batches are made of families
of rules that look alike to BM25, so that most of the hard negatives are each other's positives too;
those that are not there join as texts of their own, as in DPR: of every rule the wrong one that
TF-IDF ranks highest for its question. Only rules with a reviewed tree
take part, as positives or as negatives: unseen rules stay unseen.
"""

from __future__ import annotations

import random
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Protocol

import numpy as np
import torch
from torch import Tensor
from torch.nn import functional

from clausewise.datasets.orsharc import Sample, read_samples
from clausewise.errors import ConfigError, Where
from clausewise.evaluation.retrieval import RetrievalReport, evaluate_retrieval
from clausewise.knowledge.base import KnowledgeBase
from clausewise.retrievers.bm25 import Bm25
from clausewise.retrievers.dense import Dense
from clausewise.retrievers.hybrid import Hybrid
from clausewise.retrievers.parts import FusionWeights
from clausewise.retrievers.query import WeightedText
from clausewise.retrievers.tfidf import Tfidf
from clausewise.retrievers.vectors import Encoder, passage
from clausewise.training.encoder import DualEncoder, TorchEncoder, embed
from clausewise.training.loop import LoopConfig
from clausewise.training.pairs import QueryMix, queries
from clausewise.types import Dialogue, RuleText

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from clausewise.training.backbone import Backbone
    from clausewise.trees.tree import RuleTree


@dataclass(frozen=True, slots=True, kw_only=True)
class RetrieverConfig:
    """How the dual encoder is trained."""

    backbone: str = "all-MiniLM-L6-v2"
    """The pre-trained weights: a folder, a name inside an installed package, or one of the hub."""
    trees: tuple[Path, ...]
    """Reviewed trees to learn from, relative to the data folder."""
    rules: Path
    """The rules that the development questions are asked of."""
    development: Path
    """The samples that tell how good the model is; never learned from."""
    loop: LoopConfig = field(default_factory=LoopConfig)
    """How long and how fast it learns."""
    mix: QueryMix = field(default_factory=QueryMix)
    """What queries are made of."""
    rules_per_batch: int = 48
    """How many rules a query must be told apart from, itself included."""
    family: int = 4
    """How many rules that look alike come into a batch together."""
    hard_negatives: int = 1
    """How many of the wrong rules that TF-IDF ranks highest join a batch for each of its rules."""
    temperature: float = 0.05
    """What cosines are divided by: the lower, the more the hardest negatives count."""
    max_tokens: int = 256
    """Longer texts are cut."""
    kept: float = 0.0
    """The share of the pre-trained weights in the result (WiSE-FT, Wortsman et al. 2022)."""

    def __post_init__(self) -> None:
        if not 0 <= self.kept < 1:
            message = f"{self.kept} is no share, expected 0 or more and less than 1"
            raise ConfigError(message, where=Where(field="kept"))
        if self.hard_negatives < 0:
            message = f"{self.hard_negatives} can't join a batch, expected 0 or more"
            raise ConfigError(message, where=Where(field="hard_negatives"))
        if not 1 <= self.family <= self.rules_per_batch:
            message = f"{self.family} rules don't fit a batch of {self.rules_per_batch}"
            raise ConfigError(message, where=Where(field="family"))


@dataclass(frozen=True, slots=True, kw_only=True)
class PairBatch:
    """Queries and rules; every query has one rule that it should find, some rules have no query."""

    rules: tuple[str, ...]
    queries: tuple[str, ...]
    targets: tuple[int, ...]
    """The place of its rule for each query."""


class RetrieverTask:
    """Trains a dual encoder on reviewed trees and measures it on samples."""

    def __init__(
        self,
        backbone: Backbone,
        *,
        config: RetrieverConfig,
        trees: Sequence[RuleTree],
        development: Development,
    ) -> None:
        self.model = DualEncoder(backbone)
        self._tokenizer = backbone.tokenizer
        self._config = config
        self._trees = tuple(tree for tree in trees if tree.questions and tree.rule_text)
        self._alike = _alike(self._trees, count=3 * config.family)
        self._hardest = _hardest(self._trees, count=config.hard_negatives)
        self._development = development

    def batches(self, epoch: int) -> list[PairBatch]:
        """Return the batches of an epoch: every tree once, with queries drawn anew."""
        lot = random.Random(f"{self._config.loop.seed}/{epoch}")  # noqa: S311 - nothing here is secret
        left = list(range(len(self._trees)))
        lot.shuffle(left)
        batches: list[PairBatch] = []
        while left:
            chosen = self._families(left)
            left = [place for place in left if place not in chosen]
            batches.append(self._batch(sorted(chosen), lot=lot))
        return batches

    def _families(self, left: Sequence[int]) -> set[int]:
        """Return the trees of a batch: some that come next, each with those most like it."""
        free = set(left)
        chosen: set[int] = set()
        for place in left:
            if len(chosen) >= self._config.rules_per_batch:
                break
            if place not in chosen:
                near = [other for other in self._alike[place] if other in free - chosen]
                chosen.update((place, *near[: self._config.family - 1]))
        return chosen

    def _batch(self, places: Sequence[int], *, lot: random.Random) -> PairBatch:
        rules: dict[str, int] = {}
        asked: list[str] = []
        targets: list[int] = []
        for place in places:
            tree = self._trees[place]
            # Two trees of one rule text share its place: they are no negatives of each other.
            target = rules.setdefault(tree.rule_text or "", len(rules))
            drawn = queries(tree, others=self._trees, mix=self._config.mix, lot=lot)
            asked += drawn
            targets += [target] * len(drawn)
        for place in places:
            for text in self._hardest[place]:
                rules.setdefault(text, len(rules))
        return PairBatch(rules=tuple(rules), queries=tuple(asked), targets=tuple(targets))

    def loss(self, batch: PairBatch) -> Tensor:
        """Return the cross-entropy of the right rules (equation 2 of the paper, by cosine)."""
        found = self._embed(batch.queries) @ self._embed(batch.rules).T  # [queries, rules]
        targets = torch.tensor(batch.targets, device=found.device)
        return functional.cross_entropy(found.float() / self._config.temperature, targets)

    def _embed(self, texts: Sequence[str]) -> Tensor:
        return embed(
            self.model, texts, tokenizer=self._tokenizer, max_tokens=self._config.max_tokens
        )

    def evaluate(self) -> Mapping[str, float]:
        """Return the recall on the development samples."""
        encoder = TorchEncoder(
            self.model, tokenizer=self._tokenizer, max_tokens=self._config.max_tokens
        )
        return self._development.scores(encoder)


class ManyAtOnce(Encoder, Protocol):
    """An encoder that is faster with many texts than with one, and keeps their vectors."""

    def remember(self, texts: Sequence[str]) -> None:
        """Encode the texts, so that their vectors are at hand."""
        ...


@dataclass(frozen=True, slots=True, kw_only=True)
class Development:
    """Rules and samples that a retriever is measured on while it learns."""

    rules: tuple[RuleText, ...]
    samples: tuple[Sample, ...]

    @classmethod
    def read(cls, *, rules: Path, samples: Path) -> Development:
        """Return the rules and samples in two files."""
        return cls(rules=KnowledgeBase.open(rules).rules, samples=read_samples(samples))

    def texts(self) -> list[str]:
        """Return all that is encoded while measuring."""
        dialogues = [sample.dialogue for sample in self.samples]
        asked = [text for dialogue in dialogues for text in _texts_of(dialogue)]
        return [*(passage(rule) for rule in self.rules), *asked]

    def scores(self, encoder: ManyAtOnce) -> Mapping[str, float]:
        """Return recall by name: of vectors alone, and of the whole with and without turns."""
        encoder.remember(self.texts())
        dense = Dense.build(self.rules, encoder=encoder)
        hybrid = Hybrid(words=Bm25.build(self.rules), dense=dense)
        reports = {
            "dense": evaluate_retrieval(dense, self.samples, history=False),
            "hybrid without turns": evaluate_retrieval(hybrid, self.samples, history=False),
            "hybrid": evaluate_retrieval(hybrid, self.samples),
        }
        return {
            f"{name}, {figure}": value
            for name, report in reports.items()
            for figure, value in _figures(report).items()
        }


def averaged(
    trained: Mapping[str, Tensor], *, pretrained: Mapping[str, Tensor], kept: float
) -> dict[str, Tensor]:
    """Return weights between the two; `kept` is the share of the pre-trained ones."""
    return {
        name: torch.lerp(weight, pretrained[name], kept) if weight.is_floating_point() else weight
        for name, weight in trained.items()
    }


def _texts_of(dialogue: Dialogue) -> list[str]:
    """Return what `Hybrid` encodes of a dialogue, which holds what `Dense` does."""
    return [text for part in FusionWeights().vector_parts(dialogue) for text in part.texts]


def _figures(report: RetrievalReport) -> dict[str, float]:
    slices = {"all": report.overall, "unseen": report.unseen}
    return {
        f"{name} @{cutoff}": scores.recall[place]
        for name, scores in slices.items()
        for place, cutoff in ((0, 1), (2, 5), (4, 20))
    }


def _alike(trees: Sequence[RuleTree], *, count: int) -> list[list[int]]:
    """Return for every tree the places of those whose rules look most like its own to BM25."""
    rules = [
        RuleText(rule_id=str(place), text=tree.rule_text or "") for place, tree in enumerate(trees)
    ]
    index = Bm25.build(rules)
    nearest = []
    for place, rule in enumerate(rules):
        scores = index.scores([WeightedText(text=rule.text, weight=1.0)])
        order = np.argsort(-scores, kind="stable")[: count + 1]
        nearest.append([int(other) for other in order if other != place])
    return nearest


def _hardest(trees: Sequence[RuleTree], *, count: int) -> list[tuple[str, ...]]:
    """Return for every tree the other rule texts that TF-IDF ranks highest for its question."""
    texts = dict.fromkeys(tree.rule_text or "" for tree in trees)
    index = Tfidf.build([RuleText(rule_id=str(n), text=text) for n, text in enumerate(texts)])
    found = []
    for tree in trees:
        hits = index.retrieve(Dialogue(question=tree.questions[0]), top_k=count + 1)
        wrong = [hit.rule.text for hit in hits if hit.rule.text != tree.rule_text]
        found.append(tuple(wrong[:count]))
    return found
