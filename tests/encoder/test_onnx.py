from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from clausewise.encoder.onnx import EncoderConfig, OnnxEncoder
from clausewise.encoder.places import shipped_model, vector_cache
from clausewise.errors import ConfigError

CONFIG = EncoderConfig(dimensions=4, max_tokens=8)
shipped = pytest.mark.skipif(shipped_model("retriever") is None, reason="no model is here")


@pytest.fixture(scope="module")
def encoder() -> OnnxEncoder:
    folder = shipped_model("retriever")
    assert folder is not None
    return OnnxEncoder.load(folder)


def test_a_configuration_is_read_as_it_was_written(tmp_path: Path) -> None:
    CONFIG.write(tmp_path)
    assert EncoderConfig.read(tmp_path) == CONFIG


@pytest.mark.parametrize("content", ["", "[]", "{}", '{"dimensions": 1, "max_tokens": 2, "x": 3}'])
def test_a_configuration_that_cannot_be_read_names_its_file(tmp_path: Path, content: str) -> None:
    (tmp_path / "config.json").write_text(content, "utf-8")
    with pytest.raises(ConfigError, match=r"config\.json"):
        OnnxEncoder.load(tmp_path)


def test_another_format_is_refused(tmp_path: Path) -> None:
    EncoderConfig(dimensions=4, max_tokens=8, format=99).write(tmp_path)
    with pytest.raises(ConfigError, match="format: is 99, expected 1"):
        EncoderConfig.read(tmp_path)


def test_a_folder_without_a_model_is_refused(tmp_path: Path) -> None:
    CONFIG.write(tmp_path)
    with pytest.raises(ConfigError, match=r"model\.onnx"):
        OnnxEncoder.load(tmp_path)


def test_a_model_that_is_not_there_has_no_folder() -> None:
    assert shipped_model("unheard-of") is None


def test_a_body_of_rules_has_its_own_cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CLAUSEWISE_CACHE", str(tmp_path))
    assert vector_cache(["a", "b"]).is_relative_to(tmp_path)
    assert vector_cache(["a", "b"]) == vector_cache(["a", "b"])
    assert vector_cache(["a", "b"]) != vector_cache(["a"])


@shipped
def test_a_batch_equals_one_by_one(encoder: OnnxEncoder) -> None:
    texts = ["Can I keep hens?", "", "a" * 5000, "Do your neighbours agree to hens?"]
    together = encoder.encode(texts)
    assert together.dtype == np.float32
    assert together.shape == (4, encoder.dimensions)
    for text, vector in zip(texts, together, strict=True):
        assert np.array_equal(encoder.encode([text])[0], vector)


@shipped
def test_vectors_have_length_1(encoder: OnnxEncoder) -> None:
    assert np.linalg.norm(encoder.encode(["hens", "market"]), axis=1) == pytest.approx([1, 1])


@shipped
def test_what_was_handed_out_can_be_changed_without_harm(encoder: OnnxEncoder) -> None:
    before = encoder.encode(["hens"])
    encoder.encode(["hens"])[:] = 0
    assert np.array_equal(encoder.encode(["hens"]), before)


@shipped
def test_texts_that_mean_the_same_are_near(encoder: OnnxEncoder) -> None:
    hens, chickens, taxes = encoder.encode(
        ["Can I keep hens?", "Am I allowed to have chickens?", "Do I pay taxes on my pension?"]
    )
    assert hens @ chickens > hens @ taxes


@shipped
def test_nothing_has_no_vectors(encoder: OnnxEncoder) -> None:
    assert encoder.encode([]).shape == (0, encoder.dimensions)
