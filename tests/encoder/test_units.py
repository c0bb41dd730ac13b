from __future__ import annotations

import json
from pathlib import Path

import pytest
from tokenizers import Tokenizer, models, normalizers, pre_tokenizers, processors

from clausewise.encoder.units import UnitConfig, stretches
from clausewise.errors import ConfigError


def tokenizer() -> Tokenizer:
    pieces = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "row", "##ing", "if", "moor"]
    made = Tokenizer(models.WordPiece({p: n for n, p in enumerate(pieces)}, unk_token="[UNK]"))
    made.normalizer = normalizers.BertNormalizer()
    made.pre_tokenizer = pre_tokenizers.BertPreTokenizer()
    made.post_processor = processors.BertProcessing(("[SEP]", 3), ("[CLS]", 2))
    return made


def test_every_word_has_the_place_of_its_first_piece() -> None:
    (pieces,) = stretches(["Rowing", "if", "moor"], tokenizer=tokenizer(), max_tokens=16)
    assert pieces.ids == (2, 4, 5, 6, 7, 3)
    assert pieces.firsts == (1, 3, 4)


def test_long_sentences_come_in_stretches_that_keep_words_whole() -> None:
    parts = list(stretches(["rowing"] * 3, tokenizer=tokenizer(), max_tokens=6))
    assert [part.ids for part in parts] == [(2, 4, 5, 4, 5, 3), (2, 4, 5, 3)]
    assert [part.firsts for part in parts] == [(1, 3), (1,)]


def test_a_word_longer_than_the_limit_is_cut() -> None:
    parts = list(stretches(["rowinging", "if"], tokenizer=tokenizer(), max_tokens=4))
    assert [part.ids for part in parts] == [(2, 4, 5, 3), (2, 6, 3)]


def test_signs_that_the_tokenizer_drops_keep_a_place() -> None:
    parts = list(stretches(["\x00", "row", "\x00"], tokenizer=tokenizer(), max_tokens=8))
    assert [part.firsts for part in parts] == [(0, 1, 1)]


def test_no_words_make_no_stretch() -> None:
    assert list(stretches([], tokenizer=tokenizer(), max_tokens=8)) == []


def test_the_configuration_comes_back_as_it_was_written(tmp_path: Path) -> None:
    UnitConfig(max_tokens=96, threshold=0.4).write(tmp_path)
    assert UnitConfig.read(tmp_path) == UnitConfig(max_tokens=96, threshold=0.4)


def test_a_configuration_of_another_format_is_refused(tmp_path: Path) -> None:
    (tmp_path / "config.json").write_text(json.dumps({"max_tokens": 9, "format": 99}), "utf-8")
    with pytest.raises(ConfigError, match=r"config\.json: format: is 99, expected 1"):
        UnitConfig.read(tmp_path)


def test_a_folder_without_a_configuration_is_no_segmenter(tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match="is no segmenter"):
        UnitConfig.read(tmp_path)
