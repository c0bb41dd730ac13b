from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

torch = pytest.importorskip("torch")
pytest.importorskip("transformers")
pytest.importorskip("onnx")

from clausewise.askers.rewrite import OnnxWriter, RewriteAsker  # noqa: E402
from clausewise.encoder.rules import RuleEncoder, RuleEncoderConfig  # noqa: E402
from clausewise.training.asker import (  # noqa: E402
    TEMPLATE,
    AskerBatch,
    AskerConfig,
    AskerTask,
    rule_of,
)
from clausewise.training.rule_export import export_questions, export_rules  # noqa: E402
from clausewise.training.rule_network import RuleNetwork  # noqa: E402
from clausewise.training.rule_torch import TorchWriter  # noqa: E402
from clausewise.training.splits import Trees  # noqa: E402
from tests.training.rule_models import TREES, tiny_backbone  # noqa: E402


@pytest.fixture(scope="module")
def encoder(tmp_path_factory: pytest.TempPathFactory) -> RuleEncoder:
    folder = tmp_path_factory.mktemp("compiler")
    torch.manual_seed(0)
    backbone = tiny_backbone()
    export_rules(RuleNetwork(backbone), folder=folder, quantised=False)
    backbone.tokenizer.save(str(folder / "tokenizer.json"))
    RuleEncoderConfig(dimensions=backbone.hidden_size).write(folder)
    return RuleEncoder.load(folder)


@pytest.fixture
def task(encoder: RuleEncoder) -> AskerTask:
    torch.manual_seed(0)
    trees = Trees(training=TREES, calibration=(), held_out=TREES)
    config = AskerConfig(compiler=Path(), trees=(), width=16, batch_size=8)
    return AskerTask(encoder, config=config, trees=trees)


def test_every_parameter_gets_a_gradient(task: AskerTask) -> None:
    (batch,) = task.batches(0)

    task.loss(batch).backward()  # type: ignore[no-untyped-call]

    parameters = task.model.named_parameters()
    assert [name for name, part in parameters if part.grad is None or not part.grad.any()] == []


def test_a_batch_costs_what_its_questions_cost_one_by_one(task: AskerTask) -> None:
    task.model.eval()
    (batch,) = task.batches(0)
    examples = [task.examples[place] for place in batch.places]
    # A word that can be neither brought nor copied teaches nothing.
    steps = [((each.targets >= 0) | each.copies.any(axis=1)).sum() for each in examples]

    alone = [task.loss(AskerBatch(places=(place,))).item() for place in batch.places]

    together = task.loss(batch).item()
    assert together == pytest.approx(np.average(alone, weights=steps), rel=1e-3)


def test_the_exported_asker_asks_as_the_torch_one_does(
    task: AskerTask, encoder: RuleEncoder, tmp_path: Path
) -> None:
    export_questions(task.model, folder=tmp_path, dimensions=16, quantised=False)
    task.asker_config.write(tmp_path)
    before = RewriteAsker(
        TorchWriter(task.model), encoder=encoder, template=TEMPLATE, config=task.asker_config
    )
    after = RewriteAsker(
        OnnxWriter.load(tmp_path), encoder=encoder, template=TEMPLATE, config=task.asker_config
    )
    again = RewriteAsker.load(tmp_path, encoder=encoder, template=TEMPLATE)

    for tree in TREES:
        for item in tree.conditions:
            question = before.ask(item.span, rule=rule_of(tree))
            assert question.endswith("?")
            assert after.ask(item.span, rule=rule_of(tree)) == question
            assert again.ask(item.span, rule=rule_of(tree)) == question


def test_questions_that_are_learned_by_heart_are_asked(
    task: AskerTask, encoder: RuleEncoder
) -> None:
    optimizer = torch.optim.AdamW(task.model.parameters(), lr=1e-2)
    (batch,) = task.batches(0)
    task.model.train()
    for _ in range(400):
        loss = task.loss(batch)
        loss.backward()  # type: ignore[no-untyped-call]
        optimizer.step()
        optimizer.zero_grad()
        if loss.item() < 0.02:
            break
    asker = RewriteAsker(
        TorchWriter(task.model), encoder=encoder, template=TEMPLATE, config=task.asker_config
    )

    item = TREES[0].conditions[0]
    assert asker.ask(item.span, rule=rule_of(TREES[0])) == item.question
