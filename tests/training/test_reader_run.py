"""From a configuration to predictions, with backbones of a few neurons."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import pytest

torch = pytest.importorskip("torch", reason="training needs the train extra")
pytest.importorskip("transformers", reason="training needs the train extra")

from clausewise.build import build_engine  # noqa: E402
from clausewise.config import EngineConfig, read_config  # noqa: E402
from clausewise.datasets.orsharc import read_samples  # noqa: E402
from clausewise.errors import ConfigError, DataError  # noqa: E402
from clausewise.knowledge.base import KnowledgeBase  # noqa: E402
from clausewise.readers.transformer.config import ReaderModelConfig, SystemName  # noqa: E402
from clausewise.readers.transformer.model import OnnxReaderModel  # noqa: E402
from clausewise.training.backbone import Backbone, load_backbone  # noqa: E402
from clausewise.training.loop import LoopConfig  # noqa: E402
from clausewise.training.manifest import Manifest  # noqa: E402
from clausewise.training.reader_config import (  # noqa: E402
    HitsConfig,
    ReaderConfig,
    SampleConfig,
)
from clausewise.training.reader_jobs import (  # noqa: E402
    ABLATIONS,
    Measured,
    jobs,
    look_up_once,
    run_jobs,
)
from clausewise.training.reader_predict import predict_file  # noqa: E402
from clausewise.training.reader_run import train_reader  # noqa: E402
from clausewise.training.reader_torch import TorchReaderModel  # noqa: E402
from clausewise.trees.write import to_json  # noqa: E402
from clausewise.types import Answer, Decision, Inquiry  # noqa: E402
from tests.datasets.trees import TREES  # noqa: E402
from tests.training.backbones import tiny_backbone, tiny_bart, tiny_roberta  # noqa: E402
from tests.training.readers import SYSTEMS  # noqa: E402

CONFIGS = Path(__file__).parents[2] / "configs"
LOOP = LoopConfig(epochs=1, learning_rate=1e-3, seed=1, threads=1, checkpoint_every=0)


@pytest.fixture
def data(tmp_path: Path) -> Path:
    """A folder with trees, a backbone, rules and samples."""
    folder = tmp_path / "data"
    folder.mkdir()
    lines = [to_json(tree) for tree in TREES]
    (folder / "trees.jsonl").write_text("\n".join(lines), "utf-8")
    rules = {tree.rule_id: tree.rule_text for tree in TREES}
    (folder / "rules.json").write_text(json.dumps(rules), "utf-8")
    write_backbone(tiny_backbone(), folder=folder / "tiny")
    samples = [sample(f"s{place}", answer=answer) for place, answer in enumerate(ANSWERS)]
    (folder / "samples.jsonl").write_text("\n".join(map(json.dumps, samples)), "utf-8")
    return folder


ANSWERS = ("Yes", "No", "Is it that you live in the borough?")


def sample(name: str, *, answer: str) -> dict[str, object]:
    turn = {"follow_up_question": "Is it that you own a car?", "follow_up_answer": "Yes"}
    return {
        "utterance_id": name,
        "tree_id": "t",
        "question": "Can I get a permit?",
        "scenario": "I moved here.",
        "history": [turn] if answer != ANSWERS[2] else [],
        "evidence": [],
        "answer": answer,
        "gold_snippet_id": TREES[0].rule_id,
        "snippet_seen": True,
    }


def write_backbone(backbone: Backbone, *, folder: Path) -> None:
    backbone.network.save_pretrained(folder)
    backbone.tokenizer.save(str(folder / "tokenizer.json"))


def config_of(data: Path, system: SystemName, **changes: object) -> ReaderConfig:
    fields: dict[str, object] = {
        "samples": SampleConfig(trees=(Path("trees.jsonl"),), count=12, held_out=4),
        "system": system,
        "backbone": str(data / "tiny"),
        "segmenter": "sentences",
        "layers": 1,
        "hits": HitsConfig(retriever="tfidf", top_k=3),
        "loop": LOOP,
        "max_tokens": 64,
        **changes,
    }
    return ReaderConfig(**fields)  # type: ignore[arg-type]


def predictions(
    folder: Path, *, data: Path, hits: dict[str, list[str]] | None = None
) -> list[dict]:  # type: ignore[type-arg]
    out = folder / "predictions.jsonl"
    count = predict_file(
        folder, samples=data / "samples.jsonl", rules=data / "rules.json", out=out, hits=hits
    )
    lines = [json.loads(line) for line in out.read_text("utf-8").splitlines()]
    assert len(lines) == count == 3
    return lines


def given(ids: list[str]) -> dict[str, list[str]]:
    return dict.fromkeys(("s0", "s1", "s2"), ids)


@pytest.mark.parametrize("system", SYSTEMS)
def test_a_configuration_becomes_a_reader_and_its_predictions(
    system: SystemName, data: Path, tmp_path: Path
) -> None:
    out = tmp_path / "model"
    report = train_reader(config_of(data, system), folder=out, data=data)
    assert len(report.epochs) == 1
    assert Manifest.read(out).model == f"reader {system}"
    assert OnnxReaderModel.load(out).config == TorchReaderModel.load(out).config
    assert not (out / "checkpoint.pt").exists()
    lines = predictions(out, data=data)
    assert [line["utterance_id"] for line in lines] == ["s0", "s1", "s2"]
    assert {line["decision"] for line in lines} <= {each.value for each in Decision}
    finds = system in ("emt", "e3")
    assert all((line["span"] is not None) == finds for line in lines)
    assert all(bool(line["states"]) == (system not in ("mp", "e3")) for line in lines)


def test_predictions_read_the_rules_that_they_are_given(data: Path, tmp_path: Path) -> None:
    out = tmp_path / "model"
    write_backbone(tiny_roberta(), folder=data / "tiny")
    train_reader(config_of(data, "mudern", max_tokens=256), folder=out, data=data, onnx=False)
    ids = [tree.rule_id for tree in TREES[:2]]
    lines = predictions(out, data=data, hits=given(ids))
    assert {state["rule_id"] for state in lines[0]["states"]} == set(ids)
    with pytest.raises(DataError, match="'nothing' is no rule"):
        predictions(out, data=data, hits=given(["nothing"]))
    with pytest.raises(DataError, match="no rule text is given"):
        predictions(out, data=data, hits={"s0": ids})


def test_the_same_seed_trains_the_same_reader(data: Path, tmp_path: Path) -> None:
    for name in ("one", "two"):
        config = config_of(data, "mudern")
        train_reader(config, folder=tmp_path / name, data=data, onnx=False)
    one, two = (predictions(tmp_path / name, data=data) for name in ("one", "two"))
    assert one == two


def test_an_engine_replies_with_a_trained_reader(data: Path, tmp_path: Path) -> None:
    folder = tmp_path / "model"
    train_reader(config_of(data, "emt"), folder=folder, data=data)
    rules = KnowledgeBase.open(data / "rules.json").rules
    settings = EngineConfig(
        retriever="tfidf", reader="emt", reader_model=folder, minimum_coverage=0.0
    )
    engine = build_engine(rules, trees=(), config=settings)
    replies = {engine.reply(each.dialogue) for each in read_samples(data / "samples.jsonl")}
    assert all(isinstance(reply, Answer | Inquiry) for reply in replies)
    with pytest.raises(ConfigError, match="is a reader 'emt', expected 'mudern'"):
        build_engine(rules, trees=(), config=replace(settings, reader="mudern"))


def test_samples_of_ones_own_are_learned_from(data: Path, tmp_path: Path) -> None:
    config = config_of(data, "mudern").with_samples(Path("samples.jsonl"), rules=Path("rules.json"))
    assert config.labels == "edit_distance"
    report = train_reader(config, folder=tmp_path / "model", data=data, onnx=False)
    assert report.scores == {}
    assert "3 dialogues" in Manifest.read(tmp_path / "model").notes[0]


def test_samples_of_ones_own_need_their_rules(data: Path, tmp_path: Path) -> None:
    (data / "others.json").write_text('{"x": "Text."}', "utf-8")
    samples = SampleConfig(file=Path("samples.jsonl"), rules=Path("others.json"))
    config = config_of(data, "mp", samples=samples, labels="edit_distance")
    with pytest.raises(DataError, match=r"expected an id of others\.json"):
        train_reader(config, folder=tmp_path / "model", data=data)


def test_what_was_found_is_found_once(data: Path, tmp_path: Path) -> None:
    cache = tmp_path / "hits.json"
    config = config_of(data, "mp", hits=HitsConfig(retriever="tfidf", top_k=2, cache=cache))
    train_reader(config, folder=tmp_path / "one", data=data, onnx=False)
    before = cache.read_text("utf-8")
    known = json.loads(before)
    assert len(known) == 1  # the trees are all in training
    more = replace(config, hits=replace(config.hits, top_k=3), system="mudern")
    train_reader(more, folder=tmp_path / "two", data=data, onnx=False)
    assert cache.read_text("utf-8") == before


def test_longer_sequences_than_the_backbone_reads_are_refused(data: Path, tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match="96 is more than the 64 tokens that the backbone reads"):
        train_reader(config_of(data, "mp", max_tokens=96), folder=tmp_path / "one", data=data)


def test_a_file_of_hits_that_is_none_is_refused(data: Path, tmp_path: Path) -> None:
    cache = tmp_path / "hits.json"
    cache.write_text("[1]", "utf-8")
    config = config_of(data, "mp", hits=HitsConfig(retriever="tfidf", cache=cache))
    with pytest.raises(DataError, match="holds no hits"):
        train_reader(config, folder=tmp_path / "one", data=data)


def test_jobs_train_what_is_not_there_and_read_the_samples(data: Path, tmp_path: Path) -> None:
    changes = {
        "backbone": str(data / "tiny"),
        "samples.trees": (Path("trees.jsonl"),),
        "samples.count": 8,
        "hits.retriever": "tfidf",
        "loop.epochs": 1,
        "loop.threads": 1,
        "segmenter": "sentences",
        "max_tokens": 64,
    }
    todo = jobs(["mp", "mudern-no-layers"], seeds=[0, 1], configs=CONFIGS, changes=changes)
    measured = Measured(
        samples=data / "samples.jsonl", rules=data / "rules.json", retrievers=("tfidf",)
    )
    root = tmp_path / "root"
    look_up_once(todo, root=root, data=data)
    first = list(run_jobs(todo, root=root, data=data, measured=measured, onnx=False))
    assert [each.trained for each in first] == [True] * 4
    assert [each.job.seed for each in first] == [0, 0, 1, 1]
    for each in first:
        for setting in ("closed-book", "tfidf"):
            lines = (each.folder / f"{setting}.jsonl").read_text("utf-8").splitlines()
            assert len(lines) == 3
    again = list(run_jobs(todo, root=root, data=data, measured=measured, onnx=False))
    assert [each.trained for each in again] == [False] * 4
    assert ReaderModelConfig.read(first[1].folder).layers == 0


@pytest.mark.parametrize("name", [*SYSTEMS, *ABLATIONS])
def test_every_shipped_configuration_and_ablation_loads(name: str) -> None:
    (job,) = jobs([name], seeds=[7], configs=CONFIGS, changes={"loop.epochs": 2})
    assert (job.config.loop.seed, job.config.loop.epochs) == (7, 2)


def test_all_systems_learn_from_the_same_dialogues_at_the_same_budget() -> None:
    configs = [read_config(CONFIGS / f"train-reader-{name}.toml", ReaderConfig) for name in SYSTEMS]
    for config in configs:
        assert config.samples == configs[0].samples
        assert config.loop == configs[0].loop
        assert config.batch_size == configs[0].batch_size
        assert config.backbone == configs[0].backbone


def test_unknown_jobs_and_fields_are_refused() -> None:
    with pytest.raises(ConfigError, match="'mudren' is unknown"):
        jobs(["mudren"], seeds=[0], configs=CONFIGS, changes={})
    with pytest.raises(ConfigError, match=r"loop\.epoch"):
        jobs(["mp"], seeds=[0], configs=CONFIGS, changes={"loop.epoch": 1})


def test_a_folder_without_weights_is_refused(tmp_path: Path) -> None:
    ReaderModelConfig().write(tmp_path)
    with pytest.raises(ConfigError, match=r"holds no model\.safetensors"):
        TorchReaderModel.load(tmp_path)
    with pytest.raises(ConfigError, match=r"model\.onnx: can't be read"):
        OnnxReaderModel.load(tmp_path)


@pytest.mark.large
def test_a_checkpoint_of_the_size_of_roberta_base_is_loaded_from_a_folder(tmp_path: Path) -> None:
    from transformers import RobertaConfig, RobertaModel  # noqa: PLC0415

    shape = RobertaConfig(vocab_size=50_265, max_position_embeddings=514, type_vocab_size=1)
    RobertaModel(shape, add_pooling_layer=False).half().save_pretrained(tmp_path)
    tiny_roberta().tokenizer.save(str(tmp_path / "tokenizer.json"))
    backbone = load_backbone(str(tmp_path))
    assert (backbone.hidden_size, backbone.layers) == (768, 12)
    assert {each.dtype for each in backbone.network.parameters()} == {torch.float32}
    parameters = sum(each.numel() for each in backbone.network.parameters())
    assert parameters == 124_055_040


def test_of_bart_the_encoder_is_taken(tmp_path: Path) -> None:
    from transformers import BartModel  # noqa: PLC0415

    tiny = tiny_bart()
    BartModel(tiny.network.config).save_pretrained(tmp_path)
    tiny.tokenizer.save(str(tmp_path / "tokenizer.json"))
    backbone = load_backbone(str(tmp_path))
    assert (backbone.hidden_size, backbone.layers) == (32, 2)
    assert set(backbone.network.state_dict()) == set(tiny.network.state_dict())
