from __future__ import annotations

import json
from pathlib import Path

import pytest

from clausewise.cli.app import run
from tests.evaluation.test_joint_table import finished, write

pytest.importorskip("spacy")

SAMPLES = [
    {
        "utterance_id": "u1",
        "question": "Can I keep hens?",
        "scenario": "I live in town.",
        "history": [],
        "answer": "Do your neighbours agree?",
        "gold_snippet_id": "hens",
        "snippet_seen": True,
    },
    {
        "utterance_id": "u2",
        "question": "Can I keep hens?",
        "scenario": "",
        "history": [{"follow_up_question": "Do your neighbours agree?", "follow_up_answer": "No"}],
        "answer": "No",
        "gold_snippet_id": "hens",
        "snippet_seen": False,
    },
]


def table(folder: Path, *more: str) -> int:
    rules = {"hens": "You may keep hens if your neighbours agree.", "card": "Cards are free."}
    (folder / "rules.json").write_text(json.dumps(rules), "utf-8")
    write(folder / "dev.jsonl", SAMPLES)
    return run(
        [
            *("reproduce", "table", "--rules", str(folder / "rules.json")),
            *("--data", str(folder / "dev.jsonl"), "--out", str(folder / "results.md")),
            *("--work", str(folder / "work"), "--asker", "template", *more),
        ]
    )


def test_what_was_read_is_scored_beside_the_baselines(tmp_path: Path) -> None:
    finished(tmp_path / "work", seeds=1)
    assert (
        table(tmp_path, "--seeds", "1", "--systems", "pattern,lexical,mudern", "--systems=mp") == 0
    )
    page = (tmp_path / "results.md").read_text("utf-8")
    assert page.count("<!-- begin readers -->") == 1
    assert page.count("| pattern | all | 2 |") == 3
    assert "| mudern | all | 2 | 100.0 | 100.0 |" in page
    assert "Questions are written by `template`" in page
    assert str(tmp_path) not in page


def test_what_is_missing_is_named_where_nothing_is_to_be_trained(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert table(tmp_path, "--seeds", "1", "--systems", "mudern", "--only", "score") == 2
    error = capsys.readouterr().err
    assert "closed-book.jsonl" in error
    assert "and 5 more" in error


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (("--only", "sleep"), "'sleep' is no step"),
        (("--systems", "oscar"), "'oscar' is unknown"),
        (("--systems", "mp", "--set", "loop.epochs"), "expected FIELD=VALUE"),
    ],
)
def test_a_mistake_on_the_command_line_is_one_clear_line(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], options: tuple[str, ...], message: str
) -> None:
    assert table(tmp_path, *options) == 2
    error = capsys.readouterr().err
    assert message in error
    assert error.count("\n") == 1
