from __future__ import annotations

import dataclasses
import gzip
import json
import random
from collections import Counter
from pathlib import Path

import numpy as np
import pytest

torch = pytest.importorskip("torch", reason="training needs the train extra")
pytest.importorskip("transformers", reason="training needs the train extra")

from clausewise.config import read_config  # noqa: E402
from clausewise.encoder.pairs import OnnxPairs, PairConfig  # noqa: E402
from clausewise.errors import ConfigError  # noqa: E402
from clausewise.readers.neural import LABELS  # noqa: E402
from clausewise.readers.restated import restated  # noqa: E402
from clausewise.training.batching import tokenized, tokens_of  # noqa: E402
from clausewise.training.changed_numbers import changed_number  # noqa: E402
from clausewise.training.judge import (  # noqa: E402
    CrossEncoder,
    JudgeConfig,
    JudgeTask,
    TorchPairs,
    best_temperature,
    calibration_error,
    judge_scores,
    load_weights,
    save_weights,
    softmax,
)
from clausewise.training.judge_pairs import (  # noqa: E402
    PairMix,
    are_alternatives,
    pairs_of,
    read_inference,
)
from clausewise.training.judge_run import write_judge_onnx  # noqa: E402
from clausewise.training.loop import LoopConfig, train  # noqa: E402
from clausewise.training.place_pairs import place_pairs  # noqa: E402
from clausewise.training.vocabulary import with_ranks  # noqa: E402
from clausewise.trees.logic import parse_logic  # noqa: E402
from clausewise.trees.values import Condition, Span, State  # noqa: E402
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
    assert read_config(shipped, JudgeConfig).loop.epochs == 4


def test_statements_settle_their_condition_and_others_do_not() -> None:
    pairs = pairs_of(TREES, mix=PairMix(unknown=4).as_written(), lot=random.Random(1))
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


def test_a_statement_that_one_alternative_holds_is_not_taken_to_leave_the_others_open() -> None:
    logic = parse_logic("a and (b or not (c and d))")
    assert are_alternatives("b", "c", logic=logic)
    assert not are_alternatives("c", "d", logic=logic)
    assert not are_alternatives("a", "b", logic=logic)


def test_a_changed_number_gets_the_label_that_it_has_then() -> None:
    condition = Condition(
        key="a",
        span=Span(start=0, end=11),
        text="over £1,000",
        question="Is your turnover over £1,000?",
    )
    lot = random.Random(2)
    drawn = [
        changed_number("We took £1,200.", condition=condition, state=State.ENTAILED, lot=lot)
        for _ in range(40)
    ]
    amounts = {(one.text, one.state) for one in drawn if one}
    assert {state for _, state in amounts} == {State.ENTAILED, State.CONTRADICTED}
    for text, state in amounts:
        amount = int(text.removeprefix("We took £").removesuffix(".").replace(",", ""))
        assert state is State.of(amount > 1000)


def test_a_number_that_is_not_what_counts_is_left_alone() -> None:
    condition = Condition(
        key="a", span=Span(start=0, end=7), text="over 16", question="Are you over 16?"
    )
    said = "I have 3 cats."
    lot = random.Random(1)
    assert changed_number(said, condition=condition, state=State.ENTAILED, lot=lot) is None


@pytest.mark.parametrize(
    ("question", "yes", "no"),
    [
        ("Do you drive?", "I drive.", "I do not drive."),
        ("Are you over 16?", "I am over 16.", "I am not over 16."),
        ("Were you told by your landlord?", "I was told by my landlord.", None),
        ("Is your car new?", "My car is new.", "My car is not new."),
        ("Did you inherit it?", "Yes, I did inherit it.", "I did not inherit it."),
        ("Is your existing loan new?", None, None),
        ("Which one is it?", None, None),
    ],
)
def test_a_question_is_restated_by_the_one_who_is_asked(
    question: str, yes: str | None, no: str | None
) -> None:
    assert restated(question, holds=True) == yes
    if no is not None:
        assert restated(question, holds=False) == no


def test_places_follow_from_the_places_that_hold_them() -> None:
    pairs = place_pairs(400, lot=random.Random(4))
    assert len(pairs) == 400
    assert {pair.state for pair in pairs} >= {State.ENTAILED, State.CONTRADICTED}
    assert pairs == place_pairs(400, lot=random.Random(4))


def test_a_judge_learns_from_the_opinions_of_one_that_was_saved(tmp_path: Path) -> None:
    teacher = CrossEncoder(tiny_backbone())
    save_weights(teacher, tokenizer=tiny_backbone().tokenizer, folder=tmp_path)
    loaded, _ = load_weights(tmp_path)
    for name, value in teacher.state_dict().items():
        assert torch.equal(value, loaded.state_dict()[name])
    config = dataclasses.replace(CONFIG, teachers=(tmp_path,), from_teachers=1.0)
    learner = JudgeTask(tiny_backbone(), config=config, training=TREES, held_out=TREES, data=Path())
    batch = learner.batches(0)[0]
    assert batch.opinions is not None
    assert batch.opinions.sum(axis=1) == pytest.approx(np.ones(len(batch.labels)), abs=1e-5)
    least = -(batch.opinions * np.log(batch.opinions + 1e-12)).sum(axis=1).mean()
    assert learner.loss(batch).item() >= least - 1e-4


def test_a_teacher_that_is_not_there_is_named(tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match="keep_weights"):
        load_weights(tmp_path)


def test_pieces_of_equal_count_are_kept_by_their_rank() -> None:
    tokenizer = tiny_backbone().tokenizer
    vocabulary = tokenizer.get_vocab()
    counted = max(vocabulary, key=vocabulary.__getitem__)
    ranked = with_ranks(Counter([counted]), tokenizer=tokenizer)
    assert ranked.most_common(1)[0][0] == counted
    others = [piece for piece, _ in ranked.most_common()[1:]]
    assert others == sorted(others, key=vocabulary.__getitem__)


def test_what_is_left_out_of_training_is_measured_all_the_same() -> None:
    mixes = [PairMix(alternatives=counted).as_written() for counted in (True, False)]
    one, other = (pairs_of(TREES, mix=mix, lot=random.Random(3)) for mix in mixes)
    assert one == other
    assert mixes[0].alternatives
