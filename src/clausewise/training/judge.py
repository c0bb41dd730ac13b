"""The judge learns whether what somebody says settles a condition."""

from __future__ import annotations

import random
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
import torch
from numpy.typing import NDArray
from safetensors.torch import load_file, save_file
from tokenizers import Tokenizer
from torch import Tensor, nn
from torch.nn import functional

from clausewise.errors import ConfigError, Where
from clausewise.readers.neural import LABELS
from clausewise.training.backbone import Backbone, untrained
from clausewise.training.batching import Tokens, bucketed, by_length, tokenized, tokens_of
from clausewise.training.judge_pairs import JudgedPair, PairMix, pairs_of, read_inference
from clausewise.training.loop import LoopConfig
from clausewise.training.place_pairs import place_pairs
from clausewise.training.quantity_pairs import quantity_pairs
from clausewise.trees.values import State

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from tokenizers import Encoding

    from clausewise.trees.tree import RuleTree


WEIGHTS = "judge.safetensors"


@dataclass(frozen=True, slots=True, kw_only=True)
class JudgeConfig:
    """How the judge is trained."""

    backbone: str = "ms-marco-MiniLM-L-12-v2"
    """The pre-trained weights: a folder, a name inside an installed package, or one of the hub."""
    trees: tuple[Path, ...]
    """Reviewed trees to learn from, relative to the data folder; the held-out ones are left out."""
    inference: Path | None = None
    """Premises and hypotheses to learn from between the statements."""
    inference_pairs: int = 13_000
    """How many of them in an epoch, others in every one."""
    quantity_pairs: int = 6_000
    """How many pairs about quantities an epoch has."""
    place_pairs: int = 2_000
    """How many pairs about places an epoch has."""
    teachers: tuple[Path, ...] = ()
    """Judges saved by `keep_weights`, whose mean opinion is learned from; relative to the working
    folder."""
    from_teachers: float = 0.7
    """The share of the loss that is the distance to their opinion (Hinton et al. 2015)."""
    vocabulary: int = 0
    """How many pieces of words it keeps, the commonest; 0 keeps all."""
    keep_weights: bool = False
    """Whether the weights in floats are saved too, so that others can learn from this judge."""
    loop: LoopConfig = field(default_factory=LoopConfig)
    """How long and how fast it learns."""
    mix: PairMix = field(default_factory=PairMix)
    """What pairs are made of."""
    batch_size: int = 32
    """Pairs in a batch."""
    max_tokens: int = 192
    """Longer pairs are cut."""
    smoothing: float = 0.05
    """The share of a label's probability that the others get, against false certainty."""


class CrossEncoder(nn.Module):
    """Reads two texts together and labels the pair by the hidden state of its first token."""

    def __init__(self, backbone: Backbone, *, labels: int = len(LABELS)) -> None:
        super().__init__()
        self.network = backbone.network
        self.dropout = nn.Dropout(0.1)
        self.out = nn.Linear(backbone.hidden_size, labels)

    def forward(self, input_ids: Tensor, attention_mask: Tensor, token_type_ids: Tensor) -> Tensor:
        """Return one score a label, [pairs, labels]."""
        hidden = self.network(
            input_ids=input_ids, attention_mask=attention_mask, token_type_ids=token_type_ids
        ).last_hidden_state  # [pairs, tokens, dimensions]
        scores: Tensor = self.out(self.dropout(hidden[:, 0]))
        return scores


@dataclass(frozen=True, slots=True, kw_only=True)
class PairBatch:
    """Pairs in tokens, with the place of each pair's label."""

    encodings: tuple[Encoding, ...]
    labels: tuple[int, ...]
    opinions: NDArray[np.float64] | None = None
    """What teachers think, [pairs, labels]; None without teachers."""


class JudgeTask:
    """Trains a cross-encoder on statements and measures it on those of held-out trees."""

    def __init__(
        self,
        backbone: Backbone,
        *,
        config: JudgeConfig,
        training: Sequence[RuleTree],
        held_out: Sequence[RuleTree],
        data: Path,
    ) -> None:
        self.model = CrossEncoder(backbone)
        self._teachers = [load_weights(folder) for folder in config.teachers]
        self._tokenizer = backbone.tokenizer
        self._config = config
        self._training = tuple(training)
        self._data = data
        lot = random.Random("held out")  # noqa: S311 - nothing here is secret
        self.held_out = pairs_of(held_out, mix=config.mix.as_written(), lot=lot)

    def batches(self, epoch: int) -> list[PairBatch]:
        """Return the batches of an epoch: every condition, with statements drawn anew."""
        config = self._config
        lot = random.Random(f"{config.loop.seed}/{epoch}")  # noqa: S311 - nothing here is secret
        pairs = pairs_of(self._training, mix=config.mix, lot=lot)
        pairs += quantity_pairs(config.quantity_pairs, lot=lot)
        pairs += place_pairs(config.place_pairs, lot=lot)
        if config.inference is not None:
            pairs += read_inference(
                self._data / config.inference,
                count=config.inference_pairs,
                epoch=epoch,
                seed=config.loop.seed,
            )
        encodings = _encodings(pairs, tokenizer=self._tokenizer, max_tokens=config.max_tokens)
        groups = bucketed(
            [len(encoding.ids) for encoding in encodings],
            size=config.batch_size,
            seed=f"{config.loop.seed}/{epoch}",
        )
        opinions = self._opinions(pairs)
        return [
            PairBatch(
                encodings=tuple(encodings[place] for place in group),
                labels=tuple(LABELS.index(pairs[place].state) for place in group),
                opinions=None if opinions is None else opinions[group],
            )
            for group in groups
        ]

    def _opinions(self, pairs: Sequence[JudgedPair]) -> NDArray[np.float64] | None:
        """Return the mean of what the teachers think of each pair, [pairs, labels]."""
        if not self._teachers:
            return None
        device = next(self.model.parameters()).device
        texts = [(pair.question, pair.said) for pair in pairs]
        max_tokens = self._config.max_tokens
        heard = []
        for network, tokenizer in self._teachers:
            teacher = TorchPairs(network.to(device), tokenizer=tokenizer, max_tokens=max_tokens)
            heard.append(teacher.probabilities(texts))
        opinions: NDArray[np.float64] = np.mean(heard, axis=0)
        return opinions

    def loss(self, batch: PairBatch) -> Tensor:
        """Return the cross-entropy of the right labels."""
        scores = _scores(self.model, tokens_of(batch.encodings)).float()
        labels = torch.tensor(batch.labels, device=scores.device)
        own = functional.cross_entropy(scores, labels, label_smoothing=self._config.smoothing)
        if batch.opinions is None:
            return own
        opinions = torch.tensor(batch.opinions, dtype=torch.float, device=scores.device)
        return torch.lerp(
            own, functional.cross_entropy(scores, opinions), self._config.from_teachers
        )

    def evaluate(self) -> Mapping[str, float]:
        """Return macro F1 and calibration error on the held-out pairs, in percent."""
        labeller = TorchPairs(
            self.model, tokenizer=self._tokenizer, max_tokens=self._config.max_tokens
        )
        likely = labeller.probabilities([(one.question, one.said) for one in self.held_out])
        return judge_scores(likely, states=[one.state for one in self.held_out])


class TorchPairs:
    """Labels pairs with a model that is still in torch, many at once."""

    def __init__(self, model: CrossEncoder, *, tokenizer: Tokenizer, max_tokens: int) -> None:
        self._model = model
        self._tokenizer = tokenizer
        self._max_tokens = max_tokens

    def logits(self, pairs: Sequence[tuple[str, str]], *, size: int = 64) -> NDArray[np.float64]:
        """Return the scores of the labels, [pairs, labels]."""
        self._model.eval()
        encodings = tokenized(pairs, tokenizer=self._tokenizer, max_tokens=self._max_tokens)
        found = np.zeros((len(pairs), len(LABELS)))
        with torch.no_grad():
            for group in by_length([len(encoding.ids) for encoding in encodings], size=size):
                scores = _scores(self._model, tokens_of([encodings[place] for place in group]))
                found[group] = scores.float().cpu().numpy()
        return found

    def probabilities(self, pairs: Sequence[tuple[str, str]]) -> NDArray[np.float64]:
        """Return the probability of each label, [pairs, labels]."""
        return softmax(self.logits(pairs))


def save_weights(model: CrossEncoder, *, tokenizer: Tokenizer, folder: Path) -> None:
    """Write a judge in floats, for `load_weights`."""
    folder.mkdir(parents=True, exist_ok=True)
    model.network.config.save_pretrained(folder)
    weights = {name: value.contiguous() for name, value in model.state_dict().items()}
    save_file(weights, folder / WEIGHTS)
    tokenizer.save(str(folder / "tokenizer.json"))


def load_weights(folder: Path) -> tuple[CrossEncoder, Tokenizer]:
    """Return a judge in floats and its tokenizer; ConfigError where there is none."""
    path = folder / WEIGHTS
    if not path.is_file():
        message = "is not there, expected a judge that was trained with `keep_weights = true`"
        raise ConfigError(message, where=Where(file=str(path)))
    tokenizer = Tokenizer.from_file(str(folder / "tokenizer.json"))
    model = CrossEncoder(untrained(str(folder), tokenizer=tokenizer))
    model.load_state_dict(load_file(path))
    return model.eval(), tokenizer


def softmax(logits: NDArray[np.float64], *, temperature: float = 1.0) -> NDArray[np.float64]:
    """Return probabilities out of scores, row by row."""
    scaled = logits / temperature
    likely = np.exp(scaled - scaled.max(axis=1, keepdims=True))
    normalised: NDArray[np.float64] = likely / likely.sum(axis=1, keepdims=True)
    return normalised


def judge_scores(likely: NDArray[np.float64], *, states: Sequence[State]) -> dict[str, float]:
    """Return F1 by state, their mean, and the expected calibration error, in percent."""
    gold = np.array([LABELS.index(state) for state in states])
    best = likely.argmax(axis=1)
    scores = {}
    for place, state in enumerate(LABELS):
        right = np.sum((best == place) & (gold == place))
        total = np.sum(best == place) + np.sum(gold == place)
        scores[f"f1 {state.value}"] = round(float(200 * right / max(1, total)), 2)
    mean = sum(scores.values()) / len(scores)
    error = calibration_error(likely.max(axis=1), right=best == gold)
    return {"macro f1": round(mean, 2), **scores, "calibration error": round(100 * error, 2)}


def calibration_error(
    confidence: NDArray[np.float64], *, right: NDArray[np.bool_], bins: int = 10
) -> float:
    """Return the expected calibration error (Guo et al. 2017, equation 3)."""
    places = np.minimum((confidence * bins).astype(int), bins - 1)
    return float(
        sum(
            np.mean(places == place)
            * abs(confidence[places == place].mean() - right[places == place].mean())
            for place in range(bins)
            if np.any(places == place)
        )
    )


def best_temperature(logits: NDArray[np.float64], *, states: Sequence[State]) -> float:
    """Return the temperature under which the right labels are likeliest (Guo et al. 2017)."""
    gold = np.array([LABELS.index(state) for state in states])
    rows = np.arange(len(gold))
    candidates = [round(0.5 + 0.05 * step, 2) for step in range(51)]
    return min(
        candidates,
        key=lambda value: -np.log(softmax(logits, temperature=value)[rows, gold] + 1e-12).mean(),
    )


def _encodings(
    pairs: Sequence[JudgedPair], *, tokenizer: Tokenizer, max_tokens: int
) -> list[Encoding]:
    texts = [(pair.question, pair.said) for pair in pairs]
    return tokenized(texts, tokenizer=tokenizer, max_tokens=max_tokens)


def _scores(model: CrossEncoder, tokens: Tokens) -> Tensor:
    device = next(model.parameters()).device
    scores: Tensor = model(tokens.ids.to(device), tokens.mask.to(device), tokens.types.to(device))
    return scores
