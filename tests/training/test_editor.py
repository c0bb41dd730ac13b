from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

torch = pytest.importorskip("torch", reason="training needs the train extra")
pytest.importorskip("transformers", reason="training needs the train extra")
pytest.importorskip("onnx", reason="training needs the train extra")

from clausewise.askers.editor import SIDES, EditorAsker, EditSource, OnnxEdits  # noqa: E402
from clausewise.config import read_config  # noqa: E402
from clausewise.training.editor import (  # noqa: E402
    Edit,
    EditorTask,
    EditorTrainingConfig,
    TorchEdits,
    written_words,
)
from clausewise.training.editor_run import save_editor  # noqa: E402
from clausewise.training.loop import LoopConfig, train  # noqa: E402
from clausewise.training.splits import Trees  # noqa: E402
from clausewise.trees.values import Span  # noqa: E402
from clausewise.types import RuleText  # noqa: E402
from tests.training.backbones import tiny_tokenizer  # noqa: E402
from tests.training.rule_models import LONG, SHORT, TREES, tiny_backbone  # noqa: E402

CONFIG = EditorTrainingConfig(
    trees=(),
    width=12,
    batch_size=2,
    loop=LoopConfig(epochs=30, learning_rate=1e-2, seed=1, threads=1),
)
HENS = "You may keep hens if your neighbours agree."


def task() -> EditorTask:
    torch.manual_seed(0)
    # Twice, so that every word comes twice: rarer ones are not written.
    trees = Trees(training=(*TREES, *TREES), calibration=(), held_out=TREES)
    return EditorTask(tiny_backbone(), config=CONFIG, trees=trees)


def saved(trained: EditorTask, *, folder: Path) -> None:
    save_editor(
        trained.model,
        tokenizer=trained.tokenizer,
        config=trained.editor,
        folder=folder,
        quantised=False,
    )


def source(words: str, *, text: str = HENS) -> EditSource:
    start = text.index(words)
    span = Span(start=start, end=start + len(words))
    found = EditSource.of(span, text=text, tokenizer=tiny_tokenizer())
    assert found is not None
    return found


def test_the_shipped_configuration_loads() -> None:
    shipped = Path(__file__).parents[2] / "configs" / "train-editor.toml"
    assert read_config(shipped, EditorTrainingConfig).loop.epochs == 20


def test_words_before_and_behind_those_of_the_rule_are_what_is_written() -> None:
    edit = Edit.of("Do your neighbours agree to it?", source=source("your neighbours agree"))
    assert edit == Edit(before=("do",), after=("to", "it"))


def test_a_question_in_other_words_teaches_nothing() -> None:
    assert Edit.of("Is that so?", source=source("your neighbours agree")) is None


def test_a_question_with_more_than_ten_words_on_a_side_teaches_nothing() -> None:
    question = f"{'very ' * 11}your neighbours agree"
    assert Edit.of(question, source=source("your neighbours agree")) is None


def test_rare_words_are_not_written() -> None:
    edits = [Edit(before=("do",), after=("there",)), Edit(before=("do",), after=())]
    assert written_words(edits)[3:] == ("do",)


def test_every_parameter_gets_a_gradient() -> None:
    trained = task()
    trained.loss(trained.batches(0)[0]).backward()  # type: ignore[no-untyped-call]
    without = [name for name, one in trained.model.named_parameters() if one.grad is None]
    assert without == []


def test_a_batch_is_read_as_its_conditions_are_one_by_one() -> None:
    trained = task()
    trained.model.eval()
    batch = next(batch for batch in trained.batches(0) if len(batch) == 2)
    together, alone = trained.read(batch), [trained.read([one]) for one in batch]
    for row, one in enumerate(alone):
        pieces = len(batch[row].source.ids)
        assert torch.allclose(together.memory[row, :pieces], one.memory[0], atol=1e-5)
        assert torch.allclose(together.meaning[row], one.meaning[0], atol=1e-5)
        assert together.known[row].sum() == pieces


def test_training_writes_the_questions_that_people_wrote(tmp_path: Path) -> None:
    trained = task()
    reports = train(trained, CONFIG.loop, folder=tmp_path)
    assert reports[-1].loss < 0.3 * reports[0].loss
    assert reports[-1].scores["word F1"] > reports[0].scores["word F1"]


def test_the_exported_editor_asks_as_the_torch_one_does(tmp_path: Path) -> None:
    trained = task()
    saved(trained, folder=tmp_path)
    exported = EditorAsker.load(tmp_path)
    before = EditorAsker(
        TorchEdits(trained.model), tokenizer=trained.tokenizer, config=trained.editor
    )
    for tree in TREES:
        rule = RuleText(rule_id="r", text=tree.rule_text or "")
        for item in tree.conditions:
            assert exported.ask(item.span, rule=rule) == before.ask(item.span, rule=rule)


def test_the_exported_networks_equal_the_torch_ones(tmp_path: Path) -> None:
    trained = task()
    saved(trained, folder=tmp_path)
    one, other = OnnxEdits.load(tmp_path), TorchEdits(trained.model)
    for text in (SHORT, LONG):
        read = EditSource.of(Span(start=0, end=9), text=text, tokenizer=trained.tokenizer)
        assert read is not None
        (memory, states), (wanted, wanted_states) = one.begin(read), other.begin(read)
        np.testing.assert_allclose(memory, wanted, atol=1e-5)
        for side in SIDES:
            found, after = one.step(side, memory=memory, state=states[side], word=0)
            right, later = other.step(side, memory=wanted, state=wanted_states[side], word=0)
            np.testing.assert_allclose(found, right, atol=1e-5)
            np.testing.assert_allclose(after, later, atol=1e-5)
