from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest

torch = pytest.importorskip("torch", reason="training needs the train extra")
pytest.importorskip("transformers", reason="training needs the train extra")
pytest.importorskip("onnx", reason="training needs the train extra")

from clausewise.build import load_span_finder  # noqa: E402
from clausewise.config import read_config  # noqa: E402
from clausewise.errors import ConfigError  # noqa: E402
from clausewise.readers.transformer.tokens import PieceTokenizer  # noqa: E402
from clausewise.training.loop import LoopConfig  # noqa: E402
from clausewise.training.manifest import Manifest  # noqa: E402
from clausewise.training.reader_config import HitsConfig, SampleConfig  # noqa: E402
from clausewise.training.reader_examples import Example  # noqa: E402
from clausewise.training.span import (  # noqa: E402
    SpanConfig,
    SpanTask,
    find_spans,
    sentence_packer,
    span_figures,
    span_scores,
)
from clausewise.training.span_examples import span_example  # noqa: E402
from clausewise.training.span_run import export_spans, train_span  # noqa: E402
from clausewise.training.span_torch import TorchSpanFinder, predict_spans  # noqa: E402
from clausewise.trees.values import Span  # noqa: E402
from clausewise.types import Decision, Dialogue, FoundSpan, Hit, RuleText, Turn  # noqa: E402
from tests.training.backbones import tiny_backbone, tiny_tokenizer  # noqa: E402

HENS = RuleText(
    rule_id="hens", text="You may keep hens if your neighbours agree. You live in town."
)
CARD = RuleText(rule_id="card", text="You can have a library card if you live in the town.")
STALL = RuleText(
    rule_id="stall", text="A stall at the market is let to:\n\n* traders with a licence"
)
RULES = (HENS, CARD, STALL)
PACKER = sentence_packer(PieceTokenizer(tiny_tokenizer()), 60)
CONFIG = SpanConfig(
    samples=SampleConfig(trees=(Path("trees.jsonl"),), count=24),
    hits=HitsConfig(retriever="tfidf", top_k=2),
    batch_size=4,
    max_tokens=60,
    loop=LoopConfig(epochs=6, learning_rate=3e-3, seed=1, threads=1),
)


def example(rule: RuleText, words: str, question: str, *turns: Turn) -> Example:
    start = rule.text.index(words)
    span = Span(start=start, end=start + len(words))
    return Example(
        example_id=f"{rule.rule_id}/{words}",
        dialogue=Dialogue(question=question, turns=turns),
        rule=rule,
        decision=Decision.INQUIRE,
        settled=(),
        asked=span,
        conditions=(span,),
    )


EXAMPLES = (
    example(HENS, "your neighbours agree", "Can I keep hens?"),
    example(HENS, "You live in town", "Can I keep hens?", Turn(question="Agree?", answer="Yes")),
    example(CARD, "you live in the town", "Can I have a library card?"),
    example(STALL, "traders with a licence", "Is a stall let?"),
)


def task() -> SpanTask:
    return SpanTask(
        tiny_backbone(),
        config=CONFIG,
        training=EXAMPLES,
        held_out=EXAMPLES,
        retrieved=lambda one: (CARD, one.rule),
    )


def test_the_shipped_configuration_loads() -> None:
    shipped = Path(__file__).parents[2] / "configs" / "train-span.toml"
    assert read_config(shipped, SpanConfig).labels == "tree"


def test_the_tokens_of_the_right_span_are_found_behind_other_rule_texts() -> None:
    made = span_example(EXAMPLES[3], packer=PACKER, rules=[CARD, STALL])
    assert made is not None
    assert made.packed.rules == 2
    start, end = made.packed.offsets[made.first][0], made.packed.offsets[made.last][1]
    assert STALL.text[start:end] == "traders with a licence"


def test_the_right_rule_is_put_first_where_it_was_not_found() -> None:
    made = span_example(EXAMPLES[3], packer=PACKER, rules=[CARD, HENS])
    assert made is not None
    (unit,) = [unit for unit in made.packed.units if unit.start <= made.first < unit.end]
    assert unit.rule == 0


def test_a_span_over_two_sentences_is_learned_in_the_one_with_most_of_it() -> None:
    made = span_example(
        example(HENS, "agree. You live in town", "Can I keep hens?"), packer=PACKER, rules=[]
    )
    assert made is not None
    start, end = made.packed.offsets[made.first][0], made.packed.offsets[made.last][1]
    assert HENS.text[start:end] == "You live in town"


def test_every_parameter_gets_a_gradient() -> None:
    trained = task()
    trained.loss(trained.batches(0)[0]).backward()  # type: ignore[no-untyped-call]
    without = [name for name, one in trained.model.named_parameters() if one.grad is None]
    assert without == []


def test_a_batch_gives_what_its_sequences_give_one_by_one() -> None:
    trained = task()
    trained.model.eval()
    (batch,) = trained.batches(0)
    packed = [one.packed for one in batch]
    with torch.no_grad():
        together = span_scores(trained.model, packed, filling=0)
        for row, one in enumerate(packed):
            alone = span_scores(trained.model, [one], filling=0)[0, : len(one.ids)]
            assert torch.allclose(alone, together[row, : len(one.ids)], atol=1e-5)


def test_learning_the_same_dialogues_again_finds_their_spans() -> None:
    trained = task()
    optimizer = torch.optim.AdamW(trained.model.parameters(), lr=3e-3)
    (batch,) = trained.batches(0)
    trained.model.train()
    for _ in range(60):
        trained.loss(batch).backward()  # type: ignore[no-untyped-call]
        optimizer.step()
        optimizer.zero_grad()
    assert trained.evaluate()["span F1, retrieved"] > 95


def test_the_figures_count_words_spans_and_rules() -> None:
    right = EXAMPLES[0]
    assert right.asked is not None
    exact = FoundSpan(rule=HENS, span=right.asked)
    near = FoundSpan(rule=HENS, span=Span(start=right.asked.start, end=right.asked.end - 6))
    far = FoundSpan(rule=STALL, span=Span(start=0, end=7))
    figures = span_figures([exact, near], [near, far], right=[right, right])
    assert figures["same span, right rule given"] == 50.0
    assert figures["span F1, right rule given"] == 90.0
    assert figures["right rule, retrieved"] == 50.0
    assert figures["span F1, retrieved"] == 40.0


def _trees(folder: Path) -> None:
    conditions = [("a", EXAMPLES[0]), ("b", EXAMPLES[1])]
    spans = {key: one.asked for key, one in conditions if one.asked is not None}
    tree = {
        "tree_id": "t1",
        "rule_id": "hens",
        "rule": HENS.text,
        "topic": "hens",
        "questions": ["Can I keep hens?"],
        "conditions": {
            key: {
                "span": [span.start, span.end],
                "text": span.cut(HENS.text),
                "question": f"Do {span.cut(HENS.text).lower()}?",
                "yes": ["I live in town."],
                "no": ["I trade."],
            }
            for key, span in spans.items()
        },
        "logic": "a and b",
    }
    (folder / "trees.jsonl").write_text(json.dumps(tree) + "\n", "utf-8")


def _samples(folder: Path) -> Path:
    sample = {
        "utterance_id": "u1",
        "question": "Can I keep hens?",
        "scenario": "",
        "history": [],
        "answer": "Do your neighbours agree?",
        "gold_snippet_id": "hens",
    }
    (folder / "dev.jsonl").write_text(json.dumps(sample) + "\n", "utf-8")
    (folder / "rules.json").write_text(json.dumps({one.rule_id: one.text for one in RULES}))
    return folder / "dev.jsonl"


def test_a_trained_span_finder_is_saved_in_torch_and_as_onnx(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    _trees(tmp_path)
    monkeypatch.setattr("clausewise.training.span_run.load_backbone", lambda _: tiny_backbone())
    out = tmp_path / "model"
    report = train_span(CONFIG, folder=out, data=tmp_path, command="train")

    assert report.epochs[-1].loss < report.epochs[0].loss
    assert Manifest.read(out).model == "span finder"
    torch_finder, exported = TorchSpanFinder.load(out), load_span_finder(out, quantised=False)
    for one in EXAMPLES:
        hits = [Hit(rule=rule, score=1.0) for rule in (CARD, one.rule)]
        assert torch_finder.find(one.dialogue, hits=hits) == exported.find(one.dialogue, hits=hits)
    samples = _samples(tmp_path)
    written = predict_spans(
        out,
        samples=samples,
        rules=tmp_path / "rules.json",
        out=tmp_path / "spans.jsonl",
        hits={"u1": ["card", "hens"]},
        top_k=1,
    )
    (line,) = map(json.loads, (tmp_path / "spans.jsonl").read_text("utf-8").splitlines())
    assert written == 1
    assert line["rule_id"] == "card"
    assert CARD.text[line["start"] : line["end"]]


def test_the_exported_network_equals_the_torch_one(tmp_path: Path) -> None:
    trained = task()
    export_spans(trained.model, folder=tmp_path)
    PieceTokenizer(tiny_tokenizer())._tokenizer.save(str(tmp_path / "tokenizer.json"))
    (tmp_path / "config.json").write_text('{"max_tokens": 60}', "utf-8")
    finder = load_span_finder(tmp_path, quantised=False)
    for one in EXAMPLES:
        packed = PACKER.pack(one.dialogue, rules=RULES)
        with torch.no_grad():
            expected = span_scores(trained.model, [packed], filling=0)[0, : len(packed.ids)]
        found = finder.network.scores(packed.ids)
        np.testing.assert_allclose(found, expected.numpy(), atol=1e-4)


def test_many_dialogues_at_once_get_the_spans_of_one_by_one() -> None:
    trained = task()
    dialogues = [one.dialogue for one in EXAMPLES]
    rules = [(CARD, one.rule) for one in EXAMPLES]
    together = find_spans(trained.model, packer=PACKER, dialogues=dialogues, rules=rules, size=3)
    alone = [
        find_spans(trained.model, packer=PACKER, dialogues=[dialogue], rules=[texts])[0]
        for dialogue, texts in zip(dialogues, rules, strict=True)
    ]
    assert together == alone


def test_a_folder_without_weights_is_no_span_finder_in_torch(tmp_path: Path) -> None:
    (tmp_path / "config.json").write_text("{}", "utf-8")
    with pytest.raises(ConfigError, match=r"holds no model\.safetensors"):
        TorchSpanFinder.load(tmp_path)
