from __future__ import annotations

import time
from pathlib import Path

import pytest

from clausewise.errors import LogicError, TreeError
from clausewise.trees.logic import format_logic
from clausewise.trees.read import MAX_FILE_BYTES, MAX_LINE_BYTES, from_json, parse_tree, read_trees
from clausewise.trees.tree import Case, RuleTree
from clausewise.trees.values import Span
from clausewise.trees.write import to_json
from tests.data import DATA, needs_data
from tests.trees.examples import GARDEN, GARDEN_TEXT

DESIGN_TEXT = "To get the pay you must:\n\n* earn at least £113 a week\n* give the correct notice"
DESIGN = """\
# the rule text: 'To get the pay you must:\\n\\n* earn at least £113 a week\\n* give the ...'
rule: "1-03"                     # id in the knowledge base
topic: Statutory Maternity Pay
outcome: {span: [0, 14], text: "To get the pay"}
conditions:
  a: {span: [28, 53], text: "earn at least £113 a week", question: "Do you earn £113 a week?"}
  b: {span: [56, 79], text: "give the correct notice", question: "Did you give the correct notice?"}
logic: a and b                   # and / or / not, parentheses; true = the answer is Yes
"""


def test_a_tree_with_spans_is_read_without_its_rule_text() -> None:
    tree = RuleTree.parse(DESIGN)
    assert tree.rule_id == "1-03"
    assert tree.keys == ("a", "b")
    assert tree.rule_text is None
    assert tree.bind(DESIGN_TEXT).condition("b").span.cut(DESIGN_TEXT) == "give the correct notice"


def test_spans_that_are_left_out_are_found_in_the_rule_text() -> None:
    tree = RuleTree.parse(GARDEN, rule_text=GARDEN_TEXT)
    for condition in tree.conditions:
        assert condition.span.cut(GARDEN_TEXT) == condition.text
    assert tree.outcome is not None
    assert tree.outcome.span == Span(start=22, end=47)


def test_every_field_is_read_as_it_was_written() -> None:
    tree = RuleTree.parse(GARDEN, rule_text=GARDEN_TEXT)
    assert tree.keys == ("a", "b", "n", "on")
    assert tree.condition("a").yes == ("I've a flat by the mill: in the borough, that is.",)
    assert tree.condition("a").no == ("I live two towns over.",)
    assert format_logic(tree.logic) == "a and b and (not n or on)"
    assert tree.tests == (
        Case(given=(("a", True), ("b", True), ("n", False)), expect="Yes"),
        Case(given=(("b", False),), expect="No"),
        Case(given=(("a", True), ("b", True)), expect="ask n"),
        Case(
            question="Can I rent an allotment?",
            scenario="I live in the borough.",
            answers=(("Are you 18 or over?", "no"),),
            expect="No",
        ),
    )


def test_words_that_yaml_takes_for_values_come_in_as_text() -> None:
    source = """
rule: 1_000
topic: off
questions: [yes, 2024-01-01, 0x1F, null, ~]
conditions:
  on: {span: [0, 2], text: no, question: "1.0"}
  y: {span: [3, 7], text: null, question: yes}
logic: on and y
tests:
- given: {on: yes, y: no}
  expect: no
"""
    tree = RuleTree.parse(source)
    assert (tree.rule_id, tree.topic) == ("1_000", "off")
    assert tree.questions == ("yes", "2024-01-01", "0x1F", "null", "~")
    assert [(each.key, each.text) for each in tree.conditions] == [("on", "no"), ("y", "null")]
    assert tree.tests == (Case(given=(("on", True), ("y", False)), expect="No"),)


def test_the_rule_text_can_stand_in_the_document() -> None:
    source = """
rule_text: |
  You can fish if you have a rod licence.

  Members fish free.
conditions:
  a: {text: you have a rod licence, question: Do you have a rod licence?}
logic: a
"""
    tree = RuleTree.parse(source)
    text = "You can fish if you have a rod licence.\n\nMembers fish free.\n"
    assert (tree.rule_id, tree.rule_text) == ("", text)


def test_a_file_holds_several_documents_with_their_own_lines(tmp_path: Path) -> None:
    file = tmp_path / "rules.trees.yaml"
    file.write_text(f"---\n{DESIGN}---\n{DESIGN}", "utf-8")
    assert len(read_trees(file)) == 2
    file.write_text(f"{DESIGN}---\n{DESIGN.replace('a and b', 'a and x')}", "utf-8")
    with pytest.raises(LogicError) as caught:
        read_trees(str(file))
    assert (caught.value.where.line, caught.value.where.column) == (17, 7)


def test_a_folder_is_read_with_all_its_folders_in_order(tmp_path: Path) -> None:
    for name in ("b.yaml", "a/z.trees.yaml", ".hidden/c.yaml", "notes.md"):
        file = tmp_path / name
        file.parent.mkdir(exist_ok=True)
        file.write_text(DESIGN.replace("1-03", name), "utf-8")
    assert [tree.rule_id for tree in read_trees(tmp_path)] == ["a/z.trees.yaml", "b.yaml"]


def test_rule_texts_are_found_by_id(tmp_path: Path) -> None:
    file = tmp_path / "gardens.trees.yaml"
    file.write_text(GARDEN, "utf-8")
    (tree,) = read_trees(file, rule_texts={"council/gardens#allotment-gardens": GARDEN_TEXT})
    assert tree.rule_text == GARDEN_TEXT
    with pytest.raises(TreeError) as caught:
        read_trees(file, rule_texts={"council/gardens#allotment-garden": GARDEN_TEXT})
    assert str(caught.value) == (
        f"{file}:1: there is no rule 'council/gardens#allotment-gardens' among the rule texts; "
        "did you mean 'council/gardens#allotment-garden'?"
    )


def test_json_lines_are_read_in_both_spellings(tmp_path: Path) -> None:
    theirs = (
        '{"tree_id": "t1", "rule_id": null, "source": "x", "doubt": "y", "rule": "Stay if 9.",'
        ' "topic": "staying", "questions": [], "conditions": {"a": {"question": "9?", "span":'
        ' [8, 9], "text": "9", "paraphrases": [], "yes": [], "no": [], "added": true}},'
        ' "logic": "a"}'
    )
    ours = to_json(RuleTree.parse(GARDEN, rule_text=GARDEN_TEXT))
    file = tmp_path / "trees.jsonl"
    file.write_text(f"{theirs}\n\n{ours}\n", "utf-8")
    first, second = read_trees(file)
    assert (first.tree_id, first.rule_id, first.rule_text) == ("t1", "", "Stay if 9.")
    assert second == RuleTree.parse(GARDEN, rule_text=GARDEN_TEXT)


@needs_data
@pytest.mark.data
def test_all_annotated_trees_are_read_and_written() -> None:
    files = sorted((DATA / "trees").glob("*.jsonl"))
    trees = [tree for file in files for tree in read_trees(file)]
    assert len(trees) == 1_045
    for tree in trees:
        assert from_json(to_json(tree)) == tree
    for tree in trees[::10]:
        assert RuleTree.parse(tree.dump()) == tree


HEAD = "rule: r\nrule_text: you own a bike or a car\nconditions:\n"
BIKE = "  a: {text: a bike, question: A bike?}\n"


@pytest.mark.parametrize(
    ("source", "error"),
    [
        ("", "f.yaml: no document; expected a rule tree"),
        ("# nothing\n", "f.yaml: no document; expected a rule tree"),
        ("---\n---\n", "f.yaml:2: a second document begins here; expected one rule tree"),
        ("---\n", "f.yaml:1: the document is empty; expected a rule tree"),
        ("- a\n", "f.yaml:1: a list; expected a mapping with rule, tree_id, rule_text"),
        ("hello\n", "f.yaml:1: 'hello'; expected a mapping with rule"),
        ("rule: r\nlogic: a\n", "f.yaml:1: the field 'conditions' is missing"),
        (
            "topic: t\nconditions: {a: {span: [0, 1], text: x, question: q}}\nlogic: a\n",
            "f.yaml:1: a rule tree needs 'rule', the id of its rule text",
        ),
        ("rule: r\nconditons: {}\n", "f.yaml:2: unknown field 'conditons'; did you mean 'condi"),
        (HEAD + BIKE + "logic: a\nxyzzy: 1\n", "f.yaml:6: unknown field 'xyzzy'"),
        (HEAD + "logic: a\n", "f.yaml:3: conditions: nothing; expected at least one condition"),
        (HEAD + BIKE + BIKE + "logic: a\n", "f.yaml:5: duplicate key 'a'; it first stands in line"),
        (HEAD + BIKE + "logic: a\nlogic: a\n", "f.yaml:6: duplicate key 'logic'; it first stands"),
        (HEAD + BIKE + "logic: a and\n", "f.yaml:5:6: logic: the end at column 6 of 'a and': exp"),
        (
            HEAD + BIKE + "logic: a or b\n",
            "f.yaml:5:6: logic: 'b' at column 6 of 'a or b'",
        ),
        (HEAD + BIKE + "logic:\n", "f.yaml:5: logic: empty; expected text"),
        (HEAD + BIKE + "logic: [a]\n", "f.yaml:5: logic: a list; expected text"),
        (
            HEAD + BIKE + "  b: {text: a car, question: A car?}\nlogic: a\n",
            "f.yaml:5: conditions.b: the logic doesn't use this condition: 'a'",
        ),
        (
            HEAD + "  a: {span: [0, 6], text: a bike, question: A bike?}\nlogic: a\n",
            "f.yaml:4: conditions.a: span [0, 6] cuts out 'you ow'; expected 'a bike', which stan",
        ),
        (
            HEAD + "  a: {span: [8, 99], text: a bike, question: A bike?}\nlogic: a\n",
            "f.yaml:4: conditions.a: span [8, 99] ends behind the rule text, which has 23 charact",
        ),
        (
            HEAD + "  a:\n    text: a bike\n    span: [8, x]\n    question: A?\nlogic: a\n",
            "f.yaml:6: conditions.a: ['8', 'x'] is no span; expected [start, end]",
        ),
        (HEAD + "  a: {span: [9, 8], text: x, question: q}\nlogic: a\n", "f.yaml:4: conditions.a:"),
        (
            HEAD + "  a: {span: 8, text: x, question: q}\nlogic: a\n",
            "f.yaml:4: conditions.a: '8'",
        ),
        (
            HEAD + "  a: {text: a boat, question: A boat?}\nlogic: a\n",
            "f.yaml:4: conditions.a: the rule text doesn't hold 'a boat'; expected its exact words",
        ),
        (
            HEAD + "  a: {text: o, question: A boat?}\nlogic: a\n",
            "f.yaml:4: conditions.a: 'o' stands in the rule text 3 times; give its span: [1, 2] or",
        ),
        (
            "rule: r\nconditions:\n  a: {text: x, question: q}\nlogic: a\n",
            "f.yaml:3: conditions.a: no span for 'x', and the rule text isn't known: give span or",
        ),
        (
            HEAD + "  a: {text: a bike}\nlogic: a\n",
            "f.yaml:4: conditions.a: the field 'questi",
        ),
        (HEAD + "  a b: {text: x}\nlogic: a\n", "f.yaml:4: conditions: 'a b' can't be the key of"),
        (HEAD + "  not: {text: x}\nlogic: a\n", "f.yaml:4: conditions: 'not' can't be the key of"),
        (
            HEAD + "  a: {text: a bike, question: q, yes: [Well, yes: no]}\nlogic: a\n",
            "f.yaml:4: conditions.a.yes: a mapping; expected text; quote text that holds a colon",
        ),
        (HEAD + BIKE + "logic: a\nquestions: x\n", "f.yaml:6: questions: 'x'; expected a list"),
        (
            HEAD + BIKE + "logic: a\ntests:\n- given: a yes\n",
            "f.yaml:7: tests: the field 'expect' is missing",
        ),
        (
            HEAD + BIKE + "logic: a\ntests:\n- {given: a yes, expect: perhaps}\n",
            "f.yaml:7: expect: a case expects 'perhaps'; exp",
        ),
        (
            HEAD + BIKE + "logic: a\ntests:\n- given: a maybe\n  expect: No\n",
            "f.yaml:7: tests.given: a maybe: expected yes or no",
        ),
        (
            HEAD + BIKE + "logic: a\ntests:\n- given: a\n  expect: No\n",
            "f.yaml:7: tests.given: 'a' in given: expected keys with yes or no, as in",
        ),
        (
            HEAD + BIKE + "logic: a\ntests:\n- given: b yes\n  expect: No\n",
            "f.yaml:7: tests: a case names 'b', which is no condition; expected one of a",
        ),
        (
            HEAD + BIKE + "logic: a\ntests:\n- expect: No\n",
            "f.yaml:7: tests: a case needs 'given' or 'question'",
        ),
        (
            HEAD + BIKE + "logic: a\ntests:\n- {question: q, answers: [x], expect: No}\n",
            "f.yaml:7: tests.answers: a list; expected follow-up questions with their answers",
        ),
        ("a: [1, 2\nb: 3\n", "f.yaml:2: not YAML: did not find expected ',' or ']'"),
        ("a: b: c\n", "f.yaml:1: not YAML: mapping values are not allowed in this context"),
        ("a: \x00\n", "f.yaml: not YAML:"),
        ("? [a]\n: b\n", "f.yaml:1: a list can't be a key; expected text"),
        ("a: &x 1\nb: *x\n", "f.yaml:1: the anchor &x is refused; quote text with &"),
        ("b: *x\n", "f.yaml:1: the alias *x is refused; write it out"),
        ("a: !!python/object:os.system x\n", "f.yaml:1: the tag tag:yaml.org,2002:python/object"),
    ],
)
def test_an_error_names_file_and_line_and_what_was_expected(source: str, error: str) -> None:
    with pytest.raises(TreeError) as caught:
        parse_tree(source, file="f.yaml")
    assert str(caught.value).startswith(error)


@pytest.mark.parametrize(
    ("source", "error"),
    [
        ("", "t.jsonl:3: not JSON: Expecting value at character 1"),
        ("[]", "t.jsonl:3: a list; expected a mapping"),
        ('{"rule": "r", "rule": "s"}', "t.jsonl:3: duplicate key 'rule'"),
        ("[" * 100_000, "t.jsonl:3: not JSON: nested too deep"),
        ("9" * 10_000, "t.jsonl:3: not JSON: nested too deep or a number too long"),
        ('{"rule_id": "1", "rule": "x"}', "t.jsonl:3: the field 'conditions' is missing"),
    ],
)
def test_an_error_in_json_names_file_and_line(source: str, error: str) -> None:
    with pytest.raises(TreeError) as caught:
        from_json(source, file="t.jsonl", line=3)
    assert str(caught.value).startswith(error)


def _bomb() -> str:
    lines = ["a0: &a0 [x, x, x, x, x, x, x, x, x]"]
    lines += [f"a{n}: &a{n} [{', '.join([f'*a{n - 1}'] * 9)}]" for n in range(1, 12)]
    return "\n".join(lines)


@pytest.mark.parametrize(
    ("content", "error"),
    [
        (b"rule: r\ntopic: caf\xe9\n", "bad.yaml:2: not UTF-8: the byte 0xe9"),
        (b"\x89PNG\r\n\x1a\n\x00\x00", "bad.yaml:1: not UTF-8: the byte 0x89"),
        (b"", "bad.yaml:1: the file holds no rule tree"),
        (b"x" * (MAX_FILE_BYTES + 1), "bad.yaml: more than 8 MB"),
        (b"[" * 100_000, "bad.yaml:1: nested more than 20 deep"),
        (b"- " * 100_000, "bad.yaml:1: nested more than 20 deep"),
        (b"{a: " * 100_000, "bad.yaml:1: nested more than 20 deep"),
        (_bomb().encode(), "bad.yaml:1: the anchor &a0 is refused"),
        (
            f"{HEAD}{BIKE}logic: {'(' * 100_000}\n".encode(),
            "bad.yaml:5:20001: logic: the logic",
        ),
    ],
)
def test_hostile_files_are_refused_quickly(tmp_path: Path, content: bytes, error: str) -> None:
    file = tmp_path / "bad.yaml"
    file.write_bytes(content)
    began = time.perf_counter()
    with pytest.raises(TreeError) as caught:
        read_trees(file)
    assert time.perf_counter() - began < 1
    assert str(caught.value).removeprefix(f"{tmp_path}/").startswith(error)


def test_files_that_are_no_trees_are_refused(tmp_path: Path) -> None:
    with pytest.raises(TreeError, match=r"no \.yaml file in this folder"):
        read_trees(tmp_path)
    with pytest.raises(TreeError, match=r"gone\.yaml: can't be read: No such file"):
        read_trees(tmp_path / "gone.yaml")
    with pytest.raises(TreeError, match=r"gone\.jsonl: can't be read: No such file"):
        read_trees(tmp_path / "gone.jsonl")
    with pytest.raises(TreeError, match="expected a folder or a file"):
        read_trees(tmp_path / "trees.txt")
    lines = tmp_path / "trees.jsonl"
    lines.write_bytes(b"\n\n")
    with pytest.raises(TreeError, match="holds no rule tree"):
        read_trees(lines)
    lines.write_bytes(b"\n" + b"x" * (MAX_LINE_BYTES + 1))
    with pytest.raises(TreeError, match=r"jsonl:2: a line of more than"):
        read_trees(lines)
    lines.write_bytes(b"\n\xff\n")
    with pytest.raises(TreeError, match=r"jsonl:2: not UTF-8"):
        read_trees(lines)


def test_a_byte_order_mark_is_no_part_of_the_text(tmp_path: Path) -> None:
    file = tmp_path / "trees.yaml"
    file.write_bytes(b"\xef\xbb\xbf" + DESIGN.encode())
    assert read_trees(file)[0].rule_id == "1-03"
