from __future__ import annotations

from clausewise.structure.layout import MAX_LEVEL, Kind, blocks


def shown(text: str) -> list[tuple[str, str, int, int | None]]:
    return [
        (block.kind.value, block.span.cut(text), block.level, block.parent)
        for block in blocks(text)
    ]


def test_headings_prose_and_items_lose_their_markers() -> None:
    text = "## Boats\n\nYou must:\n\n* row\n* sail\n"
    assert shown(text) == [
        ("heading", "Boats", 0, None),
        ("prose", "You must:", 0, None),
        ("item", "row", 1, 1),
        ("item", "sail", 1, 1),
    ]


def test_an_item_of_an_inner_list_belongs_to_the_item_above() -> None:
    for text in ("Do:\n* one of:\n  * row\n* sail", "Do:\n* one of:\n** row\n* sail"):
        assert [level for _, _, level, _ in shown(text)] == [0, 1, 2, 1]
        assert [parent for _, _, _, parent in shown(text)] == [None, 0, 1, 0]


def test_letters_and_numbers_mark_items() -> None:
    assert [kind for kind, *_ in shown("Do:\n(a) row\n2. sail\n- swim")] == ["prose"] + ["item"] * 3


def test_a_dash_in_a_line_and_bold_words_mark_none() -> None:
    assert [kind for kind, *_ in shown("row - then sail\n\n**Row** well")] == ["prose", "prose"]


def test_lists_nest_only_so_deep() -> None:
    text = "\n".join(f"{' ' * place}* row" for place in range(200))
    found = blocks(text)
    assert max(block.level for block in found) == MAX_LEVEL
    assert all(block.kind is Kind.ITEM for block in found)
