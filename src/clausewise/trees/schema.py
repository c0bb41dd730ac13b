"""The fields of a rule tree's document: one table for reading, errors and the JSON Schema."""

from __future__ import annotations

import json
from dataclasses import dataclass

from clausewise.trees.logic import RESERVED

Plain = str | int | bool | list["Plain"] | dict[str, "Plain"]
"""What JSON can hold, without null and fractions."""

SCHEMA_ID = "urn:clausewise:rule-tree"
_KEY = "[A-Za-z_][A-Za-z0-9_]*"
_RESERVED = "|".join("".join(f"[{letter.upper()}{letter}]" for letter in word) for word in RESERVED)
_TEXT: Plain = {"type": "string"}
_TEXTS: Plain = {"type": "array", "items": {"type": "string"}}
_SPAN: Plain = {
    "type": "array",
    "items": {"type": "integer", "minimum": 0},
    "minItems": 2,
    "maxItems": 2,
}
_YES_NO: Plain = {"type": "string", "enum": ["yes", "no"]}


@dataclass(frozen=True, slots=True, kw_only=True)
class Field:
    """A field of a mapping in a rule tree's document."""

    shape: Plain
    """Its JSON Schema."""
    meaning: str
    required: bool = False


OUTCOME = {
    "span": Field(
        shape=_SPAN,
        meaning="Where the words stand: [start, end) in characters of the rule text. May be left"
        " out where they occur exactly once in a rule text that is known.",
    ),
    "text": Field(
        shape=_TEXT,
        required=True,
        meaning="The words of the rule text that name what it grants, forbids or demands.",
    ),
}

CONDITION = {
    "span": OUTCOME["span"],
    "text": Field(
        shape=_TEXT, required=True, meaning="The words of the rule text that ask it, exactly."
    ),
    "question": Field(
        shape=_TEXT, required=True, meaning="The follow-up question; yes means that it holds."
    ),
    "paraphrases": Field(shape=_TEXTS, meaning="Other wordings of the question."),
    "yes": Field(shape=_TEXTS, meaning="First-person statements that each settle it as true."),
    "no": Field(shape=_TEXTS, meaning="First-person statements that each settle it as false."),
}

CASE = {
    "given": Field(
        shape={
            "oneOf": [
                {"type": "string", "pattern": f"^({_KEY} (yes|no)(, *{_KEY} (yes|no))*)?$"},
                {"type": "object", "additionalProperties": _YES_NO},
            ]
        },
        meaning="What is known of the conditions, as in 'a yes, b no'; the others are unknown.",
    ),
    "question": Field(shape=_TEXT, meaning="A question in words, for the whole engine."),
    "scenario": Field(shape=_TEXT, meaning="What the person says of themselves with it."),
    "answers": Field(
        shape={"type": "object", "additionalProperties": _TEXT},
        meaning="Follow-up questions and the person's answers to them.",
    ),
    "expect": Field(
        shape={"type": "string", "pattern": f"^(Yes|No|abstain|ask {_KEY})$"},
        required=True,
        meaning="Yes, No, abstain, or 'ask c': still open, and c is asked next.",
    ),
}


def _object(fields: dict[str, Field]) -> dict[str, Plain]:
    properties: dict[str, Plain] = {
        name: {**field.shape, "description": field.meaning}
        for name, field in fields.items()
        if isinstance(field.shape, dict)
    }
    required: list[Plain] = [name for name, field in fields.items() if field.required]
    return {
        "type": "object",
        "properties": properties,
        "required": required,
        "additionalProperties": False,
    }


TREE = {
    "rule": Field(
        shape=_TEXT,
        meaning="The id of the rule text in the knowledge base. Needed unless rule_text is given.",
    ),
    "tree_id": Field(shape=_TEXT, meaning="An id of the tree itself, where one is kept."),
    "rule_text": Field(
        shape=_TEXT, meaning="The rule text itself, where the document is to carry it."
    ),
    "topic": Field(shape=_TEXT, meaning="A short name of the benefit, permission or duty."),
    "questions": Field(
        shape=_TEXTS, meaning="Users' questions, answered Yes exactly when the logic is true."
    ),
    "outcome": Field(shape=_object(OUTCOME), meaning="What the rule is about, in its own words."),
    "conditions": Field(
        shape={
            "type": "object",
            "propertyNames": {"pattern": f"^(?!({_RESERVED})$){_KEY}$"},
            "additionalProperties": _object(CONDITION),
            "minProperties": 1,
        },
        required=True,
        meaning="The conditions by their keys, in the order of the text.",
    ),
    "logic": Field(
        shape=_TEXT,
        required=True,
        meaning="and / or / not / parentheses / atleast(k, a, b, c) over the keys, each of them"
        " used; true means that the answer is Yes.",
    ),
    "tests": Field(
        shape={"type": "array", "items": _object(CASE)}, meaning="Cases that the rule must pass."
    ),
}


def json_schema() -> dict[str, Plain]:
    """Return the JSON Schema of one rule tree, for editors and other programs."""
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "$id": SCHEMA_ID,
        "title": "Clausewise rule tree",
        "description": "A rule text made checkable: its conditions, their logic, and tests of it.",
        **_object(TREE),
        "anyOf": [{"required": ["rule"]}, {"required": ["rule_text"]}],
    }


def schema_text() -> str:
    """Return the JSON Schema as it stands in docs/rule-tree.schema.json."""
    return json.dumps(json_schema(), indent=2, ensure_ascii=False) + "\n"
