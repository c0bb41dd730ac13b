"""The four checks that every model passes, for every system on backbones of either shape."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

torch = pytest.importorskip("torch", reason="training needs the train extra")
pytest.importorskip("transformers", reason="training needs the train extra")

from clausewise.readers.transformer.config import SystemName  # noqa: E402
from clausewise.readers.transformer.model import OnnxReaderModel  # noqa: E402
from clausewise.readers.transformer.scores import Scores  # noqa: E402
from clausewise.training.loop import LoopConfig, train  # noqa: E402
from clausewise.training.reader_config import ReaderConfig  # noqa: E402
from clausewise.training.reader_export import export_reader  # noqa: E402
from clausewise.training.reader_task import ReaderTask  # noqa: E402
from clausewise.training.reader_torch import TorchReaderModel  # noqa: E402
from tests.training.readers import (  # noqa: E402
    SHAPES,
    SYSTEMS,
    config_of,
    items_of,
    model_of,
    packs_of,
)

ABLATIONS: dict[str, ReaderConfig] = {
    "no layers": config_of("mudern", layers=0),
    "no entailment": config_of("mudern", entailment_weight=0.0),
    "discern head": config_of("mudern", head="discern"),
}
every_system = pytest.mark.parametrize("system", SYSTEMS)
every_shape = pytest.mark.parametrize("shape", SHAPES)


def same(one: Scores, other: Scores, *, apart: float = 1e-4) -> bool:
    pairs = [
        (one.decision, other.decision),
        (one.states, other.states),
        (one.tokens, other.tokens),
        (one.overlap, other.overlap),
    ]
    assert all((left is None) == (right is None) for left, right in pairs)
    return all(
        np.allclose(left, right, atol=apart)
        for left, right in pairs
        if left is not None and right is not None
    )


def saved(system: SystemName, shape: str, folder: Path) -> TorchReaderModel:
    backbone = SHAPES[shape]()
    model = model_of(backbone, config=config_of(system))
    model.save(folder)
    backbone.tokenizer.save(str(folder / "tokenizer.json"))
    return model


def gradients_missing(config: ReaderConfig, *, shape: str = "bert") -> list[str]:
    backbone = SHAPES[shape]()
    items = items_of(backbone, config=config)
    task = ReaderTask(backbone, config=config, training=items, held_out=items)
    task.loss(range(len(items))).backward()
    return [name for name, one in task.model.named_parameters() if one.grad is None]


@every_shape
@every_system
def test_a_saved_model_says_the_same(system: SystemName, shape: str, tmp_path: Path) -> None:
    model = saved(system, shape, tmp_path)
    packs = packs_of(SHAPES[shape](), config=config_of(system))
    loaded = TorchReaderModel.load(tmp_path, device="cpu")
    assert loaded.config == model.config
    for before, after in zip(model.run_all(packs), loaded.run_all(packs), strict=True):
        assert same(before, after, apart=1e-6)


@every_shape
@every_system
def test_every_parameter_gets_a_gradient(system: SystemName, shape: str) -> None:
    assert gradients_missing(config_of(system), shape=shape) == []


@pytest.mark.parametrize("name", ABLATIONS)
def test_every_parameter_of_an_ablation_gets_a_gradient(name: str) -> None:
    assert gradients_missing(ABLATIONS[name]) == []


@every_shape
@every_system
def test_a_batch_equals_one_by_one(system: SystemName, shape: str) -> None:
    backbone = SHAPES[shape]()
    model = model_of(backbone, config=config_of(system))
    packs = packs_of(backbone, config=config_of(system))
    assert len({len(packed.ids) for packed in packs}) > 1
    for together, packed in zip(model.run_all(packs), packs, strict=True):
        assert same(together, model.run(packed))


@every_shape
@every_system
def test_the_onnx_export_equals_its_original(
    system: SystemName, shape: str, tmp_path: Path
) -> None:
    model = saved(system, shape, tmp_path)
    export_reader(model.network, folder=tmp_path)
    exported = OnnxReaderModel.load(tmp_path, quantised=False)
    for packed in packs_of(SHAPES[shape](), config=config_of(system)):
        assert same(model.run(packed), exported.run(packed))


@pytest.mark.parametrize("name", ABLATIONS)
def test_an_exported_ablation_equals_its_original(name: str, tmp_path: Path) -> None:
    backbone = SHAPES["bert"]()
    model = model_of(backbone, config=ABLATIONS[name])
    model.save(tmp_path)
    backbone.tokenizer.save(str(tmp_path / "tokenizer.json"))
    export_reader(model.network, folder=tmp_path)
    exported = OnnxReaderModel.load(tmp_path, quantised=False)
    for packed in packs_of(backbone, config=ABLATIONS[name]):
        assert same(model.run(packed), exported.run(packed))


@every_system
def test_the_quantised_export_decides_nearly_the_same(system: SystemName, tmp_path: Path) -> None:
    model = saved(system, "bert", tmp_path)
    export_reader(model.network, folder=tmp_path)
    exported = OnnxReaderModel.load(tmp_path)
    for packed in packs_of(SHAPES["bert"](), config=config_of(system)):
        assert np.allclose(model.run(packed).decision, exported.run(packed).decision, atol=0.3)


@every_system
def test_training_lowers_the_loss_and_learns_the_decisions(
    system: SystemName, tmp_path: Path
) -> None:
    backbone = SHAPES["roberta"]()
    config = config_of(system)
    items = items_of(backbone, config=config)
    task = ReaderTask(backbone, config=config, training=items, held_out=items)
    loop = LoopConfig(epochs=60, learning_rate=2e-3, seed=1, threads=1, checkpoint_every=0)
    reports = train(task, loop, folder=tmp_path)
    assert reports[-1].loss < reports[0].loss / 2
    assert reports[-1].scores["micro"] == 100.0


def test_without_held_out_dialogues_there_are_no_figures() -> None:
    backbone = SHAPES["bert"]()
    config = config_of("mp")
    items = items_of(backbone, config=config)
    task = ReaderTask(backbone, config=config, training=items, held_out=())
    assert task.evaluate() == {}
