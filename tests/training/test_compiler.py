from __future__ import annotations

import dataclasses
from pathlib import Path

import numpy as np
import pytest

torch = pytest.importorskip("torch")
pytest.importorskip("transformers")
pytest.importorskip("onnx")

from clausewise.compiler.joiner import OnnxJoiner  # noqa: E402
from clausewise.compiler.signs import LogicSigns  # noqa: E402
from clausewise.encoder.rules import RuleEncoder, RuleEncoderConfig  # noqa: E402
from clausewise.training.compiler import CompilerConfig, CompilerTask  # noqa: E402
from clausewise.training.rule_batches import RuleTensors  # noqa: E402
from clausewise.training.rule_export import export_rules  # noqa: E402
from clausewise.training.rule_torch import TorchJoiner, TorchRuleEncoder  # noqa: E402
from clausewise.training.splits import Trees  # noqa: E402
from clausewise.types import RuleText  # noqa: E402
from tests.training.rule_models import LONG, SHORT, TREES, tiny_backbone  # noqa: E402


@pytest.fixture
def task() -> CompilerTask:
    torch.manual_seed(0)
    trees = Trees(training=TREES, calibration=(), held_out=TREES)
    task = CompilerTask(tiny_backbone(), config=CompilerConfig(trees=(), batch_size=2), trees=trees)
    # Marks start from nothing, so that the backbone does: here they must show.
    torch.nn.init.normal_(task.model.marks.weight)
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
        together = RuleTensors.of(batch).states(task.model)
        for place, ready in enumerate(batch):
            alone = RuleTensors.of([ready]).states(task.model)
            words = len(ready.example.wording.words)
            assert torch.allclose(alone.tags[0], together.tags[place, :words], atol=1e-5)


def test_the_exported_network_compiles_as_the_torch_one_does(
    task: CompilerTask, tmp_path: Path
) -> None:
    model = task.model
    export_rules(model, folder=tmp_path, quantised=False)
    task.tokenizer.save(str(tmp_path / "tokenizer.json"))
    RuleEncoderConfig(dimensions=16).write(tmp_path)
    before = task.compiler()
    encoder = RuleEncoder.load(tmp_path)
    after = dataclasses.replace(before, encoder=encoder, joiner=OnnxJoiner.load(tmp_path))

    for text in (SHORT, LONG, "Only members."):
        rule = RuleText(rule_id="r", text=text)
        torch_encoded, exported = before.encoder.encode(text), encoder.encode(text)
        np.testing.assert_allclose(torch_encoded.tags, exported.tags, atol=1e-4)
        assert before.compile(rule) == after.compile(rule)


def test_exported_logic_equals_the_torch_one(task: CompilerTask, tmp_path: Path) -> None:
    export_rules(task.model, folder=tmp_path, quantised=False)
    encoder = TorchRuleEncoder(task.model, tokenizer=task.tokenizer, max_tokens=128)
    encoded = encoder.encode(LONG)
    for count in (1, 3):
        spans = [item.span for item in TREES[1].conditions[:count]]
        places = [place for place in map(encoded.wording.place, spans) if place]
        signs = LogicSigns.of(spans, text=LONG)
        one = TorchJoiner(task.model).join(encoded, places=places, signs=signs)
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
