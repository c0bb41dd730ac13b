from __future__ import annotations

import pytest

from clausewise.errors import RuleTextError
from clausewise.knowledge.layout import Heading, Line, lay_out


def lines(text: str) -> tuple[Line, ...]:
    return lay_out(text, file="page.md")


def headings(text: str) -> list[tuple[int, str]]:
    return [(line.heading.level, line.heading.title) for line in lines(text) if line.heading]


def visible(text: str) -> list[str]:
    return [line.text for line in lines(text)]


def test_marks_make_headings_of_six_levels() -> None:
    assert headings("# One\n###### Six\n####### Seven\n#No\n") == [(1, "One"), (6, "Six")]


def test_closing_marks_and_white_space_are_no_part_of_a_title() -> None:
    assert headings("##   Fees ##  ") == [(2, "Fees")]
    assert headings("## C#") == [(2, "C#")]


def test_underlined_titles_are_headings() -> None:
    assert headings("Page\n====\n\nFees\n----\n\nbody") == [(1, "Page"), (2, "Fees")]


@pytest.mark.parametrize(
    "text", ["a\nb\n---", "- item\n---", "\n---", "> quote\n===", "# H\n\n---"]
)
def test_a_line_below_something_else_underlines_nothing(text: str) -> None:
    assert [heading for heading in headings(text) if heading[1] != "H"] == []


def test_an_explicit_id_is_no_part_of_the_title() -> None:
    (line,) = lines("## Second permit {#second-permit}")
    assert line.heading == Heading(level=2, title="Second permit", explicit_id="second-permit")
    assert line.text == "## Second permit {#second-permit}"


def test_what_stands_in_a_code_fence_is_no_heading() -> None:
    assert headings("```\n# no\n```\n~~~ sh\n# no\n```\n~~~\n# yes") == [(1, "yes")]


def test_a_shorter_fence_does_not_close_a_longer_one() -> None:
    assert headings("````\n```\n# no\n````\n# yes") == [(1, "yes")]


def test_comments_are_no_rule_text() -> None:
    assert visible("a\n<!-- one -->\nb <!-- two --> c\n<!--\n# three\n-->\nd") == [
        "a", "b  c", "d",
    ]  # fmt: skip


def test_a_comment_in_a_code_fence_is_code() -> None:
    assert visible("```\n<!-- x\n```\nb") == ["```", "<!-- x", "```", "b"]


def test_front_matter_is_no_rule_text() -> None:
    assert visible("---\ntitle: x\n---\n# Page") == ["# Page"]
    assert visible("---\ntitle: x") == ["---", "title: x"]


def test_lines_know_their_numbers_in_the_file() -> None:
    found = lines("---\nx: y\n---\n<!--\n\n-->\n# Page")
    assert [line.number for line in found] == [7]


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("a\nb <!-- c\nd", r"page\.md:2: a comment starts here and never ends, expected -->"),
        ("a\n\n```\nb", r"page\.md:3: a code block starts here and never ends, expected ```"),
    ],
)
def test_what_is_never_closed_is_an_error_where_it_starts(text: str, message: str) -> None:
    with pytest.raises(RuleTextError, match=message):
        lines(text)
