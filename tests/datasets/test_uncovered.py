from __future__ import annotations

from pathlib import Path

import pytest

from clausewise.datasets.uncovered import UncoveredQuestion, read_uncovered
from clausewise.errors import DataError

LISTED = Path(__file__).resolve().parents[2] / "benchmarks" / "uncovered.txt"


def test_a_line_is_a_kind_and_a_question(tmp_path: Path) -> None:
    path = tmp_path / "uncovered.txt"
    path.write_text("greeting\tHello there\n\nbread\tCan I freeze bread?\n", "utf-8")
    assert read_uncovered(path) == (
        UncoveredQuestion(kind="greeting", question="Hello there"),
        UncoveredQuestion(kind="bread", question="Can I freeze bread?"),
    )


@pytest.mark.parametrize("line", ["Can I freeze bread?", "bread\t", "\tCan I freeze bread?"])
def test_a_line_that_lacks_a_part_is_named(tmp_path: Path, line: str) -> None:
    path = tmp_path / "uncovered.txt"
    path.write_text(f"greeting\tHello\n{line}\n", "utf-8")
    with pytest.raises(DataError, match=r"uncovered\.txt:2: .*expected a kind, a tab"):
        read_uncovered(path)


def test_a_file_without_questions_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "uncovered.txt"
    path.write_text("\n", "utf-8")
    with pytest.raises(DataError, match="holds no questions"):
        read_uncovered(path)


def test_the_questions_that_no_rule_covers_are_all_different() -> None:
    questions = [other.question for other in read_uncovered(LISTED)]
    assert len(set(questions)) == len(questions) == 200
