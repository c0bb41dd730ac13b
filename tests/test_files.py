from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from clausewise.errors import InputError
from clausewise.files import write_whole


def _lines_that_fail() -> Iterator[str]:
    yield "first\n"
    message = "the disk is on fire"
    raise RuntimeError(message)


def test_what_is_written_is_whole(tmp_path: Path) -> None:
    write_whole(tmp_path / "a.txt", ["one\n", "two\n"])
    assert (tmp_path / "a.txt").read_text("utf-8") == "one\ntwo\n"


def test_a_failure_leaves_the_file_as_it_was_and_nothing_beside_it(tmp_path: Path) -> None:
    path = tmp_path / "a.txt"
    path.write_text("before", "utf-8")
    with pytest.raises(RuntimeError):
        write_whole(path, _lines_that_fail())
    assert path.read_text("utf-8") == "before"
    assert list(tmp_path.iterdir()) == [path]


def test_a_missing_folder_is_an_error_that_names_the_file(tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"nowhere/a\.txt: can't be written"):
        write_whole(tmp_path / "nowhere" / "a.txt", ["x"])
