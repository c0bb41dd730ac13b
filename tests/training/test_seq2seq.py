from __future__ import annotations

from pathlib import Path

import pytest

torch = pytest.importorskip("torch")
pytest.importorskip("transformers")

from tokenizers import Tokenizer, models, pre_tokenizers  # noqa: E402
from transformers import (  # noqa: E402
    BartConfig,
    BartForConditionalGeneration,
    PreTrainedTokenizerFast,
)

from clausewise.config import read_config  # noqa: E402
from clausewise.training.loop import LoopConfig  # noqa: E402
from clausewise.training.manifest import Manifest  # noqa: E402
from clausewise.training.seq2seq import Seq2SeqAsker, Seq2SeqConfig, train_seq2seq  # noqa: E402
from clausewise.trees.values import Span  # noqa: E402
from clausewise.types import RuleText  # noqa: E402

TREE = (
    '{"tree_id": "t", "rule": "You can park if you own a car.", "topic": "parking", '
    '"questions": ["Can I park?"], "conditions": {"a": {"question": "Do you own a car?", '
    '"paraphrases": [], "span": [16, 29], "text": "you own a car", "yes": ["Yes."], '
    '"no": ["No."]}}, "logic": "a"}\n'
)


def _save_model(folder: Path) -> None:
    words = [
        "<pad>",
        "<s>",
        "</s>",
        "<unk>",
        *["You", "can", "park", "if", "you", "own", "a", "car", ".", "Do", "?", "[", "]", "SEP"],
    ]
    vocabulary = {word: number for number, word in enumerate(dict.fromkeys(words))}
    tokenizer = Tokenizer(models.WordLevel(vocabulary, unk_token="<unk>"))
    tokenizer.pre_tokenizer = pre_tokenizers.Whitespace()
    PreTrainedTokenizerFast(
        tokenizer_object=tokenizer, pad_token="<pad>", bos_token="<s>", eos_token="</s>",
        unk_token="<unk>",
    ).save_pretrained(folder)  # fmt: skip
    config = BartConfig(
        vocab_size=len(vocabulary), d_model=16, encoder_layers=1, decoder_layers=1,
        encoder_attention_heads=2, decoder_attention_heads=2, encoder_ffn_dim=16,
        decoder_ffn_dim=16, max_position_embeddings=64, pad_token_id=0, bos_token_id=1,
        eos_token_id=2, decoder_start_token_id=2, forced_eos_token_id=2,
    )  # fmt: skip
    BartForConditionalGeneration(config).save_pretrained(folder)


def test_the_shipped_configuration_loads() -> None:
    shipped = Path(__file__).parents[2] / "configs" / "train-seq2seq.toml"
    assert read_config(shipped, Seq2SeqConfig).model == "facebook/bart-base"


def test_a_model_at_a_path_is_trained_and_asks_the_same_when_it_is_read_again(
    tmp_path: Path,
) -> None:
    _save_model(tmp_path / "model")
    (tmp_path / "trees.jsonl").write_text(TREE, "utf-8")
    loop = LoopConfig(epochs=1, learning_rate=1e-3, threads=1)
    config = Seq2SeqConfig(
        model=str(tmp_path / "model"), trees=(Path("trees.jsonl"),), loop=loop, longest=8
    )

    report = train_seq2seq(config, folder=tmp_path / "out", data=tmp_path)

    again = Seq2SeqConfig(model=str(tmp_path / "out"), trees=(), longest=8)
    rule = RuleText(rule_id="r", text="You can park if you own a car.")
    span = Span(start=16, end=29)
    asked = [Seq2SeqAsker.load(again).ask(span, rule=rule) for _ in range(2)]
    assert report.epochs[0].loss > 0
    assert Manifest.read(tmp_path / "out").scores == report.scores
    assert asked[0] == asked[1]
