from __future__ import annotations

from dataclasses import dataclass

import pytest

from clausewise.askers.template import TemplateAsker
from clausewise.compiler.cues import CueCompiler, key_of
from clausewise.segmenters.clauses import ClauseSegmenter
from clausewise.trees.logic import format_logic
from clausewise.trees.tree import RuleTree
from clausewise.trees.values import Span
from clausewise.types import RuleText


@dataclass(frozen=True, slots=True, kw_only=True)
class NothingFound:
    """A segmenter that finds no condition."""

    def segment(self, text: str) -> tuple[Span, ...]:
        del text
        return ()


def compiled(text: str) -> RuleTree:
    compiler = CueCompiler(segmenter=ClauseSegmenter(), asker=TemplateAsker())
    return compiler.compile(RuleText(rule_id="boats#mooring", text=text, title="Boats > Mooring"))


LOGICS = {
    "You can moor here if you own a boat.": "a",
    "You can't moor here if you owe a fee.": "not a",
    "You cannot moor here unless you own a boat.": "a",
    "You can moor here unless the harbour is closed.": "not a",
    "You can moor here if you own a boat, unless the harbour is closed.": "a and not b",
    "You can't moor here if you owe a fee, unless you have an agreement.": "not a or b",
    "You can moor here if you own a boat and you have insured it.": "a and b",
    "You can moor here if you own a boat or you have borrowed one.": "a or b",
    "You must:\n* own a boat\n* hold a card": "a and b",
    "You can moor here if you:\n* own a boat\n* hold a card": "a or b",
    "You can moor here if you:\n* own a boat, and\n* hold a card": "a and b",
    "You must meet one of these conditions:\n* you own a boat\n* you hold a card": "a or b",
    "All of the following must apply:\n* you own a boat\n* you hold a card": "a and b",
    "Bring at least two of:\n* a card\n* a letter\n* a key": "atleast(2, a, b, c)",
    "None of these may apply:\n* you owe a fee\n* you sold the boat": "not (a or b)",
    "You can't moor here if you:\n* owe a fee\n* sold the boat": "not (a or b)",
    "You can moor here unless:\n* it is dark\n* the harbour is closed": "not (a or b)",
    "You must:\n* own a boat\n* have one of:\n  * a card\n  * a letter": "a and (b or c)",
    "You qualify if you are 16 or over and you:\n* own a boat\n* hold a card": "a and b and c",
    "You must pay if you stay a night. You do not have to pay if you live here.": "a and not b",
    "You must pay if you stay a night. You won't have to pay if you live here.": "a and not b",
    "You can moor here if you own a boat. You can't stay if you owe a fee.": "a and not b",
    "You can moor here if you own a boat. You can also stay if you hold a card.": "a or b",
    "You must hold a card if you row. This does not apply if you are a guest.": "a or b",
}


@pytest.mark.parametrize(("text", "logic"), LOGICS.items())
def test_cue_words_give_the_logic(text: str, logic: str) -> None:
    assert format_logic(compiled(text).logic) == logic


def test_the_draft_carries_the_rule_and_a_question_for_each_condition() -> None:
    tree = compiled("You can moor here if you own a boat.")
    assert (tree.rule_id, tree.topic) == ("boats#mooring", "Mooring")
    assert tree.conditions[0].text == "you own a boat"
    assert tree.conditions[0].question == "Do you own a boat?"


def test_the_whole_rule_is_the_condition_where_nothing_is_found() -> None:
    compiler = CueCompiler(segmenter=NothingFound(), asker=TemplateAsker())
    tree = compiler.compile(RuleText(rule_id="r", text="# Moorings"))
    assert [condition.text for condition in tree.conditions] == ["# Moorings"]


def test_keys_go_on_after_z() -> None:
    assert [key_of(place) for place in (0, 25, 26, 52)] == ["a", "z", "a1", "a2"]
