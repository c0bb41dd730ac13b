from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest

from clausewise.errors import RuleTextError
from clausewise.retrievers.postings import Floats, Occurrences, Postings

COUNTS: tuple[dict[int, float], ...] = ({7: 1.0, -3: 2.0}, {}, {7: 4.0})


def plain(occurrences: Occurrences) -> Floats:
    return occurrences.counts


def built() -> Postings:
    return Postings.build(COUNTS, weigh=plain)


def test_a_score_sums_query_weight_times_term_weight() -> None:
    assert built().scores({7: 10.0, -3: 1.0}).tolist() == [12.0, 0.0, 40.0]


def test_terms_that_no_rule_has_score_nothing() -> None:
    assert built().scores({8: 1.0, 10**18: 1.0, -(10**18): 1.0}).tolist() == [0.0, 0.0, 0.0]
    assert built().scores({}).tolist() == [0.0, 0.0, 0.0]


def test_weights_are_made_from_occurrences_and_how_many_rules_share_the_term() -> None:
    seen: list[Occurrences] = []

    def watch(occurrences: Occurrences) -> Floats:
        seen.append(occurrences)
        return occurrences.counts

    Postings.build(COUNTS, weigh=watch)
    assert seen[0].rules_with_term.tolist() == [1, 2, 2]
    assert seen[0].rules.tolist() == [0, 0, 2]
    assert seen[0].rule_count == 3


def test_an_index_without_any_term_can_be_built_saved_and_asked(tmp_path: Path) -> None:
    Postings.build(({}, {}), weigh=plain).save(tmp_path / "index", config={})
    loaded = Postings.load(tmp_path / "index", config={})
    assert loaded.scores({7: 1.0}).tolist() == [0.0, 0.0]


def test_a_loaded_index_is_mapped_and_scores_the_same(tmp_path: Path) -> None:
    built().save(tmp_path / "index", config={"kind": "test"})
    loaded = Postings.load(tmp_path / "index", config={"kind": "test"})
    assert isinstance(loaded.weights.base, np.memmap)
    assert loaded.scores({7: 2.0}).tolist() == built().scores({7: 2.0}).tolist()


def test_saving_again_replaces_the_old_index_and_leaves_nothing_else(tmp_path: Path) -> None:
    built().save(tmp_path / "index", config={"kind": "old"})
    built().save(tmp_path / "index", config={"kind": "new"})
    assert [path.name for path in tmp_path.iterdir()] == ["index"]
    assert json.loads((tmp_path / "index" / "config.json").read_text())["kind"] == "new"


def test_an_index_that_says_something_else_of_itself_is_refused(tmp_path: Path) -> None:
    built().save(tmp_path / "index", config={"kind": "old"})
    with pytest.raises(RuleTextError, match=r"index: kind: is 'old', expected 'new'"):
        Postings.load(tmp_path / "index", config={"kind": "new"})


def test_a_folder_without_an_index_is_refused(tmp_path: Path) -> None:
    with pytest.raises(RuleTextError, match="is no index"):
        Postings.load(tmp_path, config={})


def test_a_cut_off_index_is_refused(tmp_path: Path) -> None:
    built().save(tmp_path / "index", config={})
    (tmp_path / "index" / "weights.npy").write_bytes(b"\x93NUMPY")
    with pytest.raises(RuleTextError, match="is no index"):
        Postings.load(tmp_path / "index", config={})
