from __future__ import annotations

import json

import pytest

from clausewise.errors import RuleTextError
from clausewise.knowledge.json_rules import rules_of_json
from clausewise.types import RuleText


def rules(text: str) -> tuple[RuleText, ...]:
    return rules_of_json(text, page="rules.json", file="rules.json")


def test_every_entry_is_a_rule_with_its_line() -> None:
    assert rules('{\n  "a": "One.",\n\n  "b/2": "Two\\n\\n* x"\n}') == (
        RuleText(rule_id="a", text="One.", source="rules.json:2"),
        RuleText(rule_id="b/2", text="Two\n\n* x", source="rules.json:4"),
    )


def test_an_object_on_one_line_is_read_as_well() -> None:
    table = {'quote " and \\': "brace } , :", "é": "{"}
    assert {rule.rule_id: rule.text for rule in rules(json.dumps(table))} == table


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ('{\n"a": "x",\n"a": "y"}', r"rules\.json:3: the id 'a' stands on line 2 already"),
        ('{\n"a": 5}', r"rules\.json:2: the rule 'a' is a number, expected its text"),
        ('{"a": null}', r"'a' is null"),
        ('{"a": true}', r"'a' is true or false"),
        ('{"a": {"b": "c"}}', r"'a' is an object"),
        ('{"x": "y", "a": ["b"]}', r"'a' is a list"),
        ('["a"]', r"rules\.json:1: holds a list, expected one object of id -> rule text"),
        ('"a"', r"holds a text"),
        ('{"a": "x",\n}', r"rules\.json:\d:\d+: is no JSON: "),
        ("", r"rules\.json:1:1: is no JSON: "),
        ('{"a": " "}', r"the text of the rule 'a' is empty"),
        ('{" ": "x"}', r"the id of the rule ' ' is empty"),
        ('{"a": "\\ud800"}', r"'a' holds half a character"),
        ("[" * 100_000, r"rules\.json: is nested too deeply"),
        ('{\n"a": "' + "w " * 10_001 + '"}', r"rules\.json:2: a rule text of 10,001 words"),
    ],
)
def test_malformed_json_is_one_error_with_its_line(text: str, message: str) -> None:
    with pytest.raises(RuleTextError, match=message):
        rules(text)
