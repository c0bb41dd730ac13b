from __future__ import annotations

from clausewise.structure.layout import Kind
from clausewise.structure.passages import passages, without_marker

TEXT = "## Kayaks\n\nYou can row. Bring a card if:\n\n* you're 16\n* you swim. Ask us."


def test_headings_sentences_and_items_are_passages_with_their_markers() -> None:
    assert [(part.kind, part.span.cut(TEXT)) for part in passages(TEXT)] == [
        (Kind.HEADING, "## Kayaks"),
        (Kind.PROSE, "You can row."),
        (Kind.PROSE, "Bring a card if:"),
        (Kind.ITEM, "* you're 16"),
        (Kind.ITEM, "* you swim."),
        (Kind.ITEM, "Ask us."),
    ]


def test_markers_can_be_taken_off() -> None:
    bare = [without_marker(part.span, text=TEXT).cut(TEXT) for part in passages(TEXT)]
    assert bare[0] == "Kayaks"
    assert bare[2:4] == ["Bring a card if:", "you're 16"]


def test_a_text_without_words_has_no_passages() -> None:
    assert passages(" \n\t") == ()
