from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from numpy.typing import NDArray

from clausewise.errors import RuleTextError
from clausewise.retrievers.nearest import NearestIndex

pytest.importorskip("faiss")


def unit_vectors(count: int) -> NDArray[np.float32]:
    vectors = np.random.default_rng(5).standard_normal((count, 16), dtype=np.float32)
    unit: NDArray[np.float32] = vectors / np.linalg.norm(vectors, axis=1, keepdims=True)
    return unit


def test_nearly_all_of_the_nearest_are_found(tmp_path: Path) -> None:
    vectors = unit_vectors(3000)
    index = NearestIndex.build(np.array_split(vectors, 7), folder=tmp_path)
    found = 0
    for query in unit_vectors(20):
        exact = np.argsort(-(vectors @ query))[:10]
        found += len(set(exact) & set(index.nearest(query, top_k=30)))
    assert len(index) == 3000
    assert found / 200 > 0.9


def test_similarities_are_those_of_the_vectors_themselves(tmp_path: Path) -> None:
    vectors = unit_vectors(50)
    index = NearestIndex.build([vectors], folder=tmp_path)
    places = np.array([3, 40])
    similar = index.similarities(vectors[3], places=places)
    assert np.allclose(similar, vectors[places] @ vectors[3], atol=1e-3)
    spread = index.spread(vectors[3])
    assert spread.mean == pytest.approx(float((vectors @ vectors[3]).mean()), abs=1e-3)
    assert spread.deviation == pytest.approx(float((vectors @ vectors[3]).std()), abs=1e-3)


def test_asking_for_more_than_there_is_returns_all(tmp_path: Path) -> None:
    index = NearestIndex.build([unit_vectors(3)], folder=tmp_path)
    assert sorted(index.nearest(unit_vectors(1)[0], top_k=100).tolist()) == [0, 1, 2]


def test_no_vectors_are_refused(tmp_path: Path) -> None:
    with pytest.raises(RuleTextError, match="holds no vectors"):
        NearestIndex.build([], folder=tmp_path)


def test_a_folder_without_an_index_is_refused(tmp_path: Path) -> None:
    with pytest.raises(RuleTextError, match="is no index of vectors"):
        NearestIndex.open(tmp_path)


def test_an_index_of_another_format_is_refused(tmp_path: Path) -> None:
    NearestIndex.build([unit_vectors(3)], folder=tmp_path)
    said = (tmp_path / "config.json").read_text().replace('"format": 2', '"format": 7')
    (tmp_path / "config.json").write_text(said)
    with pytest.raises(RuleTextError, match="has format 7, expected 2"):
        NearestIndex.open(tmp_path)
