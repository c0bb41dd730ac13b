from __future__ import annotations

import json
from pathlib import Path

import jsonschema
import pytest

from clausewise.trees.nodes import Fields, Items, Node, Text, read_yaml
from clausewise.trees.schema import Plain, json_schema, schema_text
from clausewise.trees.tree import RuleTree
from clausewise.trees.write import to_json
from tests.trees.examples import GARDEN, GARDEN_TEXT

ROOT = Path(__file__).resolve().parents[2]
PUBLISHED = ROOT / "docs" / "rule-tree.schema.json"
DEMONSTRATION = sorted((ROOT / "rules").rglob("*.trees.yaml"))


def _as_yaml_1_2_reads_it(node: Node) -> Plain:
    """Return what editors check against the schema: numbers are numbers, yes and no are text."""
    match node:
        case Text(text=text):
            return int(text) if text.isdecimal() else text
        case Items(items=items):
            return [_as_yaml_1_2_reads_it(item) for item in items]
        case Fields(entries=entries):
            return {key: _as_yaml_1_2_reads_it(entry) for key, entry in entries.items()}


def _check(document: Plain) -> None:
    jsonschema.Draft202012Validator(json_schema()).validate(document)


def test_the_published_schema_is_current() -> None:
    # To publish it anew: PUBLISHED.write_text(schema_text(), "utf-8")
    assert PUBLISHED.read_text("utf-8") == schema_text()


def test_the_schema_is_one() -> None:
    jsonschema.Draft202012Validator.check_schema(json_schema())


@pytest.mark.parametrize("file", DEMONSTRATION, ids=lambda file: file.name)
def test_the_trees_of_the_demonstration_rules_fit_the_schema(file: Path) -> None:
    for node in read_yaml(file.read_text("utf-8"), file=str(file)):
        _check(_as_yaml_1_2_reads_it(node))


def test_what_is_written_as_json_fits_the_schema() -> None:
    _check(json.loads(to_json(RuleTree.parse(GARDEN, rule_text=GARDEN_TEXT))))


@pytest.mark.parametrize(
    "change",
    [
        {"logic": None},
        {"conditions": {}},
        {"conditions": {"And": {"text": "x", "question": "q"}}},
        {"conditions": {"a": {"text": "x"}}},
        {"conditions": {"a": {"text": "x", "question": "q", "span": [1]}}},
        {"tests": [{"given": "a maybe", "expect": "Yes"}]},
        {"tests": [{"given": "a yes", "expect": "perhaps"}]},
        {"colour": "red"},
    ],
)
def test_what_reading_refuses_the_schema_refuses_too(change: dict[str, Plain]) -> None:
    document = json.loads(to_json(RuleTree.parse(GARDEN, rule_text=GARDEN_TEXT)))
    broken = {key: value for key, value in (document | change).items() if value is not None}
    with pytest.raises(jsonschema.ValidationError):
        _check(broken)
