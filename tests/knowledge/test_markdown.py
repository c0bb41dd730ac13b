from __future__ import annotations

import pytest

from clausewise.errors import RuleTextError
from clausewise.knowledge.markdown import rules_of_markdown, slug
from clausewise.types import RuleText

PAGE = """\
# Allotments

Plots are let by the year.

## Hens

### Numbers

You may keep six hens.


### Cockerels

You can't keep cockerels.
"""


def rules(text: str) -> tuple[RuleText, ...]:
    return rules_of_markdown(text, page="town/allotments.md", file="town/allotments.md")


def ids(text: str) -> list[str]:
    return [rule.rule_id for rule in rules(text)]


def test_every_heading_with_a_body_is_a_rule() -> None:
    assert [rule.text for rule in rules(PAGE)] == [
        "# Allotments\n\nPlots are let by the year.",
        "### Numbers\n\nYou may keep six hens.",
        "### Cockerels\n\nYou can't keep cockerels.",
    ]


def test_ids_come_from_the_headings_below_the_page_title() -> None:
    assert ids(PAGE) == [
        "town/allotments#allotments",
        "town/allotments#hens/numbers",
        "town/allotments#hens/cockerels",
    ]


def test_titles_are_the_headings_from_the_page_down() -> None:
    assert [rule.title for rule in rules(PAGE)] == [
        "Allotments",
        "Allotments > Hens > Numbers",
        "Allotments > Hens > Cockerels",
    ]


def test_sources_name_page_and_line() -> None:
    assert [rule.source for rule in rules(PAGE)] == [
        "town/allotments.md:1",
        "town/allotments.md:7",
        "town/allotments.md:12",
    ]


def test_white_space_inside_a_rule_stays_as_it_is() -> None:
    (rule,) = rules("## A\n\n  one  \n\n\n* two\t\n\n")
    assert rule.text == "## A\n\n  one  \n\n\n* two\t"


def test_an_explicit_id_is_the_whole_id() -> None:
    assert ids("# P\n## Second permit {#second}\nbody") == ["second"]


def test_repeated_headings_get_numbers() -> None:
    assert ids("# P\n## A\nx\n## A\ny\n## A 2\nz\n## A\nw") == [
        "town/allotments#a",
        "town/allotments#a-2",
        "town/allotments#a-2-2",
        "town/allotments#a-3",
    ]


def test_repeated_explicit_ids_are_an_error_with_both_lines() -> None:
    with pytest.raises(RuleTextError, match=r"allotments\.md:3: the id 'x' stands on line 1"):
        rules("# A {#x}\nbody\n## B {#x}\nbody")


def test_a_file_without_headings_is_one_rule() -> None:
    (rule,) = rules("\nYou may keep hens.\n\nBut no cockerels.\n")
    assert rule.rule_id == "town/allotments"
    assert rule.text == "You may keep hens.\n\nBut no cockerels."
    assert (rule.title, rule.source) == ("", "town/allotments.md:2")


def test_text_before_the_first_heading_is_not_lost() -> None:
    assert ids("Valid from May.\n\n# A\n\nbody") == ["town/allotments", "town/allotments#a"]


def test_headings_without_bodies_are_no_rules() -> None:
    assert ids("# A\n\n## B\n\nC\n---\n") == []


def test_a_page_with_two_top_headings_uses_the_ones_below() -> None:
    assert ids("# A\n## C\nx\n# B\n## D\ny") == ["town/allotments#c", "town/allotments#d"]


def test_a_section_of_hundreds_of_words_is_cut_at_blank_lines() -> None:
    paragraph = " ".join(["word"] * 150)
    text = f"# A\n\n## B\n\n{paragraph}\n\n{paragraph}\n\n{paragraph}\n"
    found = rules(text)
    assert [rule.rule_id for rule in found] == [f"town/allotments#b/{n}" for n in (1, 2)]
    assert [rule.title for rule in found] == ["A > B", "A > B"]
    assert [rule.source for rule in found] == ["town/allotments.md:3", "town/allotments.md:7"]
    assert found[0].text == f"## B\n\n{paragraph}"
    assert found[1].text == f"{paragraph}\n\n{paragraph}"


def test_a_list_stays_with_the_sentence_that_introduces_it() -> None:
    paragraph = " ".join(["word"] * 200)
    listing = "You must be:\n\n* " + "\n\n* ".join([" ".join(["item"] * 60)] * 4)
    assert [rule.text for rule in rules(f"{paragraph}\n\n{listing}\n\n{paragraph}")] == [
        paragraph, listing, paragraph,
    ]  # fmt: skip


def test_a_rule_as_long_as_a_book_is_an_error() -> None:
    text = "# A\n\n## B\n\n" + "word\n\n" * 100_000
    with pytest.raises(RuleTextError, match=r"allotments\.md:3: a rule text of 100,002 words"):
        rules(text)


@pytest.mark.parametrize(
    ("heading", "expected"),
    [
        ("Who can’t apply?", "who-can-t-apply"),
        ("  £50 – fees & fines ", "50-fees-fines"),
        ("Über_uns", "über-uns"),
        ("???", "section"),
    ],
)
def test_a_slug_keeps_letters_and_digits(heading: str, expected: str) -> None:
    assert slug(heading) == expected
