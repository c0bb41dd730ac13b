from __future__ import annotations

from pathlib import Path

import pytest

torch = pytest.importorskip("torch", reason="training needs the train extra")
pytest.importorskip("transformers", reason="training needs the train extra")
pytest.importorskip("onnx", reason="training needs the train extra")

from torch import nn  # noqa: E402

from clausewise.askers.template import TemplateAsker  # noqa: E402
from clausewise.evaluation.speed.turns import TimedTurn, measure_turns  # noqa: E402
from clausewise.segmenters.sentences import SentenceSegmenter  # noqa: E402
from clausewise.training.timed import (  # noqa: E402
    INT8,
    SYSTEMS,
    TORCH,
    Bench,
    bart_base_shape,
    default_shape,
    roberta_base_shape,
)
from clausewise.types import Hit  # noqa: E402
from tests.training.backbones import tiny_backbone, tiny_tokenizer  # noqa: E402
from tests.training.test_span import EXAMPLES, RULES  # noqa: E402

TURNS = tuple(
    TimedTurn(dialogue=one.dialogue, hits=tuple(Hit(rule=rule, score=1.0) for rule in RULES))
    for one in EXAMPLES[:2]
)


def test_every_system_decides_and_asks_in_torch_and_as_onnx(tmp_path: Path) -> None:
    bench = Bench(
        tokenizer=tiny_tokenizer(),
        segmenter=SentenceSegmenter(),
        segmenter_name="sentences",
        asker=TemplateAsker(),
        folder=tmp_path,
        max_tokens=60,
    )
    timed = list(bench.systems(SYSTEMS, shape=tiny_backbone().network.config))
    assert [(one.name, one.form) for one in timed] == [
        (name, form) for name in SYSTEMS for form in (TORCH, INT8)
    ]
    for one in timed:
        span = one.decide(TURNS[0])
        # EMT and E3 find what to ask about on the way.
        assert (span is not None) == (one.name in {"emt", "e3"})
        assert one.ask is not None
        assert one.ask(TURNS[0], span).endswith("?")
        assert one.size_mb > 0
    assert all(speed.decide.p50_ms > 0 for speed in measure_turns(timed, TURNS))


def test_the_shapes_are_those_of_the_models_they_are_named_after() -> None:
    from transformers import AutoModel, BartModel  # noqa: PLC0415

    def millions(network: nn.Module) -> int:
        return round(sum(int(one.numel()) for one in network.parameters()) / 1e6)

    with torch.device("meta"):
        roberta = AutoModel.from_config(roberta_base_shape(), add_pooling_layer=False)
        bart = BartModel(bart_base_shape())
        shape = default_shape(tiny_tokenizer())
        shape.vocab_size = 30_522
        small = AutoModel.from_config(shape, add_pooling_layer=False)
    assert (millions(roberta), millions(bart), millions(small)) == (124, 139, 23)
