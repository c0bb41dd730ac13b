from __future__ import annotations

from pathlib import Path

import pytest

from clausewise.evaluation.speed.stored import StoredRules


def test_rules_come_back_one_by_one_as_they_were_written(tmp_path: Path) -> None:
    StoredRules.write(tmp_path / "rules", texts=["A fee of £5.", "", "Dogs stay outside."])
    rules = StoredRules(tmp_path / "rules")
    assert [rule.text for rule in rules] == ["A fee of £5.", "", "Dogs stay outside."]
    assert rules[-1].rule_id == "2"
    assert [rule.text for rule in rules[:1]] == ["A fee of £5."]
    with pytest.raises(IndexError):
        rules[3]


def test_other_texts_have_another_fingerprint(tmp_path: Path) -> None:
    one = StoredRules.write(tmp_path / "one", texts=["ab", "c"])
    same = StoredRules.write(tmp_path / "same", texts=["ab", "c"])
    other = StoredRules.write(tmp_path / "other", texts=["a", "bc"])
    assert one.fingerprint == same.fingerprint != other.fingerprint
