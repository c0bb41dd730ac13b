"""An empty search once found nothing, and a missing command had an empty message."""

from __future__ import annotations

import pytest

from clausewise.cli.app import run


def test_an_empty_question_finds_no_rule(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["search", " "]) == 2
    assert capsys.readouterr().err.startswith("QUESTION: the question is empty, expected")


@pytest.mark.parametrize("group", [[], ["evaluate"]])
def test_a_missing_command_is_named(group: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    assert run(group) == 2
    assert "a command is missing" in capsys.readouterr().err
