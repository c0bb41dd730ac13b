"""Rules, dialogues and configurations that the tests of joint readers share."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import get_args

from clausewise.readers.transformer.config import SystemName
from clausewise.readers.transformer.encode import Packed, Packer
from clausewise.readers.transformer.tokens import PieceTokenizer
from clausewise.segmenters.sentences import SentenceSegmenter
from clausewise.training.backbone import Backbone
from clausewise.training.loop import LoopConfig
from clausewise.training.reader_batches import Item, item_of
from clausewise.training.reader_config import ReaderConfig, SampleConfig
from clausewise.training.reader_examples import Example, SpanState
from clausewise.training.reader_network import network_of
from clausewise.training.reader_torch import TorchReaderModel
from clausewise.trees.values import Span, State
from clausewise.types import Decision, Dialogue, RuleText, Turn
from tests.training.backbones import tiny_backbone, tiny_bart, tiny_roberta

SYSTEMS: tuple[SystemName, ...] = get_args(SystemName)
SHAPES: Mapping[str, Callable[[], Backbone]] = {
    "bert": tiny_backbone,
    "roberta": tiny_roberta,
    "bart": tiny_bart,
}
HENS = RuleText(
    rule_id="hens", text="You may keep hens if:\n\n* your neighbours agree\n* you have an allotment"
)
STALL = RuleText(rule_id="stall", text="A stall is let to traders. You have to have a licence.")


def span(words: str, *, rule: RuleText = HENS) -> Span:
    start = rule.text.index(words)
    return Span(start=start, end=start + len(words))


def example(
    name: str, *, answer: str, decision: Decision, settled: State | None, asked: str | None
) -> Example:
    turns = (Turn(question="Do your neighbours agree?", answer=answer),) if answer else ()
    agree = span("your neighbours agree")
    return Example(
        example_id=name,
        dialogue=Dialogue(question="Can I keep hens?", scenario="I live in the town.", turns=turns),
        rule=HENS,
        decision=decision,
        settled=(SpanState(span=agree, state=settled),) if settled else (),
        asked=span(asked) if asked else None,
        conditions=(agree, span("you have an allotment")),
    )


EXAMPLES = (
    example("first", answer="", decision=Decision.INQUIRE, settled=None, asked="neighbours agree"),
    example("no", answer="No", decision=Decision.NO, settled=State.CONTRADICTED, asked=None),
    example("yes", answer="Yes", decision=Decision.YES, settled=State.ENTAILED, asked=None),
    Example(
        example_id="stall",
        dialogue=Dialogue(question="Can I have a stall at the market?"),
        rule=STALL,
        decision=Decision.INQUIRE,
        settled=(),
        asked=span("have a licence", rule=STALL),
        conditions=(span("have a licence", rule=STALL),),
    ),
)


def config_of(system: SystemName, **changes: object) -> ReaderConfig:
    fields: dict[str, object] = {
        "samples": SampleConfig(trees=(Path("trees.jsonl"),)),
        "system": system,
        "segmenter": "sentences",
        "layers": 2,
        "loop": LoopConfig(epochs=1, seed=1, threads=1),
        "max_tokens": 64,
        "batch_size": 4,
        **changes,
    }
    return ReaderConfig(**fields)  # type: ignore[arg-type]


def packer_of(backbone: Backbone, *, config: ReaderConfig) -> Packer:
    return Packer(
        PieceTokenizer(backbone.tokenizer),
        segmenter=SentenceSegmenter(),
        max_tokens=config.max_tokens,
        layout=config.model.layout,
    )


def items_of(backbone: Backbone, *, config: ReaderConfig) -> list[Item]:
    packer = packer_of(backbone, config=config)
    return [
        item_of(each, hits=(STALL, HENS), packer=packer, config=config.model) for each in EXAMPLES
    ]


def model_of(backbone: Backbone, *, config: ReaderConfig) -> TorchReaderModel:
    network = network_of(backbone.network, config=config.model)
    return TorchReaderModel(
        network.eval(), config=config.model, tokenizer=PieceTokenizer(backbone.tokenizer)
    )


def packs_of(backbone: Backbone, *, config: ReaderConfig) -> list[Packed]:
    return [item.packed for item in items_of(backbone, config=config)]
