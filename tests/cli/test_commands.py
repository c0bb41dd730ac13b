from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from clausewise.cli.app import run

RULES = {
    "1": "You can borrow a kayak if you are a member and can swim.",
    "2": "Visitors may camp on the island for one night unless it is the nesting season.",
    "3": "The clubhouse kitchen is open to everyone who has paid the yearly fee.",
    "4": "Dogs are welcome on the lawn if they are on a lead.",
}
TREE = """\
rule: "1"
topic: kayaks
questions: [Can I borrow a kayak?]
conditions:
  a: {text: you are a member, question: Are you a member?}
  b: {text: can swim, question: Can you swim?}
logic: a and b
tests:
- given: a yes, b no
  expect: No
- question: Can I borrow a kayak?
  answers: {"Are you a member?": yes}
  expect: ask b
"""
SAMPLE = {
    "utterance_id": "u1",
    "tree_id": "t1",
    "question": "Can I borrow a kayak?",
    "scenario": "",
    "history": [{"follow_up_question": "Are you a member?", "follow_up_answer": "No"}],
    "evidence": [],
    "answer": "No",
    "gold_snippet_id": "1",
    "snippet_seen": False,
}


@pytest.fixture
def rules(tmp_path: Path) -> Path:
    path = tmp_path / "rules.json"
    path.write_text(json.dumps(RULES), "utf-8")
    return path


@pytest.fixture
def trees(tmp_path: Path) -> Path:
    folder = tmp_path / "trees"
    folder.mkdir()
    (folder / "kayak.yaml").write_text(TREE, "utf-8")
    return folder


@pytest.fixture
def data(tmp_path: Path) -> Path:
    path = tmp_path / "data.jsonl"
    path.write_text(json.dumps(SAMPLE) + "\n", "utf-8")
    return path


def _json(capsys: pytest.CaptureFixture[str]) -> Any:
    return json.loads(capsys.readouterr().out)


def test_ask_answers_with_reviewed_trees(
    rules: Path, trees: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    words = ["ask", "Can I borrow a kayak?", "--answer", "Are you a member?=no", "--json"]
    assert run([*words, "--rules", str(rules), "--trees", str(trees)]) == 0
    reply = _json(capsys)
    assert reply["kind"] == "answer"
    assert reply["answer"] == "No"
    assert reply["rule_id"] == "1"
    start, end = reply["span"]
    assert RULES["1"][start:end] == reply["clause"] == "you are a member"
    assert reply["because"][0]["words"] == {
        "said_in": "answer",
        "text": "no",
        "question": "Are you a member?",
    }


def test_ask_asks_what_is_open(
    rules: Path, trees: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    words = ["ask", "Can I borrow a kayak?", "--json"]
    assert run([*words, "--rules", str(rules), "--trees", str(trees)]) == 0
    reply = _json(capsys)
    assert reply["kind"] == "inquiry"
    assert reply["question"] == "Are you a member?"
    assert reply["questions_left"] == 2


def test_ask_abstains_where_nothing_is_covered(
    rules: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(["ask", "What is the capital of Peru?", "--rules", str(rules), "--json"]) == 0
    assert _json(capsys)["kind"] == "abstention"


def test_search_shows_the_best_rule_first(rules: Path, capsys: pytest.CaptureFixture[str]) -> None:
    words = ["search", "Can I camp on the island?", "--rules", str(rules), "--json"]
    assert run([*words, "--top-k", "1"]) == 0
    assert [hit["rule_id"] for hit in _json(capsys)["hits"]] == ["2"]


@pytest.mark.parametrize(
    "name", ["tfidf", "bm25", "fused", "fused-rank", "dense", "dpr++", "conversational"]
)
def test_every_retriever_has_its_name(
    name: str, rules: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(["search", "borrow a kayak", "--rules", str(rules), "--retriever", name]) == 0
    assert capsys.readouterr().out.startswith("1. ")


@pytest.mark.parametrize("reader", ["pattern", "lexical", "compiled"])
def test_evaluate_reading_prints_the_contract(
    reader: str, rules: Path, data: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    pytest.importorskip("spacy")
    written = tmp_path / "predictions.jsonl"
    words = ["evaluate", "reading", "--rules", str(rules), "--data", str(data), "--json"]
    assert run([*words, "--reader", reader, "--predictions", str(written)]) == 0
    report = _json(capsys)
    assert report["n"] == 1
    assert {"micro", "macro", "classwise", "f1_bleu", "seen", "unseen"} <= report.keys()
    assert {"first_turn_with_scenario", "latency_ms"} <= report.keys()
    (prediction,) = (json.loads(line) for line in written.read_text("utf-8").splitlines())
    assert prediction["utterance_id"] == "u1"
    assert run(["score", "--data", str(data), "--predictions", str(written), "--json"]) == 0
    assert _json(capsys)["micro"] == report["micro"]


def test_evaluate_retrieval_prints_the_contract(
    rules: Path, data: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    words = ["evaluate", "retrieval", "--rules", str(rules), "--data", str(data), "--json"]
    assert run([*words, "--retriever", "bm25", "--no-history"]) == 0
    report = _json(capsys)
    assert report["recall"]["1"] == 100.0
    assert {"mrr", "seen", "unseen", "first_turn", "latency_ms"} <= report.keys()


@pytest.fixture
def uncovered(tmp_path: Path) -> Path:
    path = tmp_path / "uncovered.txt"
    path.write_text("bread\tMay I freeze sourdough?\ngreeting\tHello!\n", "utf-8")
    return path


def test_evaluate_coverage_prints_what_is_abstained_on(
    rules: Path, data: Path, uncovered: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    words = ["evaluate", "coverage", "--rules", str(rules), "--uncovered", str(uncovered)]
    assert run([*words, "--data", str(data), "--no-history", "--json"]) == 0
    report = _json(capsys)
    assert (report["covered"], report["uncovered"]) == (1, 2)
    assert report["abstains_on_covered"] == 0.0
    assert report["abstains_by_kind"] == {"bread": 100.0, "greeting": 100.0}
    assert {"area_under_curve", "calibration_error", "threshold"} <= report.keys()


def test_evaluate_coverage_asks_the_questions_of_trees_where_there_are_no_samples(
    rules: Path, trees: Path, uncovered: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    words = ["evaluate", "coverage", "--rules", str(rules), "--uncovered", str(uncovered)]
    assert run([*words, "--trees", str(trees)]) == 0
    assert "1 covered" in capsys.readouterr().out
    assert run(words) == 2
    assert "expected --data" in capsys.readouterr().err


def test_evaluate_prints_the_pattern_baseline_beside(
    rules: Path, data: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    pytest.importorskip("spacy")
    assert run(["evaluate", "reading", "--rules", str(rules), "--data", str(data)]) == 0
    output = capsys.readouterr().out
    assert "compiled" in output
    assert "pattern" in output


def test_score_reports_missing_predictions(
    data: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    pytest.importorskip("spacy")
    predictions = tmp_path / "predictions.json"
    predictions.write_text("[]", "utf-8")
    assert run(["score", "--data", str(data), "--predictions", str(predictions)]) == 0
    assert "1 samples without a prediction" in capsys.readouterr().out


def test_ingested_rules_keep_their_trees(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    folder = tmp_path / "club"
    folder.mkdir()
    (folder / "boats.md").write_text(f"# Boats\n\n## Kayaks\n\n{RULES['1']}\n", "utf-8")
    tree = TREE.replace('"1"', "boats#kayaks")
    (folder / "boats.trees.yaml").write_text(tree, "utf-8")
    knowledge = tmp_path / "club.db"
    assert run(["ingest", str(folder), "--into", str(knowledge), "--json"]) == 0
    assert _json(capsys)["trees"] == 1
    assert run(["check", str(knowledge)]) == 0
    assert "1 rules, 1 trees, 2 tests: 0 failed" in capsys.readouterr().out


def test_check_fails_where_a_test_fails(
    rules: Path, trees: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    wrong = TREE.replace("expect: No", "expect: Yes")
    (trees / "kayak.yaml").write_text(wrong, "utf-8")
    assert run(["check", str(rules), "--trees", str(trees)]) == 1
    output = capsys.readouterr().out
    assert "failed: 1: a yes, b no: expected Yes, got No" in output


def test_check_reports_as_json(
    rules: Path, trees: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(["check", str(rules), "--trees", str(trees), "--json"]) == 0
    report = _json(capsys)
    assert (report["rules"], report["trees"], report["tests"]) == (4, 1, 2)
    assert report["failures"] == []


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["ask", " "], "QUESTION: the question is empty"),
        (["ask", "Can I?", "--answer", "yes"], "--answer: 'yes' is no answered question"),
        (["search", "x", "--retriever", "foo"], "retriever: 'foo' is unknown, expected one of"),
        (["chat", "--rules", "nowhere"], "nowhere: does not exist"),
        (["search"], "clausewise search: Missing argument"),
        (["frobnicate"], "No such command 'frobnicate'"),
        (["search", "x", "--config", "nowhere.toml"], "nowhere.toml: can't be read"),
    ],
)
def test_bad_input_gets_one_line_and_exits_with_2(
    words: list[str], message: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(words) == 2
    error = capsys.readouterr().err
    assert message in error
    assert error.count("\n") == 1


@pytest.mark.parametrize("words", [["--help"], ["ask", "--help"], ["evaluate", "--help"]])
def test_help_is_there_for_every_command(
    words: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(words) == 0
    assert "Usage" in capsys.readouterr().out


def test_the_version_is_printed(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["--version"]) == 0
    assert capsys.readouterr().out.strip() == "0.1.0"


@pytest.mark.parametrize(
    ("words", "said"),
    [
        ((), "reader_model: 'mudern' needs a trained model"),
        (("--reader-model", "nowhere"), "nowhere/config.json: is no joint reader"),
    ],
)
def test_a_joint_reader_without_its_model_is_one_clear_line(
    words: tuple[str, ...], said: str, rules: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    command = ["ask", "Can I borrow a kayak?", "--rules", str(rules), "--reader", "mudern", *words]
    assert run(command) == 2
    error = capsys.readouterr().err
    assert said in error
    assert error.count("\n") == 1
