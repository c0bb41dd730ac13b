"""A backbone with random weights, small enough for tests."""

from __future__ import annotations

import torch
from tokenizers import Tokenizer, models, normalizers, pre_tokenizers, processors
from tokenizers.trainers import BpeTrainer
from transformers import AutoModel, BartConfig, BertConfig, PretrainedConfig, RobertaConfig

from clausewise.training.backbone import Backbone, network_from

WORDS = """can i keep hens on an allotment you may if your neighbours agree have a library card live
in the town stall at market is let to traders with licence do trade""".split()  # noqa: SIM905


def tiny_tokenizer() -> Tokenizer:
    signs = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "?", "."]
    vocabulary = {word: place for place, word in enumerate(dict.fromkeys((*signs, *WORDS)))}
    tokenizer = Tokenizer(models.WordPiece(vocabulary, unk_token="[UNK]"))
    tokenizer.normalizer = normalizers.BertNormalizer(lowercase=True)
    tokenizer.pre_tokenizer = pre_tokenizers.BertPreTokenizer()
    tokenizer.post_processor = processors.TemplateProcessing(
        single="[CLS] $A [SEP]",
        pair="[CLS] $A [SEP] $B:1 [SEP]:1",
        special_tokens=[("[CLS]", 2), ("[SEP]", 3)],
    )
    return tokenizer


def tiny_backbone(*, seed: int = 0, layers: int = 2) -> Backbone:
    torch.manual_seed(seed)
    tokenizer = tiny_tokenizer()
    config = BertConfig(
        vocab_size=tokenizer.get_vocab_size(),
        hidden_size=32,
        num_hidden_layers=layers,
        num_attention_heads=4,
        intermediate_size=64,
        max_position_embeddings=64,
        attention_probs_dropout_prob=0.0,
        initializer_range=0.2,
    )
    network = AutoModel.from_config(config, add_pooling_layer=False)
    return Backbone(network=network, tokenizer=tokenizer, hidden_size=32, layers=layers)


def tiny_roberta_tokenizer() -> Tokenizer:
    tokenizer = Tokenizer(models.BPE())
    tokenizer.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False)
    signs = ["<s>", "<pad>", "</s>", "<unk>"]
    trainer = BpeTrainer(
        vocab_size=320,
        special_tokens=signs,
        initial_alphabet=pre_tokenizers.ByteLevel.alphabet(),
        show_progress=False,
    )
    tokenizer.train_from_iterator([" ".join(WORDS)] * 4, trainer)
    return tokenizer


def tiny_roberta(*, seed: int = 0) -> Backbone:
    torch.manual_seed(seed)
    tokenizer = tiny_roberta_tokenizer()
    config = RobertaConfig(
        vocab_size=tokenizer.get_vocab_size(),
        hidden_size=32,
        num_hidden_layers=2,
        num_attention_heads=4,
        intermediate_size=64,
        max_position_embeddings=514,
        type_vocab_size=1,
        attention_probs_dropout_prob=0.0,
        initializer_range=0.2,
        pad_token_id=1,
    )
    return _backbone(config, tokenizer=tokenizer)


def tiny_bart(*, seed: int = 0) -> Backbone:
    torch.manual_seed(seed)
    tokenizer = tiny_roberta_tokenizer()
    config = BartConfig(
        vocab_size=tokenizer.get_vocab_size(),
        d_model=32,
        encoder_layers=2,
        decoder_layers=1,
        encoder_attention_heads=4,
        decoder_attention_heads=4,
        encoder_ffn_dim=64,
        decoder_ffn_dim=64,
        max_position_embeddings=512,
        init_std=0.2,
        bos_token_id=0,
        pad_token_id=1,
        eos_token_id=2,
    )
    return _backbone(config, tokenizer=tokenizer)


def _backbone(config: PretrainedConfig, *, tokenizer: Tokenizer) -> Backbone:
    return Backbone(network=network_from(config), tokenizer=tokenizer, hidden_size=32, layers=2)
