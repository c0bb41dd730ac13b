from __future__ import annotations

import gzip
import json
import random
from pathlib import Path

import numpy as np
import pytest

torch = pytest.importorskip("torch", reason="training needs the train extra")
pytest.importorskip("transformers", reason="training needs the train extra")

from clausewise.config import read_config  # noqa: E402
from clausewise.encoder.pairs import OnnxPairs, PairConfig  # noqa: E402
from clausewise.readers.neural import LABELS  # noqa: E402
from clausewise.training.batching import tokenized, tokens_of  # noqa: E402
from clausewise.training.judge import (  # noqa: E402
    CrossEncoder,
    JudgeConfig,
    JudgeTask,
    TorchPairs,
    best_temperature,
    calibration_error,
    judge_scores,
    softmax,
)
from clausewise.training.judge_pairs import PairMix, pairs_of, read_inference  # noqa: E402
from clausewise.training.judge_run import write_judge_onnx  # noqa: E402
from clausewise.training.loop import LoopConfig, train  # noqa: E402
from clausewise.trees.values import State  # noqa: E402
from tests.training.backbones import tiny_backbone  # noqa: E402
from tests.training.test_retriever import TREES  # noqa: E402

CONFIG = JudgeConfig(
    trees=(),
    quantity_pairs=4,
    loop=LoopConfig(epochs=2, learning_rate=1e-3, seed=1, threads=1),
    batch_size=8,
    max_tokens=48,
)
PAIRS = [("can i keep hens ?", "your neighbours agree ."), ("do i live in town ?", "i trade .")]


def task() -> JudgeTask:
    return JudgeTask(tiny_backbone(), config=CONFIG, training=TREES, held_out=TREES, data=Path())


def test_the_shipped_configuration_loads() -> None:
    shipped = Path(__file__).parents[2] / "configs" / "train-judge.toml"
    assert read_config(shipped, JudgeConfig).loop.epochs == 3


def test_statements_settle_their_condition_and_others_do_not() -> None:
    pairs = pairs_of(TREES, mix=PairMix(unknown=4), lot=random.Random(1))
    states = [pair.state for pair in pairs]
    assert states.count(State.ENTAILED) == 3
    assert states.count(State.CONTRADICTED) == 3
    assert states.count(State.UNKNOWN) == 12


def test_inference_pairs_are_read_and_drawn(tmp_path: Path) -> None:
    path = tmp_path / "pairs.jsonl.gz"
    rows = [
        {"premise": "I trade.", "hypothesis": "Do I trade?", "label": label}
        for label in ("entailment", "neutral", "contradiction", "-")
    ]
    with gzip.open(path, "wt", encoding="utf-8") as file:
        file.writelines(json.dumps(row) + "\n" for row in rows)
    pairs = read_inference(path, count=3, epoch=0, seed=1)
    assert {pair.state for pair in pairs} == set(LABELS)


def test_every_epoch_draws_other_inference_pairs(tmp_path: Path) -> None:
    path = tmp_path / "pairs.jsonl.gz"
    with gzip.open(path, "wt", encoding="utf-8") as file:
        for number in range(4):
            row = {"premise": f"{number}", "hypothesis": "?", "label": "neutral"}
            file.write(json.dumps(row) + "\n")
    drawn = [
        {pair.said for pair in read_inference(path, count=2, epoch=epoch, seed=1)}
        for epoch in (0, 1, 2)
    ]
    assert not drawn[0] & drawn[1]
    assert drawn[2] == drawn[0]


def test_training_lowers_the_loss_and_measures_held_out_statements(tmp_path: Path) -> None:
    loop = LoopConfig(epochs=12, learning_rate=3e-3, seed=1, threads=1)
    reports = train(task(), loop, folder=tmp_path)
    assert reports[-1].loss < reports[0].loss
    assert {"macro f1", "calibration error"} <= reports[-1].scores.keys()


def test_every_parameter_gets_a_gradient() -> None:
    trained = task()
    trained.loss(trained.batches(0)[0]).backward()
    without = [name for name, one in trained.model.named_parameters() if one.grad is None]
    assert without == []


def test_a_batch_equals_one_by_one() -> None:
    backbone = tiny_backbone()
    labeller = TorchPairs(CrossEncoder(backbone), tokenizer=backbone.tokenizer, max_tokens=48)
    alone = np.vstack([labeller.logits([pair]) for pair in PAIRS])
    assert np.allclose(labeller.logits(PAIRS), alone, atol=1e-5)


def test_the_onnx_export_equals_its_original(tmp_path: Path) -> None:
    backbone = tiny_backbone()
    model = CrossEncoder(backbone).eval()
    before = TorchPairs(model, tokenizer=backbone.tokenizer, max_tokens=48).probabilities(PAIRS)
    write_judge_onnx(model, path=tmp_path / "model.onnx", quantised=False)
    backbone.tokenizer.no_padding()
    backbone.tokenizer.save(str(tmp_path / "tokenizer.json"))
    labels = tuple(state.value for state in LABELS)
    PairConfig(labels=labels, max_tokens=48).write(tmp_path)
    after = OnnxPairs.load(tmp_path).probabilities(PAIRS)
    assert np.allclose(before, after, atol=1e-4)


def test_the_model_reads_both_texts() -> None:
    backbone = tiny_backbone()
    model = CrossEncoder(backbone).eval()
    tokens = tokens_of(tokenized(PAIRS, tokenizer=backbone.tokenizer, max_tokens=48))
    assert tokens.types.sum() > 0
    assert model(tokens.ids, tokens.mask, tokens.types).shape == (2, 3)


def test_the_scores_of_a_perfect_judge_are_perfect() -> None:
    scores = judge_scores(np.eye(3), states=LABELS)
    assert scores["macro f1"] == 100.0
    assert scores["calibration error"] == 0.0


def test_the_calibration_error_is_the_gap_between_confidence_and_truth() -> None:
    confidence = np.array([0.95, 0.95, 0.55, 0.55])
    right = np.array([True, True, True, False])
    assert calibration_error(confidence, right=right) == pytest.approx(0.05)


def test_the_temperature_takes_false_certainty_back() -> None:
    logits = np.array([[8.0, 0.0, 0.0], [8.0, 0.0, 0.0], [0.0, 8.0, 0.0], [0.0, 8.0, 0.0]])
    states = [State.ENTAILED, State.CONTRADICTED, State.CONTRADICTED, State.UNKNOWN]
    temperature = best_temperature(logits, states=states)
    assert temperature == 3.0
    assert softmax(logits, temperature=temperature).max() < softmax(logits).max()
