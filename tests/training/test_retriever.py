from __future__ import annotations

import random
from dataclasses import replace
from pathlib import Path

import pytest

torch = pytest.importorskip("torch", reason="training needs the train extra")
pytest.importorskip("transformers", reason="training needs the train extra")

from torch import Tensor  # noqa: E402

from clausewise.config import read_config  # noqa: E402
from clausewise.datasets.orsharc import Gold, Sample  # noqa: E402
from clausewise.errors import ConfigError  # noqa: E402
from clausewise.training.backbone import Backbone, load_backbone  # noqa: E402
from clausewise.training.batching import tokenized, tokens_of  # noqa: E402
from clausewise.training.encoder import DualEncoder, embed  # noqa: E402
from clausewise.training.export import export_encoder  # noqa: E402
from clausewise.training.loop import LoopConfig, train  # noqa: E402
from clausewise.training.manifest import Manifest  # noqa: E402
from clausewise.training.pairs import QueryMix, queries  # noqa: E402
from clausewise.training.retriever import (  # noqa: E402
    Development,
    RetrieverConfig,
    RetrieverTask,
    averaged,
)
from clausewise.training.run import save_backbone  # noqa: E402
from clausewise.trees.tree import RuleTree  # noqa: E402
from clausewise.types import Dialogue, RuleText  # noqa: E402
from tests.training.backbones import tiny_backbone  # noqa: E402

SHIPPED = Path(__file__).parents[2] / "configs" / "train-retriever.toml"
TEXTS = (
    "You may keep hens on an allotment if your neighbours agree.",
    "You can have a library card if you live in the town.",
    "A stall at the market is let to traders with a licence.",
)
QUESTIONS = ("Can I keep hens on an allotment?", "Can I have a library card?", "Is a stall let?")
CONDITIONS = ("your neighbours agree", "you live in the town", "traders with a licence")
CONFIG = RetrieverConfig(
    trees=(),
    rules=Path("rules.json"),
    development=Path("dev.jsonl"),
    loop=LoopConfig(epochs=4, learning_rate=1e-3, seed=1, threads=1),
    rules_per_batch=3,
    family=2,
    max_tokens=48,
)


def tree(number: int) -> RuleTree:
    text, condition = TEXTS[number], CONDITIONS[number]
    start = text.index(condition)
    return RuleTree.parse(
        f"rule: '{number}'\n"
        f"questions: ['{QUESTIONS[number]}']\n"
        "conditions:\n"
        f"  a: {{span: [{start}, {start + len(condition)}], text: '{condition}', "
        f"question: 'Do {condition}?', yes: ['I {condition}.'], no: ['I do not trade.']}}\n"
        "logic: a\n",
        rule_text=text,
    )


TREES = tuple(tree(number) for number in range(3))
DEVELOPMENT = Development(
    rules=tuple(RuleText(rule_id=str(n), text=text) for n, text in enumerate(TEXTS)),
    samples=tuple(
        Sample(
            utterance_id=str(n),
            dialogue=Dialogue(question=question),
            gold=Gold(answer="Yes", rule_id=str(n), seen=False),
        )
        for n, question in enumerate(QUESTIONS)
    ),
)


def task(backbone: Backbone | None = None) -> RetrieverTask:
    return RetrieverTask(
        backbone or tiny_backbone(), config=CONFIG, trees=TREES, development=DEVELOPMENT
    )


def vectors(backbone: Backbone) -> Tensor:
    model = DualEncoder(backbone).eval()
    with torch.no_grad():
        return embed(model, TEXTS, tokenizer=backbone.tokenizer, max_tokens=48)


def test_the_shipped_configuration_loads() -> None:
    assert read_config(SHIPPED, RetrieverConfig).backbone == "all-MiniLM-L6-v2"


@pytest.mark.parametrize("wrong", [{"kept": 1.0}, {"family": 9}, {"hard_negatives": -1}])
def test_a_contradictory_configuration_is_refused(wrong: dict[str, float]) -> None:
    with pytest.raises(ConfigError):
        replace(CONFIG, **wrong)  # type: ignore[arg-type]


def test_training_makes_questions_find_their_rules(tmp_path: Path) -> None:
    reports = train(task(), replace(CONFIG.loop, epochs=20), folder=tmp_path)
    assert reports[-1].loss < reports[0].loss
    assert reports[-1].scores["dense, all @1"] == 100.0


def test_every_query_has_its_rule_in_its_batch() -> None:
    batches = task().batches(0)
    assert [len(batch.rules) for batch in batches] == [3]
    for batch in batches:
        for query, target in zip(batch.queries, batch.targets, strict=True):
            of = TREES[TEXTS.index(batch.rules[target])]
            assert any(part in query for part in (of.questions[0], "Do ", "I "))


def test_the_hardest_wrong_rule_joins_a_batch_that_lacks_it() -> None:
    alone = replace(CONFIG, rules_per_batch=1, family=1)
    hard = (replace(TREES[0], questions=("Do traders with a stall at the market keep hens?",)),)
    for count, expected in ((0, {TEXTS[0]}), (1, {TEXTS[0], TEXTS[2]})):
        training = RetrieverTask(
            tiny_backbone(),
            config=replace(alone, hard_negatives=count),
            trees=(*hard, *TREES[1:]),
            development=DEVELOPMENT,
        )
        of_hens = [batch for batch in training.batches(0) if batch.rules[0] == TEXTS[0]]
        assert [set(batch.rules) for batch in of_hens] == [expected]
        assert set(of_hens[0].targets) == {0}


def test_an_epoch_has_always_the_same_batches_and_the_next_has_others() -> None:
    assert task().batches(0) == task().batches(0)
    assert task().batches(0) != task().batches(1)


def test_a_foreign_scenario_never_stands_without_the_question() -> None:
    mix = QueryMix(no_scenario=0.0, foreign_scenario=1.0, scenario_alone=0.0)
    drawn = queries(TREES[0], others=TREES[1:], mix=mix, lot=random.Random(2))
    assert all(QUESTIONS[0] in query or query.startswith("Do your") for query in drawn)


def test_every_parameter_gets_a_gradient() -> None:
    training = task()
    training.loss(training.batches(0)[0]).backward()
    without = [n for n, p in training.model.named_parameters() if p.grad is None]
    assert without == []


def test_a_batch_equals_one_by_one() -> None:
    backbone = tiny_backbone()
    model = DualEncoder(backbone).eval()
    encodings = tokenized(TEXTS, tokenizer=backbone.tokenizer, max_tokens=48)
    with torch.no_grad():
        together = tokens_of(encodings)
        all_at_once = model(together.ids, together.mask)
        for row, encoding in enumerate(encodings):
            alone = tokens_of([encoding])
            assert torch.allclose(model(alone.ids, alone.mask)[0], all_at_once[row], atol=1e-5)


def test_a_saved_model_is_loaded_to_the_same_vectors(tmp_path: Path) -> None:
    backbone = tiny_backbone()
    expected = vectors(backbone)
    save_backbone(backbone, folder=tmp_path, max_tokens=48, manifest=MANIFEST)
    assert torch.allclose(vectors(load_backbone(str(tmp_path))), expected, atol=1e-6)
    assert Manifest.read(tmp_path) == MANIFEST


@pytest.mark.parametrize(("quantised", "least"), [(False, 0.99999), (True, 0.97)])
def test_the_exported_model_equals_torch(tmp_path: Path, quantised: bool, least: float) -> None:
    pytest.importorskip("onnxruntime")
    save_backbone(tiny_backbone(), folder=tmp_path / "in", max_tokens=48, manifest=MANIFEST)
    probes = tmp_path / "rules.md"
    probes.write_text("# Rules\n\n" + "\n\n".join(TEXTS) + "\n", "utf-8")
    report = export_encoder(
        tmp_path / "in",
        to=tmp_path / "out",
        probes=probes,
        development=DEVELOPMENT,
        quantised=quantised,
    )
    assert report.lowest_cosine >= least
    assert set(report.onnx_scores) == set(report.torch_scores)
    assert Manifest.read(tmp_path / "out").backbone == "tiny"


def test_averaged_weights_lie_between_the_two() -> None:
    one, other = {"w": torch.zeros(2)}, {"w": torch.ones(2)}
    assert averaged(one, pretrained=other, kept=0.25)["w"].tolist() == [0.25, 0.25]


MANIFEST = Manifest(
    model="retriever",
    backbone="tiny",
    licence="CC0",
    command="clausewise train retriever",
    date="2026-01-01",
    data=(),
    scores={"dense, all @1": 100.0},
    notes=("random",),
)
