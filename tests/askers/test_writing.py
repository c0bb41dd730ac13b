from __future__ import annotations

import pytest

from clausewise.askers.copying import Source
from clausewise.askers.writing import Written, question_words, spelled
from clausewise.structure.wording import Wording, lowered

RULE = Wording.of("You can get £113.50 (tax-free) if you’ve lived in Wales’s valleys.")


def _copied(words: list[str]) -> list[Written]:
    places = {lowered(word.text): place for place, word in enumerate(RULE.words)}
    return [Written(word=word, place=places.get(word)) for word in words]


@pytest.mark.parametrize(
    ("words", "expected"),
    [
        (
            ["have", "you", "lived", "in", "wales", "'s", "valleys"],
            "Have you lived in Wales’s valleys?",
        ),
        (["is", "it", "£", "113.50", "(", "tax", "-", "free", ")"], "Is it £113.50 (tax-free)?"),
        (["do", "you", "live", "here", ",", "too"], "Do you live here, too?"),
    ],
)
def test_copied_words_keep_their_letters_and_spaces(words: list[str], expected: str) -> None:
    assert spelled(_copied(words), wording=RULE) == expected


def test_a_question_is_read_without_its_mark() -> None:
    assert question_words("Don't you live there ?") == ["do", "n't", "you", "live", "there"]


def test_the_word_behind_the_last_copied_one_is_marked() -> None:
    source = Source.of(Wording.of("if you lived in Wales or lived in Kent"))
    places = source.places(first=5, last=8)

    signs = source.signs(source.numbers(["did", "you", "lived"]), places=places)

    assert signs[:, 0].nonzero()[0].tolist() == [3, 7]
    assert signs[:, 3].nonzero()[0].tolist() == [7]


def test_a_base_form_counts_as_the_word() -> None:
    source = Source.of(Wording.of("a person who lives in Wales"))
    places = source.places(first=3, last=6)

    taken = source.taken(source.numbers(["does", "live"]), places=places)

    assert taken.argmax() == 3
    assert taken.sum() == pytest.approx(1.0)
