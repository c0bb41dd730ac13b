from __future__ import annotations

import pytest

from clausewise.retrievers.words import as_stated, content_stems, drqa_terms, stemmed_terms


def test_drqa_terms_are_words_and_pairs_of_neighbours() -> None:
    assert drqa_terms("Free school meals") == [
        "free", "school", "meals", "free school", "school meals",
    ]  # fmt: skip


def test_drqa_pairs_do_not_reach_over_stop_words_and_punctuation() -> None:
    assert drqa_terms("rent and meals, school") == ["rent", "meals", "school"]


def test_drqa_keeps_signs_that_are_no_punctuation() -> None:
    assert drqa_terms("£50 fee") == ["£", "50", "fee", "£ 50", "50 fee"]


def test_drqa_splits_an_underscore_off_but_keeps_accents_with_their_letters() -> None:
    assert drqa_terms("rest_room") == ["rest", "room"]
    assert drqa_terms("café") == ["cafe\u0301"]


def test_drqa_ignores_control_characters() -> None:
    assert drqa_terms("tax\u200b\tyear") == ["tax", "year", "tax year"]


def test_stems_make_inflected_words_equal() -> None:
    assert stemmed_terms("renting allotments") == stemmed_terms("rent allotment")


def test_a_pair_needs_one_word_that_says_something() -> None:
    terms = stemmed_terms("you are in receipt of it")
    assert "in receipt" in terms
    assert "receipt of" in terms
    assert "you are" not in terms


def test_content_stems_leave_stop_words_out() -> None:
    assert content_stems("Can you rent the allotments?") == ["rent", "allotment"]


def test_a_text_without_words_has_no_terms() -> None:
    assert stemmed_terms(" ?! ") == drqa_terms(" ?! ") == content_stems("") == []


@pytest.mark.parametrize(
    ("question", "stated"),
    [
        ("Can I register?", "you can register"),
        ("Do I pay for my vehicle?", "you pay for your vehicle"),
        ("Am I eligible?", "you are eligible"),
        ("Could we get help?", "you could get help"),
        ("I'm new. May I join?", "you are new you may join"),
        ("Is the grant for me?", "is the grant for you"),
        ("What about hens?", "what about hens"),
        ("Can I?", "can you"),
        ("", ""),
    ],
)
def test_a_question_is_put_as_a_rule_would_state_it(question: str, stated: str) -> None:
    assert as_stated(question) == stated


def test_a_question_put_as_a_statement_shares_its_pairs_with_the_rule() -> None:
    rule = stemmed_terms("If you have no account, you can register for one.")
    assert "can register" in stemmed_terms(as_stated("Can I register?"))
    assert "can register" in rule
