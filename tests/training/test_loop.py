from __future__ import annotations

import random
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import pytest

torch = pytest.importorskip("torch", reason="training needs the train extra")

from torch import Tensor, nn  # noqa: E402

from clausewise.config import config_from  # noqa: E402
from clausewise.errors import ConfigError  # noqa: E402
from clausewise.training.loop import LoopConfig, train  # noqa: E402

CONFIG = LoopConfig(epochs=2, learning_rate=0.05, checkpoint_every=2, seed=3, threads=1)


@dataclass
class Stopped(Exception):  # noqa: N818 - it stands for a power cut
    """Raised where a machine is switched off."""


class Line:
    """Learns a line from points, with dropout, so that chance takes part."""

    def __init__(self, *, stop_after: int = -1) -> None:
        torch.manual_seed(1)
        self.model = nn.Sequential(nn.Linear(2, 8), nn.Dropout(0.2), nn.Linear(8, 1))
        self._left = stop_after

    def batches(self, epoch: int) -> Sequence[tuple[float, ...]]:
        lot = random.Random(epoch)
        return [tuple(lot.uniform(-1, 1) for _ in range(6)) for _ in range(5)]

    def loss(self, batch: tuple[float, ...]) -> Tensor:
        if self._left == 0:
            raise Stopped
        self._left -= 1
        points = torch.tensor(batch).reshape(3, 2)
        return ((self.model(points).float()[:, 0] - points.sum(1)) ** 2).mean()

    def evaluate(self) -> Mapping[str, float]:
        with torch.no_grad():
            return {"at one": float(self.model(torch.ones(1, 2))[0, 0])}


def test_the_loss_falls(tmp_path: Path) -> None:
    first, *_, last = train(Line(), replace(CONFIG, epochs=8), folder=tmp_path)
    assert last.loss < first.loss / 2


@pytest.mark.parametrize("stop_after", [1, 4, 5, 7])
def test_a_run_that_was_stopped_ends_as_if_it_had_not_been(tmp_path: Path, stop_after: int) -> None:
    whole = Line()
    expected = train(whole, CONFIG, folder=tmp_path / "whole")
    with pytest.raises(Stopped):
        train(Line(stop_after=stop_after), CONFIG, folder=tmp_path / "stopped")
    resumed = Line()
    reports = train(resumed, CONFIG, folder=tmp_path / "stopped")
    assert [r.scores for r in reports] == [r.scores for r in expected]
    assert [r.loss for r in reports] == [r.loss for r in expected]
    for name, weight in whole.model.state_dict().items():
        assert torch.equal(weight, resumed.model.state_dict()[name]), name


def test_a_finished_run_is_not_run_again(tmp_path: Path) -> None:
    reports = train(Line(), CONFIG, folder=tmp_path)
    assert train(Line(stop_after=0), CONFIG, folder=tmp_path) == reports


def test_a_checkpoint_of_other_settings_is_not_gone_on_with(tmp_path: Path) -> None:
    train(Line(), CONFIG, folder=tmp_path)
    with pytest.raises(ConfigError, match=r"checkpoint\.pt: is of a run with other settings"):
        train(Line(), replace(CONFIG, epochs=3), folder=tmp_path)


@pytest.mark.parametrize("field", [{"epochs": 0}, {"learning_rate": 0.0}])
def test_a_configuration_that_trains_nothing_is_refused(field: dict[str, object]) -> None:
    with pytest.raises(ConfigError, match="expected"):
        config_from(field, LoopConfig)


def test_no_checkpoints_are_written_where_none_are_wanted(tmp_path: Path) -> None:
    expected = train(Line(), CONFIG, folder=tmp_path / "kept")
    reports = train(Line(), replace(CONFIG, checkpoint_every=0), folder=tmp_path / "none")
    assert [one.loss for one in reports] == [one.loss for one in expected]
    assert not (tmp_path / "none").exists()
