from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import pytest
from tokenizers import Tokenizer, models, normalizers, pre_tokenizers, processors

from clausewise.askers.editor import (
    LONGEST,
    EditorAsker,
    EditorConfig,
    EditSource,
    Floats,
    Side,
)
from clausewise.askers.writing import BEGIN, END, UNKNOWN
from clausewise.errors import ConfigError
from clausewise.trees.values import Span
from clausewise.types import RuleText

TEXT = "You may row.\n\n* Your club must own the boat.\n* You swim"
CONFIG = EditorConfig(vocabulary=(BEGIN, END, UNKNOWN, "is", "it", "true", "that", "today"))


def tokenizer() -> Tokenizer:
    pieces = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "you", "club", "bo", "##at", "swim"]
    made = Tokenizer(models.WordPiece({p: n for n, p in enumerate(pieces)}, unk_token="[UNK]"))
    made.normalizer = normalizers.BertNormalizer()
    made.pre_tokenizer = pre_tokenizers.BertPreTokenizer()
    made.post_processor = processors.BertProcessing(("[SEP]", 3), ("[CLS]", 2))
    return made


@dataclass(frozen=True, slots=True, kw_only=True)
class Recites:
    """Writes the same words whatever it reads; its state is how many it has written."""

    words: Mapping[Side, tuple[str, ...]]

    def begin(self, source: EditSource) -> tuple[Floats, Mapping[Side, Floats]]:
        start = np.zeros((1, 1), np.float32)
        return np.zeros((1, len(source.ids), 1), np.float32), {"before": start, "after": start}

    def step(
        self, side: Side, *, memory: Floats, state: Floats, word: int
    ) -> tuple[Floats, Floats]:
        assert memory.ndim == 3
        assert 0 <= word < len(CONFIG.vocabulary)
        wanted = (*self.words[side], END)[int(state[0, 0])]
        scores = np.array([float(each == wanted) for each in CONFIG.vocabulary], np.float32)
        # What must never be written is what is likeliest.
        scores[[0, 2]] = 9
        return scores, state + 1


def asked(words: str, *, before: tuple[str, ...] = (), after: tuple[str, ...] = ()) -> str:
    edits = Recites(words={"before": before, "after": after})
    start = TEXT.index(words)
    span = Span(start=start, end=start + len(words))
    asker = EditorAsker(edits, tokenizer=tokenizer(), config=CONFIG)
    return asker.ask(span, rule=RuleText(rule_id="r", text=TEXT))


def test_words_are_written_around_those_of_the_rule() -> None:
    question = asked("Your club must own the boat.", before=("is", "it", "true"), after=("today",))
    assert question == "Is it true your club must own the boat today?"


def test_nothing_need_be_written() -> None:
    assert asked("You swim") == "You swim?"


def test_a_side_ends_after_ten_words() -> None:
    question = asked("swim", after=("that",) * 30)
    assert question.count("that") == LONGEST


def test_a_span_without_a_word_is_asked_about_in_general() -> None:
    edits = Recites(words={"before": (), "after": ()})
    asker = EditorAsker(edits, tokenizer=tokenizer(), config=CONFIG)
    rule = RuleText(rule_id="r", text=TEXT)
    assert asker.ask(Span(start=12, end=13), rule=rule) == "Does this apply to you?"


def test_the_pieces_of_the_words_asked_about_are_marked() -> None:
    start = TEXT.index("boat")
    source = EditSource.of(Span(start=start, end=start + 4), text=TEXT, tokenizer=tokenizer())
    assert source is not None
    assert [piece for piece, inside in zip(source.ids, source.inside, strict=True) if inside] == [
        6,
        7,
    ]


def test_far_words_of_a_long_text_are_not_read() -> None:
    text = f"{'row ' * 500}swim{' row' * 500}"
    span = Span(start=2000, end=2004)
    source = EditSource.of(span, text=text, tokenizer=tokenizer())
    assert source is not None
    assert len(source.wording.words) == 121
    assert [word.word for word in source.between] == ["swim"]


def test_the_configuration_comes_back_as_it_was_written(tmp_path: Path) -> None:
    CONFIG.write(tmp_path)
    assert EditorConfig.read(tmp_path) == CONFIG


def test_a_folder_without_a_configuration_is_no_editor(tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match="is no editor"):
        EditorConfig.read(tmp_path)
