from __future__ import annotations

import pytest
from tokenizers import Tokenizer, models, normalizers, pre_tokenizers

from clausewise.errors import ConfigError
from clausewise.readers.transformer.encode import MAX_TURNS, Layout, Packed, Packer, Part
from clausewise.readers.transformer.tokens import PieceTokenizer
from clausewise.segmenters.sentences import SentenceSegmenter
from clausewise.types import Dialogue, RuleText, Turn

HENS = RuleText(rule_id="hens", text="You may keep hens. You need a shed.")
STALLS = RuleText(rule_id="stalls", text="Stalls are let:\n\n* to traders\n* to charities")
LONG = RuleText(rule_id="long", text=" ".join(["word"] * 40))
ASKED = Dialogue(
    question="can i keep hens", scenario="i live here", turns=(Turn(question="shed", answer="yes"),)
)


def tokenizer(signs: tuple[str, ...] = ("[PAD]", "[CLS]", "[SEP]")) -> PieceTokenizer:
    words = "you may keep hens need a shed stalls are let to traders charities word can i live here"
    known = [*signs, "[UNK]", "yes", "no", "inquire", *words.split(), ".", ":", "*"]
    numbers = {word: place for place, word in enumerate(dict.fromkeys(known))}
    inner = Tokenizer(models.WordLevel(numbers, unk_token="[UNK]"))
    inner.normalizer = normalizers.Lowercase()
    inner.pre_tokenizer = pre_tokenizers.BertPreTokenizer()
    return PieceTokenizer(inner)


def packer(*, max_tokens: int = 64, layout: Layout = Layout.PIECES) -> Packer:
    return Packer(tokenizer(), segmenter=SentenceSegmenter(), max_tokens=max_tokens, layout=layout)


def shown(packed: Packed) -> str:
    signs = {1: "[CLS]", 2: "[SEP]"}
    inner = tokenizer()._tokenizer
    return " ".join(signs.get(one) or str(inner.id_to_token(one)) for one in packed.ids)


def test_a_start_token_stands_before_every_part_and_every_unit() -> None:
    assert shown(packer().pack(ASKED, rules=[HENS])) == (
        "[CLS] can i keep hens [CLS] i live here [CLS] shed yes "
        "[CLS] you may keep hens . [CLS] you need a shed . [SEP]"
    )


def test_the_joined_layout_has_one_start_token() -> None:
    assert shown(packer(layout=Layout.JOINED).pack(ASKED, rules=[HENS])) == (
        "[CLS] can i keep hens [SEP] i live here [SEP] shed yes [SEP] "
        "you may keep hens . you need a shed . [SEP]"
    )


def test_the_rule_stands_behind_decisions_and_question_where_it_goes_inside() -> None:
    assert shown(packer(layout=Layout.RULE_INSIDE).pack(ASKED, rules=[HENS])) == (
        "[CLS] yes no inquire [SEP] can i keep hens [SEP] you may keep hens . you need a shed . "
        "[SEP] i live here [SEP] shed yes [SEP]"
    )


def test_every_piece_begins_at_its_start_token_and_units_know_where_they_stand() -> None:
    packed = packer().pack(ASKED, rules=[HENS, STALLS])
    assert packed.rules == 2
    assert all(packed.ids[piece.start] == 1 for piece in packed.pieces)
    assert [piece.part for piece in packed.user] == [Part.QUESTION, Part.SCENARIO, Part.TURN]
    rules = (HENS, STALLS)
    assert [unit.span.cut(rules[unit.rule].text) for unit in packed.units] == [
        "You may keep hens.", "You need a shed.", "Stalls are let:", "* to traders",
        "* to charities",
    ]  # fmt: skip


def test_tokens_of_rule_texts_know_their_characters() -> None:
    packed = packer().pack(ASKED, rules=[STALLS, HENS])
    for unit in packed.units:
        text = (STALLS, HENS)[unit.rule].text
        own = packed.offsets[unit.start + 1 : unit.end]
        assert "".join(text[start:end] for start, end in own) == unit.span.cut(text).replace(
            " ", ""
        )


def test_only_whole_rule_texts_are_packed_and_none_behind_one_that_does_not_fit() -> None:
    # the dialogue takes 5 + 4 + 3 tokens and the end 1, HENS 11, STALLS 14, LONG 41
    assert packer(max_tokens=38).pack(ASKED, rules=[HENS, STALLS]).rules == 2
    assert packer(max_tokens=37).pack(ASKED, rules=[HENS, STALLS]).rules == 1
    assert packer(max_tokens=60).pack(ASKED, rules=[HENS, LONG, STALLS]).rules == 1


@pytest.mark.parametrize("layout", Layout)
def test_a_first_rule_text_that_does_not_fit_is_cut(layout: Layout) -> None:
    packed = packer(max_tokens=32, layout=layout).pack(ASKED, rules=[LONG, HENS])
    assert packed.rules == 1
    assert len(packed.ids) == 32


@pytest.mark.parametrize("layout", Layout)
def test_a_dialogue_of_any_length_leaves_room_for_a_rule_text(layout: Layout) -> None:
    turn = Turn(question="can i keep hens " * 5, answer="yes")
    talk = Dialogue(question="can i " * 50, scenario="i live here " * 90, turns=(turn,) * 40)
    packed = packer(max_tokens=128, layout=layout).pack(talk, rules=[HENS])
    assert len(packed.ids) <= 128
    assert len(packed.user) == MAX_TURNS + 2
    assert len(packed.units) == 2


def test_the_gold_rule_goes_first_where_it_was_not_retrieved() -> None:
    _, rules = packer().pack_with(ASKED, rules=[STALLS], gold=HENS)
    assert rules == (HENS, STALLS)


def test_the_gold_rule_keeps_its_rank_where_it_was_retrieved() -> None:
    _, rules = packer().pack_with(ASKED, rules=[STALLS, HENS], gold=HENS)
    assert rules == (STALLS, HENS)


def test_the_gold_rule_goes_first_where_it_was_retrieved_but_did_not_fit() -> None:
    packed, rules = packer(max_tokens=37).pack_with(ASKED, rules=[STALLS, HENS], gold=HENS)
    assert rules == (HENS,)
    assert packed.rules == 1


def test_a_rule_text_without_words_is_one_unit() -> None:
    packed = packer().pack(ASKED, rules=[RuleText(rule_id="blank", text=" \n ")])
    assert len(packed.units) == 1


def test_signs_of_roberta_do_as_well() -> None:
    pieces = tokenizer(("<pad>", "<s>", "</s>"))
    packed = Packer(pieces, segmenter=SentenceSegmenter(), max_tokens=64).pack(ASKED, rules=[HENS])
    assert (packed.ids[0], packed.ids[-1]) == (1, 2)


def test_a_tokenizer_without_signs_is_refused() -> None:
    with pytest.raises(ConfigError, match=r"\[CLS\], <s>"):
        tokenizer(("[PAD]", "[OPEN]"))
