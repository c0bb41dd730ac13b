from __future__ import annotations

import itertools
import json
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

torch = pytest.importorskip("torch", reason="training needs the train extra")
pytest.importorskip("transformers", reason="training needs the train extra")
pytest.importorskip("onnx", reason="training needs the train extra")

from clausewise.build import load_segmenter  # noqa: E402
from clausewise.config import read_config  # noqa: E402
from clausewise.datasets.discourse import HELD_OUT_DOCUMENTS, MarkedSentence  # noqa: E402
from clausewise.encoder.units import OnnxUnits, UnitConfig  # noqa: E402
from clausewise.errors import ConfigError  # noqa: E402
from clausewise.training.loop import LoopConfig  # noqa: E402
from clausewise.training.manifest import Manifest  # noqa: E402
from clausewise.training.rule_batches import IGNORED  # noqa: E402
from clausewise.training.segmenter import (  # noqa: E402
    SegmenterConfig,
    SegmenterTask,
    TaughtSentence,
    TeacherConfig,
    scores_of,
    tagged,
)
from clausewise.training.segmenter_run import save, train_segmenter  # noqa: E402
from clausewise.training.segmenter_teacher import Sentences, Taught, taught_by  # noqa: E402
from clausewise.training.smaller import with_inner, with_layers, with_positions  # noqa: E402
from tests.training.backbones import tiny_backbone, tiny_tokenizer  # noqa: E402


def sentence(text: str, *begins: int) -> MarkedSentence:
    return MarkedSentence(words=tuple(text.split()), begins=frozenset({0, *begins}))


SENTENCES = (
    sentence("You may keep hens if your neighbours agree .", 4),
    sentence("The stall is let to traders", 4),
    sentence("Live in town", 1),
    sentence("if you live in the town , you may trade at the market", 7),
    sentence("Trade ."),
)
TAUGHT = tuple(map(TaughtSentence.of, SENTENCES))
CONFIG = SegmenterConfig(
    documents=Path("documents.jsonl"),
    layers=1,
    inner=48,
    recurrent=8,
    batch_size=4,
    max_tokens=10,
    vocabulary=1000,
    loop=LoopConfig(epochs=8, learning_rate=1e-2, seed=1, threads=1),
)


def task(*, recurrent: int = 8) -> SegmenterTask:
    torch.manual_seed(0)
    config = SegmenterConfig(documents=Path(), recurrent=recurrent, batch_size=8, max_tokens=10)
    return SegmenterTask(
        tiny_backbone(layers=1), config=config, training=TAUGHT, held_out=SENTENCES
    )


@pytest.mark.parametrize(("name", "taught"), [("segmenter", False), ("segmenter-taught", True)])
def test_the_shipped_configurations_load(name: str, taught: bool) -> None:
    shipped = Path(__file__).parents[2] / "configs" / f"train-{name}.toml"
    config = read_config(shipped, SegmenterConfig)
    assert config.layers == 3
    assert (config.teacher is not None) == taught


def test_the_first_word_of_a_sentence_teaches_nothing() -> None:
    (example,) = tagged(TAUGHT[1], tokenizer=tiny_tokenizer(), max_tokens=16)
    assert example.begins == (IGNORED, 0, 0, 0, 1, 0)


def test_long_sentences_are_learned_from_in_stretches() -> None:
    first, second = tagged(TAUGHT[3], tokenizer=tiny_tokenizer(), max_tokens=10)
    assert first.begins + second.begins == (IGNORED, *([0] * 6), 1, *([0] * 5))


@pytest.mark.parametrize("recurrent", [0, 8])
def test_every_parameter_gets_a_gradient(recurrent: int) -> None:
    trained = task(recurrent=recurrent)
    trained.loss(trained.batches(0)[0]).backward()  # type: ignore[no-untyped-call]
    without = [name for name, one in trained.model.named_parameters() if one.grad is None]
    assert without == []


@pytest.mark.parametrize("recurrent", [0, 8])
def test_a_batch_gives_what_its_sentences_give_one_by_one(recurrent: int) -> None:
    trained = task(recurrent=recurrent)
    trained.model.eval()
    (batch,) = trained.batches(0)
    pieces = [each.pieces for each in batch]
    with torch.no_grad():
        together = scores_of(trained.model, pieces)
        for place, own in enumerate(pieces):
            alone = scores_of(trained.model, [own])[0]
            assert torch.allclose(alone, together[place, : len(own.firsts)], atol=1e-5)


@pytest.mark.parametrize("recurrent", [0, 8])
def test_the_exported_network_equals_the_torch_one(tmp_path: Path, recurrent: int) -> None:
    trained = task(recurrent=recurrent)
    before = trained.tagger(SENTENCES)
    config = SegmenterConfig(documents=Path(), recurrent=recurrent, max_tokens=10)
    save(trained, config=config, folder=tmp_path, quantised=False)
    after = OnnxUnits.load(tmp_path)
    for one in SENTENCES:
        np.testing.assert_allclose(before.begins(one.words), after.begins(one.words), atol=1e-4)


def _documents(folder: Path) -> None:
    names = ("GUM_news_boats", next(iter(HELD_OUT_DOCUMENTS)))
    with (folder / "documents.jsonl").open("w", encoding="utf-8") as file:
        for name in names:
            units = []
            for number, one in enumerate(SENTENCES):
                starts = [*sorted(one.begins), len(one.words)]
                units += [
                    {"edu": " ".join(one.words[start:end]), "sentence": number}
                    for start, end in itertools.pairwise(starts)
                ]
            file.write(json.dumps({"document": name, "edus": units}) + "\n")


def test_a_trained_segmenter_cuts_without_torch(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    _documents(tmp_path)
    monkeypatch.setattr(
        "clausewise.training.segmenter_run.load_backbone", lambda _: tiny_backbone(layers=2)
    )
    report = train_segmenter(CONFIG, folder=tmp_path / "model", data=tmp_path, command="train")

    assert report.epochs[-1].loss < report.epochs[0].loss
    assert report.scores["boundary F1"] > 60
    assert {file.name for file in (tmp_path / "model").iterdir()} == {
        "config.json",
        "manifest.json",
        "model.onnx",
        "tokenizer.json",
    }
    assert Manifest.read(tmp_path / "model").scores == report.scores
    assert UnitConfig.read(tmp_path / "model").max_tokens == 10
    text = "You may keep hens if your neighbours agree."
    units = load_segmenter(tmp_path / "model").segment(text)
    assert "".join(unit.cut(text) for unit in units).replace(" ", "") == text.replace(" ", "")


def test_a_teacher_tells_of_sentences_that_nobody_cut(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    _documents(tmp_path)
    texts = ["You may trade at the market if you have a licence.", "# Hens", "* too short"]
    (tmp_path / "texts.jsonl").write_text(json.dumps(texts) + "\n", "utf-8")
    for module in ("segmenter_run", "segmenter_teacher"):
        monkeypatch.setattr(
            f"clausewise.training.{module}.load_backbone", lambda _: tiny_backbone(layers=2)
        )
    teacher = TeacherConfig(
        layers=2, recurrent=4, texts=(Path("texts.jsonl"),), sentences=5, loop=CONFIG.loop
    )
    (tmp_path / "common.jsonl").write_text('["trade in the town"]\n', "utf-8")
    config = replace(CONFIG, teacher=teacher, common=(Path("common.jsonl"),))
    report = train_segmenter(config, folder=tmp_path / "model", data=tmp_path)
    assert report.epochs[-1].loss < report.epochs[0].loss
    manifest = Manifest.read(tmp_path / "model")
    epochs = [note for note in manifest.notes if note.startswith("teacher, epoch")]
    assert len(epochs) == CONFIG.loop.epochs
    names = [file.name for file in manifest.data]
    assert names == ["documents.jsonl", "common.jsonl", "texts.jsonl"]
    assert not (tmp_path / "model" / "teacher").exists()


def test_a_teacher_counts_as_much_as_it_is_trusted(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(
        "clausewise.training.segmenter_teacher.load_backbone", lambda _: tiny_backbone(layers=2)
    )
    (tmp_path / "texts.jsonl").write_text('["If you live in the town you may trade."]\n', "utf-8")
    sentences = Sentences(training=SENTENCES, held_out=SENTENCES)

    def taught(trust: float) -> Taught:
        teacher = TeacherConfig(
            layers=2, recurrent=0, texts=(Path("texts.jsonl"),), loop=CONFIG.loop, trust=trust
        )
        return taught_by(
            replace(CONFIG, teacher=teacher), sentences, folder=tmp_path, data=tmp_path
        )

    alone, half = taught(0.0), taught(0.5)
    assert alone.training == TAUGHT
    assert alone.loose[0].words[:3] == ("If", "you", "live")
    assert all(0 < chance < 1 for chance in alone.loose[0].begins)
    for one, right in zip(half.training, TAUGHT, strict=True):
        likely = [2 * mixed - said for mixed, said in zip(one.begins, right.begins, strict=True)]
        assert all(0 < chance < 1 for chance in likely)


def test_a_teacher_reads_no_more_than_all_epochs_learn_from(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(
        "clausewise.training.segmenter_teacher.load_backbone", lambda _: tiny_backbone(layers=2)
    )
    texts = [f"If you live in the town you may trade {place} times." for place in range(9)]
    (tmp_path / "texts.jsonl").write_text(json.dumps(texts) + "\n", "utf-8")
    loop = replace(CONFIG.loop, epochs=2)
    teacher = TeacherConfig(layers=2, texts=(Path("texts.jsonl"),), loop=loop, sentences=3)
    taught = taught_by(
        replace(CONFIG, loop=loop, teacher=teacher),
        Sentences(training=SENTENCES, held_out=SENTENCES),
        folder=tmp_path,
        data=tmp_path,
    )
    assert len(taught.loose) == 3 * 2


def test_every_epoch_has_other_sentences_of_the_teacher() -> None:
    loose = [
        TaughtSentence(words=("you", "may", "live"), begins=(0.5, 0.25, place / 8))
        for place in range(8)
    ]
    config = replace(CONFIG, teacher=TeacherConfig(sentences=3))
    trained = SegmenterTask(
        tiny_backbone(layers=1), config=config, training=(), held_out=(), loose=loose
    )
    seen = [
        {each.begins[2] for batch in trained.batches(epoch) for each in batch} for epoch in (0, 1)
    ]
    assert [len(each) for each in seen] == [3, 3]
    assert not seen[0] & seen[1]


def test_trust_is_a_share() -> None:
    with pytest.raises(ConfigError, match=r"trust: 1\.5 is no share"):
        TeacherConfig(trust=1.5)


def test_more_layers_than_there_are_cant_be_kept() -> None:
    with pytest.raises(ConfigError, match="3 layers can't be kept, expected 1 to 2"):
        with_layers(tiny_backbone(layers=2), 3)


def test_fewer_layers_and_positions_read_short_texts_as_those_layers_did() -> None:
    whole = tiny_backbone(layers=2)
    ids = torch.tensor([[2, 4, 5, 3]])
    whole.network.eval()
    with torch.no_grad():
        expected = whole.network(ids, output_hidden_states=True).hidden_states[1]
        small = with_positions(with_layers(whole, 1), 8)
        found = small.network(ids).last_hidden_state
    assert torch.allclose(found, expected, atol=1e-6)


def test_all_units_of_a_layer_do_what_they_did_and_fewer_are_the_strongest() -> None:
    whole = tiny_backbone(layers=1)
    ids = torch.tensor([[2, 4, 5, 3]])
    whole.network.eval()
    layer = whole.network.encoder.layer[0]
    layer.output.dense.weight.data[:, :40] = 0
    with torch.no_grad():
        # A unit behind which nothing is heard adds nothing, so taking it out changes nothing.
        expected = whole.network(ids).last_hidden_state
        found = with_inner(whole, 24).network(ids).last_hidden_state
    assert layer.intermediate.dense.out_features == 24
    assert torch.allclose(found, expected, atol=1e-6)
