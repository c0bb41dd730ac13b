from __future__ import annotations

import sys

import pytest

from clausewise.errors import MissingExtraError
from clausewise.evaluation import bleu
from clausewise.evaluation.bleu import Pair, corpus_bleu, normalise, require_tokenizer

pytest.importorskip("spacy")


def test_text_is_lower_cased_and_cut_into_tokens() -> None:
    assert normalise("  Don't you\n\nlive in the U.K.?") == "do n't you live in the u.k. ?"


def test_the_same_text_scores_one() -> None:
    text = "do you live in the zone ?"
    assert corpus_bleu([Pair(candidate=text, reference=text)]) == pytest.approx((1.0,) * 4)


def test_every_order_is_smoothed_by_one() -> None:
    # One of two words, no pair of one: (1+1)/(2+1) and (0+1)/(1+1).
    first, second, *_ = corpus_bleu([Pair(candidate="you live", reference="you rent")])
    assert first == pytest.approx(2 / 3)
    assert second == pytest.approx((2 / 3 * 1 / 2) ** 0.5)


def test_a_word_counts_as_often_as_the_reference_has_it() -> None:
    score, *_ = corpus_bleu([Pair(candidate="the the the", reference="the zone")])
    assert score == pytest.approx((1 + 1) / (3 + 1))


def test_a_candidate_that_is_too_short_is_penalised_over_the_whole_corpus() -> None:
    pairs = [
        Pair(candidate="do you", reference="do you rent ?"),
        Pair(candidate="are you over 25 ?", reference="are you"),
    ]
    score, *_ = corpus_bleu(pairs)
    assert score == pytest.approx((4 + 1) / (7 + 1))  # 7 words against 6: no penalty
    score, *_ = corpus_bleu(pairs[:1])
    assert score == pytest.approx(2.718281828 ** (1 - 4 / 2))


def test_nothing_to_compare_scores_nothing() -> None:
    for pairs in (
        [],
        [Pair(candidate="", reference="do you ?")],
        [Pair(candidate="a", reference="")],
    ):
        assert corpus_bleu(pairs) == (0.0, 0.0, 0.0, 0.0)


def test_without_spacy_the_error_says_how_to_install_it(monkeypatch: pytest.MonkeyPatch) -> None:
    bleu._tokenizer.cache_clear()
    monkeypatch.setitem(sys.modules, "spacy.lang.en", None)
    with pytest.raises(MissingExtraError, match=r"pip install 'clausewise\[eval\]'"):
        require_tokenizer()
