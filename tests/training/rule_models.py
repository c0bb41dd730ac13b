from __future__ import annotations

from typing import TYPE_CHECKING

from tokenizers import Tokenizer, models, normalizers, pre_tokenizers, processors
from transformers import BertConfig, BertModel

from clausewise.training.backbone import Backbone
from clausewise.trees.logic import parse_logic
from clausewise.trees.tree import Outcome, RuleTree
from clausewise.trees.values import Condition, Span

if TYPE_CHECKING:
    from collections.abc import Sequence

SHORT = "You can park here if you own a car and live in the street."
LONG = "To join the club you must:\n\n* be over 18\n* have paid the fee, unless you are a student"


def tree_of(text: str, *, logic: str, parts: Sequence[tuple[str, str]]) -> RuleTree:
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
    tree_of(
        SHORT,
        logic="a and b",
        parts=[("own a car", "Do you own a car?"), ("live in the street", "Do you live there?")],
    ),
    tree_of(
        LONG,
        logic="a and (b or c)",
        parts=[
            ("be over 18", "Are you over 18?"),
            ("have paid the fee", "Have you paid the fee?"),
            ("you are a student", "Are you a student?"),
        ],
    ),
)


def tiny_backbone() -> Backbone:
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
