from __future__ import annotations

import hashlib
from pathlib import Path

import pytest

from clausewise.errors import DataError
from clausewise.training.manifest import DataFile, Manifest, today

MANIFEST = Manifest(
    model="retriever",
    backbone="tiny",
    licence="CC0",
    command="clausewise train retriever",
    date=today(),
    data=(DataFile(name="trees.jsonl", sha256="00", used_for="training"),),
    scores={"dense, all @1": 50.0},
    notes=("one epoch",),
)


def test_a_manifest_is_read_as_it_was_written(tmp_path: Path) -> None:
    MANIFEST.write(tmp_path)
    assert Manifest.read(tmp_path) == MANIFEST


def test_data_are_known_by_their_hash(tmp_path: Path) -> None:
    file = tmp_path / "trees.jsonl"
    file.write_text("{}", "utf-8")
    entry = DataFile.of(file, used_for="training")
    assert entry.name == "trees.jsonl"
    assert entry.sha256 == hashlib.sha256(b"{}").hexdigest()
    assert DataFile.of(tmp_path, used_for="training").sha256 == entry.sha256


@pytest.mark.parametrize("content", ["", "{}", '{"data": [{"name": 1}]}'])
def test_a_manifest_that_cannot_be_read_names_its_file(tmp_path: Path, content: str) -> None:
    (tmp_path / "manifest.json").write_text(content, "utf-8")
    with pytest.raises(DataError, match=r"manifest\.json"):
        Manifest.read(tmp_path)


def test_data_that_are_not_there_are_an_error(tmp_path: Path) -> None:
    with pytest.raises(DataError, match="training data"):
        DataFile.of(tmp_path / "missing", used_for="training")
