from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import pytest

from clausewise.askers.span import Floats, NeuralSpanFinder, SpanModelConfig, found_span
from clausewise.errors import ConfigError
from clausewise.readers.transformer.encode import Packed, Packer
from clausewise.segmenters.sentences import SentenceSegmenter
from clausewise.types import Dialogue, FoundSpan, Hit, RuleText
from tests.readers.transformer.test_encode import ASKED, HENS, STALLS, tokenizer

PACKER = Packer(tokenizer(), segmenter=SentenceSegmenter(), max_tokens=64)


@dataclass(frozen=True, slots=True, kw_only=True)
class Likes:
    """Scores tokens by their ids: what a span likes to start and to end with."""

    starts: dict[str, float]
    ends: dict[str, float]

    def scores(self, ids: Sequence[int]) -> Floats:
        names = [str(tokenizer()._tokenizer.id_to_token(one)) for one in ids]
        rows = [(self.starts.get(one, 0.0), self.ends.get(one, 0.0)) for one in names]
        return np.array(rows, np.float32)


def found(
    *rules: RuleText, starts: dict[str, float], ends: dict[str, float], dialogue: Dialogue = ASKED
) -> FoundSpan:
    finder = NeuralSpanFinder(network=Likes(starts=starts, ends=ends), packer=PACKER)
    return finder.find(dialogue, hits=[Hit(rule=rule, score=1.0) for rule in rules])


def words(one: FoundSpan) -> str:
    return one.span.cut(one.rule.text)


def test_the_span_is_the_likeliest_start_with_the_likeliest_end() -> None:
    assert words(found(HENS, starts={"keep": 2}, ends={"hens": 2})) == "keep hens"


def test_start_and_end_are_of_one_sentence() -> None:
    # The likeliest start is in the first sentence, the likeliest end in the second.
    one = found(HENS, starts={"keep": 3, "a": 2}, ends={"shed": 4, "hens": 0.5})
    assert words(one) == "a shed"


def test_an_end_before_its_start_is_none() -> None:
    one = found(HENS, starts={"shed": 3, "need": 2}, ends={"need": 3, "shed": 1.5})
    assert words(one) == "need"


def test_the_span_may_be_in_any_of_the_rule_texts() -> None:
    one = found(HENS, STALLS, starts={"charities": 2}, ends={"charities": 2})
    assert one.rule == STALLS
    assert words(one) == "charities"


def test_list_markers_are_not_asked_about() -> None:
    assert words(found(STALLS, starts={"*": 9}, ends={"traders": 9})) == "to traders"


def test_signs_and_what_the_person_said_are_no_span() -> None:
    one = found(HENS, starts={"[CLS]": 9, "i": 9, "need": 1}, ends={"[SEP]": 9, "live": 9})
    assert words(one) in HENS.text


def test_a_text_without_tokens_is_asked_about_as_a_whole() -> None:
    packed = Packed(ids=(1,), offsets=((0, 0),), pieces=(), rules=1)
    one = found_span(np.zeros((1, 2), np.float32), packed, rules=[HENS])
    assert words(one) == HENS.text


def test_the_best_pair_is_what_trying_all_pairs_finds() -> None:
    lot = np.random.default_rng(1)
    packed = PACKER.pack(ASKED, rules=[HENS, STALLS])
    for _ in range(20):
        scores = lot.normal(size=(len(packed.ids), 2)).astype(np.float32)
        pairs = [
            (float(scores[first, 0] + scores[last, 1]), unit.rule, first, last)
            for unit in packed.units
            for first in range(unit.start + 1, unit.end)
            for last in range(first, unit.end)
        ]
        _, rule, first, last = max(pairs)
        one = found_span(scores, packed, rules=[HENS, STALLS])
        assert one.rule == (HENS, STALLS)[rule]
        assert one.span.end == packed.offsets[last][1]
        # All but a list marker at its beginning.
        assert one.span.cut(one.rule.text) in one.rule.text[packed.offsets[first][0] :]


def test_the_configuration_comes_back_as_it_was_written(tmp_path: Path) -> None:
    SpanModelConfig(max_tokens=96).write(tmp_path)
    assert SpanModelConfig.read(tmp_path) == SpanModelConfig(max_tokens=96)


def test_a_folder_without_a_configuration_is_no_span_finder(tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match="is no span finder"):
        SpanModelConfig.read(tmp_path)
