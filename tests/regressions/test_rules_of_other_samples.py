"""`evaluate retrieval` over other rules than the samples' scored 0 and said nothing."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from clausewise.cli.app import run


@pytest.mark.parametrize("retriever", ["bm25", "tfidf"])
def test_samples_of_other_rules_are_refused(
    retriever: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    rules, data = tmp_path / "rules.json", tmp_path / "dev.jsonl"
    rules.write_text(json.dumps({"1": "Members can borrow a kayak."}), "utf-8")
    sample = {
        "utterance_id": "u1",
        "question": "Can I camp?",
        "scenario": "",
        "history": [],
        "evidence": [],
        "answer": "Yes",
        "gold_snippet_id": "7",
    }
    data.write_text(json.dumps(sample) + "\n", "utf-8")
    words = ["evaluate", "retrieval", "--rules", str(rules), "--data", str(data)]
    assert run([*words, "--retriever", retriever]) == 2
    assert "no rule has the id '7' (sample u1)" in capsys.readouterr().err
