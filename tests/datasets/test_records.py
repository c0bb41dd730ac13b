from __future__ import annotations

from pathlib import Path

import pytest

from clausewise.datasets.records import read_records
from clausewise.errors import DataError


def written(path: Path, text: str) -> Path:
    path.write_text(text, encoding="utf-8")
    return path


def test_lines_are_read_with_their_numbers_and_empty_ones_passed_over(tmp_path: Path) -> None:
    path = written(tmp_path / "data.jsonl", '{"a": "x"}\n\n{"a": "y"}\n')
    assert [(record.text("a"), record.line) for record in read_records(path)] == [
        ("x", 1),
        ("y", 3),
    ]


def test_an_array_is_read_like_lines(tmp_path: Path) -> None:
    path = written(tmp_path / "data.json", '[\n {"a": "x"},\n {"a": "y"}\n]')
    assert [record.text("a") for record in read_records(path)] == ["x", "y"]


def test_a_byte_order_mark_and_windows_line_ends_are_harmless(tmp_path: Path) -> None:
    path = tmp_path / "data.jsonl"
    path.write_bytes(b'\xef\xbb\xbf{"a": "x"}\r\n{"a": "y"}\r\n')
    assert [record.text("a") for record in read_records(path)] == ["x", "y"]


def test_a_line_separator_inside_a_string_does_not_end_the_line(tmp_path: Path) -> None:
    path = written(tmp_path / "data.jsonl", '{"a": "one\u2028two"}')
    assert [record.text("a") for record in read_records(path)] == ["one\u2028two"]


@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        ('{"a": "x"}\n{"a": }', "data:2:7: is not JSON: Expecting value"),
        ('{"a": "x"}\n3', "data:2: expected a JSON object, not 3"),
        ('[{"a": "x"}, null]', "data: [1]: expected a JSON object, not null"),
        ('[{"a": "x"},\n oops]', "data:2:2: is not JSON: Expecting value"),
        ('{"b": "x"}', "data:1: a: this field is missing"),
        ('{"a": ["' + "x" * 90 + '"]}', 'data:1: a: expected a string, not ["xxxxxxxx'),
        ('[{"a": 3}]', "data: [0].a: expected a string, not 3"),
        ('{"a": "\\ud800"}', "data:1: a: holds half a surrogate pair"),
        ("[" * 100_000, "data:1: holds JSON that is nested or sized beyond reason"),
        ('{"a": ' + "9" * 5000 + "}", "data:1: holds JSON that is nested or sized beyond reason"),
    ],
)
def test_a_complaint_says_where_and_what_was_expected(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, text: str, complaint: str
) -> None:
    monkeypatch.chdir(tmp_path)
    written(tmp_path / "data", text)
    with pytest.raises(DataError) as caught:
        [record.text("a") for record in read_records(Path("data"))]
    assert str(caught.value).startswith(complaint)


def test_a_missing_file_a_folder_and_a_binary_file_are_refused(tmp_path: Path) -> None:
    binary = tmp_path / "model.bin"
    binary.write_bytes(b"\x93NUMPY\x01\x00\xff\xff")
    for path in (tmp_path / "nowhere.jsonl", tmp_path, binary):
        with pytest.raises(DataError, match=str(path)):
            list(read_records(path))


def test_nested_objects_say_where_they_stand(tmp_path: Path) -> None:
    path = written(tmp_path / "data.jsonl", '{"turns": [{"q": "x"}, {"q": 1}]}')
    (record,) = read_records(path)
    first, second = record.records("turns")
    assert first.text("q") == "x"
    with pytest.raises(DataError, match=r":1: turns\[1\]\.q: expected a string, not 1"):
        second.text("q")


def test_optional_fields_may_be_absent_or_null_but_not_of_another_kind(tmp_path: Path) -> None:
    path = written(tmp_path / "data.jsonl", '{"flag": null, "yes": true, "odd": "true"}')
    (record,) = read_records(path)
    assert record.optional_flag("flag") is None
    assert record.optional_flag("absent") is None
    assert record.optional_flag("yes") is True
    assert record.optional_text("absent") is None
    with pytest.raises(DataError, match='odd: expected true or false, not "true"'):
        record.optional_flag("odd")
