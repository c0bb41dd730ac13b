"""Rule trees as text: YAML that people like to read, JSON for the store, with the same fields."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import yaml

from clausewise.trees.logic import format_logic

if TYPE_CHECKING:
    from clausewise.trees.schema import Plain
    from clausewise.trees.tree import Case, RuleTree
    from clausewise.trees.values import Condition, Span

_STRING = "tag:yaml.org,2002:str"
_RESOLVER = yaml.resolver.Resolver()
_NO_FOLDING = 2**31 - 1
_AS_WRITTEN = frozenset({"Yes", "No", "yes", "no"})
"""Words that other readers of YAML may take for truth values; ours never does."""


def to_json(tree: RuleTree) -> str:
    """Return the tree as one line of JSON, which `from_json` reads back to an equal tree."""
    return json.dumps(as_plain(tree), ensure_ascii=False)


def to_yaml(tree: RuleTree) -> str:
    """Return the tree as one YAML document, which `parse_tree` reads back to an equal tree."""
    text = yaml.serialize(
        _node(as_plain(tree)), Dumper=_Dumper, allow_unicode=True, width=_NO_FOLDING
    )
    return str(text)


def as_plain(tree: RuleTree) -> dict[str, Plain]:
    """Return the fields of the tree's document in their order; empty ones are left out."""
    outcome = tree.outcome
    fields: dict[str, Plain] = {
        "tree_id": tree.tree_id,
        "rule_text": tree.rule_text or "",
        "topic": tree.topic,
        "questions": list(tree.questions),
        "outcome": {"span": _span(outcome.span), "text": outcome.text} if outcome else {},
        "conditions": {condition.key: _condition(condition) for condition in tree.conditions},
        "logic": format_logic(tree.logic),
        "tests": [_case(case) for case in tree.tests],
    }
    identity: dict[str, Plain] = {"rule": tree.rule_id}
    return (identity if tree.rule_id or not tree.rule_text else {}) | _filled(fields)


def _filled(fields: dict[str, Plain]) -> dict[str, Plain]:
    return {name: value for name, value in fields.items() if value not in ("", [], {})}


def _span(span: Span) -> list[Plain]:
    return [span.start, span.end]


def _condition(condition: Condition) -> dict[str, Plain]:
    lists: dict[str, Plain] = {
        "paraphrases": list(condition.paraphrases),
        "yes": list(condition.yes),
        "no": list(condition.no),
    }
    return {
        "span": _span(condition.span),
        "text": condition.text,
        "question": condition.question,
        **_filled(lists),
    }


def _case(case: Case) -> dict[str, Plain]:
    if not case.in_words:
        given = ", ".join(f"{key} {'yes' if holds else 'no'}" for key, holds in case.given)
        return {"given": given, "expect": case.expect}
    words: dict[str, Plain] = {"scenario": case.scenario, "answers": dict(case.answers)}
    return {"question": case.question, **_filled(words), "expect": case.expect}


class _Dumper(yaml.SafeDumper):
    """Takes every scalar for text; `_scalar` quotes what other readers would take otherwise."""

    yaml_implicit_resolvers = {}  # noqa: RUF012 - overrides the table of PyYAML, never changed


def _node(value: Plain) -> yaml.Node:
    match value:
        case dict():
            pairs = [(_scalar(key), _node(part)) for key, part in value.items()]
            return yaml.MappingNode("tag:yaml.org,2002:map", pairs, flow_style=False)
        case list():
            numbers = all(isinstance(part, int) for part in value)
            parts = [_node(part) for part in value]
            return yaml.SequenceNode("tag:yaml.org,2002:seq", parts, flow_style=numbers)
        case str():
            return _scalar(value)
        case int():
            return yaml.ScalarNode(_STRING, str(value))


def _scalar(text: str) -> yaml.ScalarNode:
    return yaml.ScalarNode(_STRING, text, style=_style(text))


def _style(text: str) -> str | None:
    """Return how to write a text; None leaves it to the emitter, which quotes where it must."""
    if not all(char.isprintable() or char == "\n" for char in text):
        return '"'
    if "\n" in text:
        lines = text.split("\n")
        clean = lines[0].strip() and all(line == line.rstrip() for line in lines)
        return "|" if clean and not text[0].isspace() else '"'
    return '"' if text not in _AS_WRITTEN and _looks_typed(text) else None


def _looks_typed(text: str) -> bool:
    """Say whether other readers of YAML would take the text for a number, a date or nothing."""
    return (
        bool(text)
        and _RESOLVER.resolve(  # type: ignore[no-untyped-call]
            yaml.ScalarNode, text, (True, False)
        )
        != _STRING
    )
