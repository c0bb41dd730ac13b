"""A small body of rules that the tests of retrieval share."""

from __future__ import annotations

from clausewise.types import Dialogue, RuleText, Turn

RULES = (
    RuleText(
        rule_id="library-card",
        title="Library > Cards",
        text="You can have a library card if you live in the town or go to school here.",
    ),
    RuleText(
        rule_id="library-fines",
        title="Library > Fines",
        text="You pay no fine for late books while you are under 16 or were in hospital.",
    ),
    RuleText(
        rule_id="allotment",
        title="Allotments",
        text="To rent an allotment you must live in the town and be at least 18 years old.",
    ),
    RuleText(
        rule_id="allotment-hens",
        title="Allotments > Hens",
        text="You may keep hens on an allotment, but no cockerels, if your neighbours agree.",
    ),
    RuleText(
        rule_id="market-stall",
        title="Markets",
        text="A stall at the Saturday market is let to traders with a licence for street trade.",
    ),
)


def dialogue(question: str, *asked: str, scenario: str = "") -> Dialogue:
    turns = tuple(Turn(question=follow_up, answer="Yes") for follow_up in asked)
    return Dialogue(question=question, scenario=scenario, turns=turns)
