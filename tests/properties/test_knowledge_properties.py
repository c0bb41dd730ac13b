from __future__ import annotations

import json

from hypothesis import given, settings
from hypothesis import strategies as st

from clausewise.errors import RuleTextError
from clausewise.knowledge.json_rules import rules_of_json
from clausewise.knowledge.markdown import rules_of_markdown
from clausewise.types import RuleText

pieces = st.sampled_from(
    ["# A", "## B", "### B {#c}", "words here", "* item", "", "", "---", "===", "```", "<!-- x -->",
     "<!--", "-->", "    # code", "1. one", "\t", "é # x", "#"]
)  # fmt: skip
pages = st.lists(pieces, min_size=1, max_size=25).map("\n".join)
words = st.text(st.characters(exclude_categories=["Cs"]), min_size=1).filter(str.strip)


def read(page: str) -> tuple[RuleText, ...]:
    """Return the rules of a page; none where something in it is not closed."""
    try:
        return rules_of_markdown(page, page="p.md", file="p.md")
    except RuleTextError:
        return ()


@settings(max_examples=150)
@given(text=pages)
def test_rules_are_slices_of_the_page_in_order_with_ids_of_their_own(text: str) -> None:
    rules = read(text)
    assert len({rule.rule_id for rule in rules}) == len(rules)
    place = 0
    for rule in rules:
        assert rule.text.strip()
        if "<!--" not in text:
            place = text.index(rule.text, place) + len(rule.text)
            assert text.split("\n")[int(rule.source.split(":")[1]) - 1] in rule.text


@settings(max_examples=60)
@given(table=st.dictionaries(words, words, max_size=5), indent=st.sampled_from([None, 2]))
def test_json_comes_out_as_it_went_in(table: dict[str, str], indent: int | None) -> None:
    rules = rules_of_json(json.dumps(table, indent=indent), page="p.json", file="p.json")
    assert [(rule.rule_id, rule.text) for rule in rules] == list(table.items())
