from __future__ import annotations

import json

import pytest

from clausewise.trees.read import from_json
from clausewise.trees.tree import RuleTree
from clausewise.trees.write import to_json
from tests.trees.examples import GARDEN, GARDEN_TEXT

DUMPED = """\
rule: council/gardens#allotment-gardens
rule_text: |-
  ## Allotment gardens

  You can rent an allotment if you:

  * live in the borough
  * are 18 or over

  You can't rent one if you already rent an allotment, unless it is a half plot.
topic: renting an allotment
questions:
- Can I rent an allotment?
outcome:
  span: [22, 47]
  text: You can rent an allotment
conditions:
  a:
    span: [59, 78]
    text: live in the borough
    question: Do you live in the borough?
    yes:
    - 'I''ve a flat by the mill: in the borough, that is.'
    no:
    - I live two towns over.
  b:
    span: [81, 95]
    text: are 18 or over
    question: Are you 18 or over?
  n:
    span: [119, 148]
    text: you already rent an allotment
    question: Do you already rent an allotment?
  "on":
    span: [157, 174]
    text: it is a half plot
    question: Is the allotment that you rent a half plot?
logic: a and b and (not n or on)
tests:
- given: a yes, b yes, n no
  expect: Yes
- given: b no
  expect: No
- given: a yes, b yes
  expect: ask n
- question: Can I rent an allotment?
  scenario: I live in the borough.
  answers:
    Are you 18 or over?: no
  expect: No
"""


def test_a_tree_is_dumped_for_people() -> None:
    tree = RuleTree.parse(GARDEN, rule_text=GARDEN_TEXT)
    assert tree.dump() == DUMPED
    assert RuleTree.parse(DUMPED) == tree


def test_json_has_the_same_fields_on_one_line() -> None:
    tree = RuleTree.parse(GARDEN, rule_text=GARDEN_TEXT)
    line = to_json(tree)
    assert "\n" not in line
    assert from_json(line) == tree
    assert list(json.loads(line)) == [
        "rule",
        "rule_text",
        "topic",
        "questions",
        "outcome",
        "conditions",
        "logic",
        "tests",
    ]
    assert json.loads(line)["outcome"]["span"] == [22, 47]


@pytest.mark.parametrize(
    ("topic", "line"),
    [
        ("Größe – £5 🙂", "topic: Größe – £5 🙂"),
        ("1-03", "topic: 1-03"),
        ("510", 'topic: "510"'),
        ("null", 'topic: "null"'),
        ("off", 'topic: "off"'),
        ("2024-05-01", 'topic: "2024-05-01"'),
        ("a: b", "topic: 'a: b'"),
        ("# a", "topic: '# a'"),
        ("tab\there", 'topic: "tab\\there"'),
        ("long " * 60 + "end", "topic: " + "long " * 60 + "end"),
    ],
)
def test_texts_are_quoted_only_where_they_must_be(topic: str, line: str) -> None:
    source = f"rule: r\ntopic: {json.dumps(topic, ensure_ascii=False)}\nconditions:\n"
    tree = RuleTree.parse(source + "  a: {span: [0, 1], text: x, question: q}\nlogic: a\n")
    assert tree.topic == topic
    assert tree.dump().splitlines()[1] == line
