from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from clausewise.text import content_words, normalised, same_wording, sentences, stem, words


def test_sentences_end_where_readers_pause() -> None:
    text = "Row on. Don't stop!  Why?\n\nNo full stop here\n\nSee e.g. the U.S. rules, no. 5."
    assert [piece.text for piece in sentences(text)] == [
        "Row on.",
        "Don't stop!",
        "Why?",
        "No full stop here",
        "See e.g. the U.S. rules, no. 5.",
    ]


@settings(max_examples=200, deadline=None)
@given(text=st.text(max_size=80) | st.lists(st.sampled_from("aB. !?\n)'")).map("".join))
def test_sentences_and_words_cut_the_text_in_order(text: str) -> None:
    for pieces in (sentences(text), words(text)):
        end = 0
        for piece in pieces:
            assert piece.start >= end
            assert text[piece.start : piece.end] == piece.text
            end = piece.end
    kept = "".join(piece.text for piece in sentences(text))
    assert "".join(kept.split()) == "".join(text.split())


def test_wordings_are_the_same_whatever_their_case_and_punctuation() -> None:
    assert normalised("Don’t you OWN a boat?") == "don't you own a boat"
    assert same_wording("Do you own a boat?", "do you own a boat")
    assert not same_wording("Do you own a boat?", "Do you own two boats?")


@pytest.mark.parametrize(
    ("left", "right"),
    [
        ("boats", "boat"),
        ("renting", "rent"),
        ("studies", "study"),
        ("planned", "plan"),
        ("paid", "pay"),
        ("children", "child"),
        ("living", "lives"),
    ],
)
def test_forms_of_a_word_share_a_stem(left: str, right: str) -> None:
    assert stem(left) == stem(right)


def test_content_words_leave_out_the_words_that_only_build_sentences() -> None:
    assert content_words("Do you own the boat that you are renting?") == ("own", "boat", "rent")
