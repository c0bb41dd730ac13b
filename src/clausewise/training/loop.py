"""The one training loop: every model of Clausewise is trained by it.

What differs between a retriever, a judge and a segmenter is a `Task`: its batches, its loss, how it
is measured. Batches are a function of the epoch alone, so a run that was stopped goes on from its
checkpoint exactly as if it had not been.
"""

from __future__ import annotations

import logging
import os
import random
import time
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING, Generic, Protocol, TypeVar

import torch
from torch import Tensor, nn

from clausewise.errors import ConfigError, Where
from clausewise.progress import Progress, silent

if TYPE_CHECKING:
    from contextlib import AbstractContextManager
    from pathlib import Path

Batch = TypeVar("Batch")
log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True, kw_only=True)
class LoopConfig:
    """How long and how fast a model learns."""

    epochs: int = 1
    """How often the task's batches are gone through."""
    learning_rate: float = 5e-5
    """The highest that is reached, at the end of the warm-up."""
    head_learning_rate: float = 0.0
    """The same of what starts from nothing: all parameters outside modules named `backbone`; 0
    takes `learning_rate` for them too."""
    warm_up: float = 0.1
    """The share of the steps in which the learning rate rises; then it falls to 0, linearly."""
    weight_decay: float = 0.01
    """Of matrices; biases and norms have none."""
    max_gradient_norm: float = 1.0
    """Longer gradients are cut to this length."""
    checkpoint_every: int = 200
    """Steps between two checkpoints; there is one at the end of every epoch, too. 0 makes none."""
    seed: int = 0
    """Of everything that is drawn by lot."""
    threads: int = 0
    """Of torch on a CPU; 0 takes as many as there are cores."""

    def __post_init__(self) -> None:
        if self.epochs < 1:
            message = f"{self.epochs} epochs train nothing, expected at least 1"
            raise ConfigError(message, where=Where(field="epochs"))
        if self.learning_rate <= 0:
            message = f"{self.learning_rate} is no learning rate, expected more than 0"
            raise ConfigError(message, where=Where(field="learning_rate"))


class Task(Protocol[Batch]):
    """What a model learns and how well it has: everything that the loop doesn't know."""

    @property
    def model(self) -> nn.Module:
        """The model that learns; its parameters change in place."""
        ...

    def batches(self, epoch: int) -> Sequence[Batch]:
        """Return the batches of an epoch: always the same for the same epoch."""
        ...

    def loss(self, batch: Batch) -> Tensor:
        """Return the loss of a batch, one number."""
        ...

    def evaluate(self) -> Mapping[str, float]:
        """Return the figures that tell how good the model is by now."""
        ...


@dataclass(frozen=True, slots=True, kw_only=True)
class EpochReport:
    """What came of one epoch."""

    epoch: int
    loss: float
    seconds: float
    scores: Mapping[str, float]


def train(
    task: Task[Batch], config: LoopConfig, *, folder: Path, progress: Progress = silent
) -> tuple[EpochReport, ...]:
    """Train the model of a task and return how it went; checkpoints in `folder` are resumed."""
    _prepare(config)
    task.model.to(device())  # before the optimizer looks at the parameters
    run = _Run.start(task, config, checkpoint=folder / "checkpoint.pt")
    for epoch in range(run.epoch, config.epochs):
        task.model.train()
        began, batches = time.monotonic(), task.batches(epoch)
        label = f"Epoch {epoch + 1} of {config.epochs}"
        for batch in progress(batches[run.step :], label=label, total=len(batches) - run.step):
            _seed(config.seed, epoch=epoch, step=run.step)
            with _autocast(task.model):
                loss = task.loss(batch)
            loss.backward()
            nn.utils.clip_grad_norm_(task.model.parameters(), config.max_gradient_norm)
            run.advance(loss.item())
            if config.checkpoint_every and run.step % config.checkpoint_every == 0:
                run.save()
        task.model.eval()
        run.finish_epoch(seconds=time.monotonic() - began, scores=task.evaluate())
        log.info("epoch %d: %s", epoch + 1, run.reports[-1])
    return tuple(run.reports)


class _Run(Generic[Batch]):
    """What changes while a model is trained; all of it is in a checkpoint."""

    def __init__(self, task: Task[Batch], config: LoopConfig, *, checkpoint: Path) -> None:
        self.epoch = self.step = 0
        self.losses: list[float] = []
        self.reports: list[EpochReport] = []
        self._task = task
        self._config = config
        self._checkpoint = checkpoint
        self._optimizer = _optimizer(task.model, config)
        # Epochs differ by a batch or two, which the schedule doesn't feel; making them all would
        # take as long on a fast machine as learning from them.
        total = config.epochs * len(task.batches(0))
        self._schedule = _schedule(self._optimizer, total=total, warm_up=config.warm_up)

    @classmethod
    def start(cls, task: Task[Batch], config: LoopConfig, *, checkpoint: Path) -> _Run[Batch]:
        """Return a fresh run, or the one that a checkpoint holds."""
        run = cls(task, config, checkpoint=checkpoint)
        if checkpoint.is_file():
            run.load()
        return run

    def advance(self, loss: float) -> None:
        """Take the step that the gradients ask for."""
        self._optimizer.step()
        self._schedule.step()
        self._optimizer.zero_grad(set_to_none=True)
        self.losses.append(loss)
        self.step += 1

    def finish_epoch(self, *, seconds: float, scores: Mapping[str, float]) -> None:
        """Note what came of the epoch and go on to the next."""
        loss = sum(self.losses) / max(1, len(self.losses))
        report = EpochReport(
            epoch=self.epoch + 1, loss=round(loss, 4), seconds=round(seconds, 1), scores=scores
        )
        self.reports.append(report)
        self.losses, self.step, self.epoch = [], 0, self.epoch + 1
        if self._config.checkpoint_every:
            self.save()

    def save(self) -> None:
        """Write a checkpoint; a machine that stops meanwhile leaves the one before."""
        self._checkpoint.parent.mkdir(parents=True, exist_ok=True)
        fresh = self._checkpoint.with_suffix(".tmp")
        reports = [(r.epoch, r.loss, r.seconds, dict(r.scores)) for r in self.reports]
        state = {
            "config": asdict(self._config),
            "model": self._task.model.state_dict(),
            "optimizer": self._optimizer.state_dict(),
            "schedule": self._schedule.state_dict(),
            "place": (self.epoch, self.step),
            "losses": self.losses,
            "reports": reports,
        }
        torch.save(state, fresh)
        fresh.replace(self._checkpoint)

    def load(self) -> None:
        """Take up what the checkpoint holds: weights and numbers only, no code."""
        state = torch.load(self._checkpoint, weights_only=True, map_location="cpu")
        if state["config"] != asdict(self._config):
            message = (
                "is of a run with other settings, expected the same; train into another folder"
            )
            raise ConfigError(message, where=Where(file=str(self._checkpoint)))
        self._task.model.load_state_dict(state["model"])
        self._optimizer.load_state_dict(state["optimizer"])
        self._schedule.load_state_dict(state["schedule"])
        self.epoch, self.step = state["place"]
        self.losses = list(state["losses"])
        self.reports = [
            EpochReport(epoch=epoch, loss=loss, seconds=seconds, scores=scores)
            for epoch, loss, seconds, scores in state["reports"]
        ]


def _prepare(config: LoopConfig) -> None:
    torch.set_num_threads(config.threads or os.cpu_count() or 1)


def device() -> str:
    """Return where torch computes fastest here."""
    return "cuda" if torch.cuda.is_available() else "cpu"


def _seed(seed: int, *, epoch: int, step: int) -> None:
    # By step, not once: a run that goes on from a checkpoint draws the same dropout.
    torch.manual_seed(random.Random(f"{seed}/{epoch}/{step}").getrandbits(48))  # noqa: S311


def _autocast(model: nn.Module) -> AbstractContextManager[None]:
    """Return bfloat16 where matrices go in: half the memory, about half the time."""
    kind = next(model.parameters()).device.type
    context: AbstractContextManager[None] = torch.autocast(
        kind, dtype=torch.bfloat16, enabled=_has_bfloat16(kind)
    )
    return context


def _has_bfloat16(kind: str) -> bool:
    """Say whether a kind of device computes in bfloat16 itself; imitating it would be slow."""
    if kind == "cuda":
        return bool(torch.cuda.is_bf16_supported(including_emulation=False))
    return bool(torch.ops.mkldnn._is_mkldnn_bf16_supported())  # noqa: SLF001 - no public way


def _optimizer(model: nn.Module, config: LoopConfig) -> torch.optim.AdamW:
    head_rate = config.head_learning_rate or config.learning_rate
    groups: dict[tuple[float, float], list[nn.Parameter]] = {}
    for name, parameter in model.named_parameters():
        if parameter.requires_grad:
            rate = config.learning_rate if "backbone" in name.split(".") else head_rate
            decay = config.weight_decay if parameter.ndim > 1 else 0.0
            groups.setdefault((rate, decay), []).append(parameter)
    return torch.optim.AdamW(
        [
            {"params": parameters, "lr": rate, "weight_decay": decay}
            for (rate, decay), parameters in groups.items()
        ]
    )


def _schedule(
    optimizer: torch.optim.Optimizer, *, total: int, warm_up: float
) -> torch.optim.lr_scheduler.LambdaLR:
    rising = max(1, round(total * warm_up))

    def factor(step: int) -> float:
        return min((step + 1) / rising, max(0.0, (total - step) / max(1, total - rising)))

    return torch.optim.lr_scheduler.LambdaLR(optimizer, factor)
