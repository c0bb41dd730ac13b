from __future__ import annotations

from dataclasses import replace

from clausewise.trees.lint import Finding, Severity, lint, matters
from clausewise.trees.logic import parse_logic
from clausewise.trees.tree import RuleTree
from tests.fakes import PERMIT, condition, permit_tree

TEXTS = {PERMIT.rule_id: PERMIT.text}


def _kinds(findings: tuple[Finding, ...]) -> list[str]:
    return [finding.kind for finding in findings]


def test_a_sound_tree_has_no_findings() -> None:
    assert lint([permit_tree()], rule_texts=TEXTS) == ()


def test_rules_that_say_the_same_are_duplicates() -> None:
    texts = {**TEXTS, "copy": PERMIT.text.upper()}
    (finding,) = lint([], rule_texts=texts)
    assert finding.kind == "duplicate rule"
    assert finding.rule_ids == (PERMIT.rule_id, "copy")


def test_a_condition_that_can_never_matter_is_an_error() -> None:
    tree = permit_tree("a and (b or c or not c)")
    findings = lint([tree], rule_texts=TEXTS)
    assert _kinds(findings) == ["condition without effect", "condition without effect"]
    assert {finding.severity for finding in findings} == {Severity.ERROR}


def test_a_condition_matters_where_it_decides_in_one_case() -> None:
    tree = permit_tree("a and b and c")
    assert all(matters(tree, key=key) for key in tree.keys)


def test_overlapping_spans_are_a_warning() -> None:
    tree = RuleTree(
        rule_id=PERMIT.rule_id,
        rule_text=PERMIT.text,
        conditions=(
            condition("you live in the zone", key="a", question="Do you live in the zone?"),
            condition("in the zone and own two cars", key="b", question="Do you own two cars?"),
        ),
        logic=parse_logic("a and b"),
    )
    (finding,) = lint([tree], rule_texts=TEXTS)
    assert finding.kind == "overlapping spans"
    assert finding.severity is Severity.WARNING


def test_trees_of_one_question_that_never_agree_contradict_each_other() -> None:
    other = replace(permit_tree("not (a and b and not c)"), rule_id="other")
    findings = lint([permit_tree(), other], rule_texts=TEXTS)
    assert "contradictory trees" in _kinds(findings)


def test_trees_of_one_question_that_differ_in_some_cases_are_a_warning_that_names_one() -> None:
    other = replace(permit_tree("a and b and c"), rule_id="other")
    (finding,) = lint([permit_tree(), other], rule_texts=TEXTS)
    assert (finding.kind, finding.severity) == ("contradictory trees", Severity.WARNING)
    assert finding.message.endswith("opposite answers where a yes, b yes, c yes")


def test_trees_of_one_question_that_always_agree_do_not_contradict_each_other() -> None:
    other = replace(permit_tree("not (not a or not b or c)"), rule_id="other")
    assert lint([permit_tree(), other], rule_texts=TEXTS) == ()


def test_a_question_that_names_another_rules_topic_is_a_warning() -> None:
    asks = condition("you rent", key="a", question="Do you hold a fishing licence?")
    tree = replace(permit_tree(), conditions=(asks,), logic=parse_logic("a"))
    other = replace(permit_tree(), rule_id="fishing", topic="fishing licence", questions=())
    findings = lint([tree, other], rule_texts=TEXTS)
    assert _kinds(findings) == ["foreign topic"]
    assert "fishing" in findings[0].message
