from __future__ import annotations

import dataclasses
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
import pytest

torch = pytest.importorskip("torch")
pytest.importorskip("transformers")
pytest.importorskip("onnx")

from tokenizers import Tokenizer, models, normalizers, pre_tokenizers, processors  # noqa: E402
from transformers import BertConfig, BertModel  # noqa: E402

from clausewise.askers.rewrite import OnnxWriter, RewriteAsker  # noqa: E402
from clausewise.compiler.joiner import OnnxJoiner  # noqa: E402
from clausewise.compiler.signs import LogicSigns  # noqa: E402
from clausewise.encoder.rules import RuleEncoder, RuleEncoderConfig  # noqa: E402
from clausewise.training.backbone import Backbone  # noqa: E402
from clausewise.training.compiler import CompilerConfig, CompilerTask  # noqa: E402
from clausewise.training.rule_batches import RuleTensors  # noqa: E402
from clausewise.training.rule_export import export_questions, export_rules  # noqa: E402
from clausewise.training.rule_torch import TorchJoiner, TorchRuleEncoder  # noqa: E402
from clausewise.training.splits import Trees  # noqa: E402
from clausewise.trees.logic import parse_logic  # noqa: E402
from clausewise.trees.tree import Outcome, RuleTree  # noqa: E402
from clausewise.trees.values import Condition, Span  # noqa: E402
from clausewise.types import RuleText  # noqa: E402

if TYPE_CHECKING:
    from collections.abc import Sequence

SHORT = "You can park here if you own a car and live in the street."
LONG = "To join the club you must:\n\n* be over 18\n* have paid the fee, unless you are a student"


def _tree(text: str, *, logic: str, parts: Sequence[tuple[str, str]]) -> RuleTree:
    conditions = []
    for key, (words, question) in zip("abc", parts, strict=False):
        start = text.index(words)
        span = Span(start=start, end=start + len(words))
        conditions.append(Condition(key=key, span=span, text=words, question=question))
    return RuleTree(
        rule_id="",
        rule_text=text,
        conditions=tuple(conditions),
        logic=parse_logic(logic),
        outcome=Outcome(span=Span(start=0, end=7), text=text[:7]),
    )


TREES = (
    _tree(
        SHORT,
        logic="a and b",
        parts=[("own a car", "Do you own a car?"), ("live in the street", "Do you live there?")],
    ),
    _tree(
        LONG,
        logic="a and (b or c)",
        parts=[
            ("be over 18", "Are you over 18?"),
            ("have paid the fee", "Have you paid the fee?"),
            ("you are a student", "Are you a student?"),
        ],
    ),
)


def _backbone() -> Backbone:
    words = sorted(set(f"{SHORT} {LONG}".lower()))
    pieces = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", *words, *(f"##{word}" for word in words)]
    vocabulary = {piece: number for number, piece in enumerate(dict.fromkeys(pieces))}
    tokenizer = Tokenizer(models.WordPiece(vocabulary, unk_token="[UNK]"))
    tokenizer.normalizer = normalizers.BertNormalizer()
    tokenizer.pre_tokenizer = pre_tokenizers.BertPreTokenizer()
    tokenizer.post_processor = processors.BertProcessing(
        ("[SEP]", vocabulary["[SEP]"]), ("[CLS]", vocabulary["[CLS]"])
    )
    config = BertConfig(
        vocab_size=len(vocabulary),
        hidden_size=16,
        num_hidden_layers=1,
        num_attention_heads=2,
        intermediate_size=16,
        max_position_embeddings=128,
    )
    network = BertModel(config, add_pooling_layer=False)
    return Backbone(network=network, tokenizer=tokenizer, hidden_size=16, layers=1)


@pytest.fixture
def task() -> CompilerTask:
    torch.manual_seed(0)
    trees = Trees(training=TREES, calibration=(), held_out=TREES)
    task = CompilerTask(_backbone(), config=CompilerConfig(trees=(), batch_size=2), trees=trees)
    # Marks start from nothing, so that the backbone does: here they must show.
    torch.nn.init.normal_(task.model.rules.marks.weight)
    return task


def test_every_parameter_gets_a_gradient(task: CompilerTask) -> None:
    (batch,) = task.batches(0)

    task.loss(batch).backward()  # type: ignore[no-untyped-call]

    without = [
        name
        for name, parameter in task.model.named_parameters()
        if parameter.grad is None or not parameter.grad.abs().sum()
    ]
    # Words enter as vectors of their own; their types and some biases of attention stay out.
    assert [name for name in without if "key.bias" not in name] == []


def test_a_batch_gives_what_its_rules_give_one_by_one(task: CompilerTask) -> None:
    task.model.eval()
    (batch,) = task.batches(0)
    with torch.no_grad():
        together = RuleTensors.of(batch.ready).states(task.model.rules)
        for place, ready in enumerate(batch.ready):
            alone = RuleTensors.of([ready]).states(task.model.rules)
            words = len(ready.example.wording.words)
            assert torch.allclose(alone.tags[0], together.tags[place, :words], atol=1e-5)


def test_exported_networks_compile_and_ask_as_the_torch_ones_do(
    task: CompilerTask, tmp_path: Path
) -> None:
    model = task.model
    export_rules(model.rules, folder=tmp_path, quantised=False)
    export_questions(model.questions, folder=tmp_path, dimensions=16, quantised=False)
    task.tokenizer.save(str(tmp_path / "tokenizer.json"))
    RuleEncoderConfig(dimensions=16).write(tmp_path)
    before = task.compiler()
    encoder = RuleEncoder.load(tmp_path)
    asker = RewriteAsker(OnnxWriter.load(tmp_path), encoder=encoder, config=task.asker_config)
    after = dataclasses.replace(
        before, encoder=encoder, joiner=OnnxJoiner.load(tmp_path), asker=asker
    )

    for text in (SHORT, LONG, "Only members."):
        rule = RuleText(rule_id="r", text=text)
        torch_encoded, exported = before.encoder.encode(text), encoder.encode(text)
        np.testing.assert_allclose(torch_encoded.tags, exported.tags, atol=1e-4)
        assert before.compile(rule) == after.compile(rule)


def test_exported_logic_equals_the_torch_one(task: CompilerTask, tmp_path: Path) -> None:
    export_rules(task.model.rules, folder=tmp_path, quantised=False)
    encoder = TorchRuleEncoder(task.model.rules, tokenizer=task.tokenizer, max_tokens=128)
    encoded = encoder.encode(LONG)
    for count in (1, 3):
        spans = [item.span for item in TREES[1].conditions[:count]]
        places = [place for place in map(encoded.wording.place, spans) if place]
        signs = LogicSigns.of(spans, text=LONG)
        one = TorchJoiner(task.model.rules).join(encoded, places=places, signs=signs)
        two = OnnxJoiner.load(tmp_path).join(encoded, places=places, signs=signs)
        np.testing.assert_allclose(one.negated, two.negated, atol=1e-5)
        np.testing.assert_allclose(one.by_or, two.by_or, atol=1e-5)


def test_learning_the_same_rules_again_lowers_the_loss(task: CompilerTask) -> None:
    optimizer = torch.optim.AdamW(task.model.parameters(), lr=5e-3)
    (batch,) = task.batches(0)
    losses = []
    for _ in range(12):
        loss = task.loss(batch)
        loss.backward()
        optimizer.step()
        optimizer.zero_grad()
        losses.append(loss.item())

    assert losses[-1] < 0.7 * losses[0]
