"""The compiler learns from reviewed trees: which words are conditions, and how they are joined."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

import torch
from torch import Tensor
from torch.nn import functional

from clausewise.askers.template import TemplateAsker
from clausewise.compiler.neural import NeuralCompiler
from clausewise.compiler.signs import PAIR_SIGNS
from clausewise.evaluation.compiling import compare, compiling_report
from clausewise.training.backbone import Backbone
from clausewise.training.batching import bucketed
from clausewise.training.loop import LoopConfig
from clausewise.training.rule_batches import IGNORED, ReadyExample, RuleTensors, tag_targets
from clausewise.training.rule_examples import RuleExample, example_of
from clausewise.training.rule_network import RuleNetwork, RuleStates
from clausewise.training.rule_torch import TorchJoiner, TorchRuleEncoder
from clausewise.training.segment_loss import apart, segment_loss
from clausewise.training.splits import Trees
from clausewise.trees.tree import RuleTree
from clausewise.types import RuleText


@dataclass(frozen=True, slots=True, kw_only=True)
class LossWeights:
    """How much each thing to learn counts."""

    conditions: float = 1.0
    outcome: float = 0.3
    negation: float = 1.0
    joints: float = 1.0


@dataclass(frozen=True, slots=True, kw_only=True)
class CompilerConfig:
    """How the compiler is trained."""

    backbone: str = "all-MiniLM-L6-v2"
    """The pre-trained weights: a folder, a name inside an installed package, or one of the hub."""
    trees: tuple[Path, ...]
    """Reviewed trees to learn from, relative to the data folder; some are left out (HELD_OUT)."""
    rules: Path | None = None
    """Rules with reviewed trees beside them, to learn from too; relative to the working folder."""
    common: Path | None = None
    """Texts, as JSON lines, that tell which pieces of words are common; relative to the data."""
    loop: LoopConfig = field(default_factory=LoopConfig)
    """How long and how fast it learns."""
    weights: LossWeights = field(default_factory=LossWeights)
    """How much each thing to learn counts."""
    batch_size: int = 16
    """Rule texts that are learned from together."""
    max_tokens: int = 512
    """Longer rule texts are not learned from."""
    vocabulary: int = 12_000
    """How many pieces of words the encoder keeps."""
    calibration: int = 0
    """How many more rule texts are left out, to calibrate confidences on."""
    review_below: float = 0.5
    """A compiled tree is marked for review where a part of it is less sure than this."""


class CompilerTask:
    """Trains the compiler on reviewed trees and measures it on those left out."""

    def __init__(self, backbone: Backbone, *, config: CompilerConfig, trees: Trees) -> None:
        self._config = config
        self.tokenizer = backbone.tokenizer
        # Pre-trained tokenizers often bring a length of their own that they cut and fill up to.
        self.tokenizer.no_padding()
        self.tokenizer.no_truncation()
        self._trees = trees
        examples = [example_of(tree) for tree in trees.training]
        self._ready = [each for each in map(self._prepared, examples) if each]
        self.model = RuleNetwork(backbone)

    def _prepared(self, example: RuleExample) -> ReadyExample | None:
        return ReadyExample.of(
            example, tokenizer=self.tokenizer, max_tokens=self._config.max_tokens
        )

    def batches(self, epoch: int) -> list[tuple[ReadyExample, ...]]:
        """Return the batches of an epoch: every rule text once."""
        lengths = [len(each.pieces.ids) for each in self._ready]
        seed = f"{self._config.loop.seed}/{epoch}"
        groups = bucketed(lengths, size=self._config.batch_size, seed=seed)
        return [tuple(self._ready[place] for place in group) for group in groups]

    def loss(self, batch: Sequence[ReadyExample]) -> Tensor:
        """Return the weighted sum of all that is to be learned."""
        weights = self._config.weights
        states = RuleTensors.of(batch).states(self.model)
        total = weights.conditions * _segment_loss(states.tags[..., :3], batch)
        total = total + weights.outcome * _tag_loss(
            states.tags[..., 3:], [each.example.outcome_tags for each in batch]
        )
        negation, joints = _logic_losses(self.model, states, batch)
        return total + weights.negation * negation + weights.joints * joints

    def evaluate(self) -> Mapping[str, float]:
        """Return the figures on the trees that are left out, and on those for calibration."""
        compiler = self.compiler()
        chosen_by = figures(compiler, self._trees.calibration) if self._trees.calibration else {}
        return {
            **figures(compiler, self._trees.held_out),
            **{f"{name}, calibration": value for name, value in chosen_by.items()},
        }

    def compiler(self) -> NeuralCompiler:
        """Return the compiler as far as it has learned."""
        encoder = TorchRuleEncoder(
            self.model, tokenizer=self.tokenizer, max_tokens=self._config.max_tokens
        )
        joiner = TorchJoiner(self.model)
        return NeuralCompiler(encoder=encoder, joiner=joiner, asker=TemplateAsker())


def figures(compiler: NeuralCompiler, trees: Sequence[RuleTree]) -> dict[str, float]:
    """Return how well a compiler does on reviewed trees, in percent."""
    compared = [
        compare(
            compiler.compile(RuleText(rule_id=tree.rule_id or "rule", text=tree.rule_text or "")),
            reviewed=tree,
        )
        for tree in trees
    ]
    report = compiling_report(compared)
    return {
        "span precision": report.precision,
        "span recall": report.recall,
        "span F1": report.f1,
        "same logic": report.same_logic,
        "same tree": report.same_tree,
    }


def _segment_loss(scores: Tensor, ready: Sequence[ReadyExample]) -> Tensor:
    with torch.autocast(scores.device.type, enabled=False):
        return segment_loss(
            scores,
            lengths=[len(each.example.wording.words) for each in ready],
            places=[apart(each.example.places) for each in ready],
        )


def _tag_loss(scores: Tensor, tags: Sequence[Sequence[int] | None]) -> Tensor:
    targets = tag_targets(tags).to(scores.device)
    width = scores.shape[1]
    padded = functional.pad(targets, (0, width - targets.shape[1]), value=IGNORED)
    if not (padded != IGNORED).any():
        return scores.sum() * 0.0
    return functional.cross_entropy(scores.flatten(0, 1).float(), padded.flatten())


def _logic_losses(
    network: RuleNetwork, states: RuleStates, ready: Sequence[ReadyExample]
) -> tuple[Tensor, Tensor]:
    device = states.vectors.device
    negated, joined = [], []
    wanted_negated, wanted_joined = list[bool](), list[bool]()
    for place, each in enumerate(ready):
        example = each.example
        spans, joints = network.join(
            states.vectors[place, : len(example.wording.words)],
            states.summary[place],
            torch.tensor(example.places, device=device),
            torch.tensor(example.signs.spans, dtype=torch.float, device=device),
            torch.tensor(example.signs.pairs, dtype=torch.long, device=device).reshape(-1, 2),
            sign_tensor(example.signs.joints).to(device),
        )
        known = [number for number, joint in enumerate(example.joints) if joint is not None]
        negated.append(spans)
        joined.append(joints[known])
        wanted_negated += example.negated
        wanted_joined += [joint for joint in example.joints if joint is not None]
    return _binary(torch.cat(negated), wanted_negated), _binary(torch.cat(joined), wanted_joined)


def sign_tensor(signs: Sequence[Sequence[bool]]) -> Tensor:
    """Return the signs of pairs as numbers, [pairs, PAIR_SIGNS], also of no pairs."""
    return torch.tensor(signs, dtype=torch.float).reshape(-1, PAIR_SIGNS)


def _binary(scores: Tensor, wanted: Sequence[bool]) -> Tensor:
    if not wanted:
        return scores.sum() * 0.0
    targets = torch.tensor(wanted, dtype=torch.float, device=scores.device)
    return functional.binary_cross_entropy_with_logits(scores.float(), targets)
