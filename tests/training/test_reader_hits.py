from __future__ import annotations

import json
from pathlib import Path

import pytest

from clausewise.errors import DataError
from clausewise.training.reader_hits import hits_of
from clausewise.types import Dialogue, RuleText

RULES = (
    RuleText(rule_id="hens", text="You may keep hens on an allotment."),
    RuleText(rule_id="bees", text="You may keep bees in a garden."),
    RuleText(rule_id="stall", text="A stall at the market is let to traders."),
)
HENS, BEES = Dialogue(question="Can I keep hens?"), Dialogue(question="Can I keep bees?")
BOTH = Dialogue(question="Can I keep hens or bees on an allotment?")


def found(dialogues: dict[str, Dialogue], *, cache: Path, top_k: int = 1) -> dict[str, list[str]]:
    hits = hits_of(dialogues, rules=RULES, retriever="tfidf", top_k=top_k, cache=cache)
    return {name: [rule.rule_id for rule in rules] for name, rules in hits.items()}


def test_the_best_rule_texts_are_found_and_kept(tmp_path: Path) -> None:
    cache = tmp_path / "new" / "hits.json"
    assert found({"a": HENS, "b": BEES}, cache=cache) == {"a": ["hens"], "b": ["bees"]}
    (kept,) = json.loads(cache.read_text("utf-8")).values()
    assert len(kept) == 2


def test_what_is_in_the_file_is_believed_and_only_the_rest_looked_up(tmp_path: Path) -> None:
    cache = tmp_path / "hits.json"
    found({"a": HENS}, cache=cache)
    ((key, kept),) = json.loads(cache.read_text("utf-8")).items()
    (digest,) = kept
    cache.write_text(json.dumps({key: {digest: ["stall"]}}), "utf-8")
    assert found({"x": HENS, "b": BEES}, cache=cache) == {"x": ["stall"], "b": ["bees"]}


def test_more_or_fewer_rule_texts_come_from_the_same_file(tmp_path: Path) -> None:
    cache = tmp_path / "hits.json"
    assert found({"a": BOTH}, cache=cache) == {"a": ["hens"]}
    before = cache.read_text("utf-8")
    assert found({"a": BOTH}, cache=cache, top_k=2) == {"a": ["hens", "bees"]}
    assert cache.read_text("utf-8") == before


def test_hits_among_other_rules_stand_beside(tmp_path: Path) -> None:
    cache = tmp_path / "hits.json"
    found({"a": HENS}, cache=cache)
    hits_of({"a": HENS}, rules=RULES[1:], retriever="tfidf", top_k=1, cache=cache)
    assert len(json.loads(cache.read_text("utf-8"))) == 2
    assert found({"a": HENS}, cache=cache) == {"a": ["hens"]}


@pytest.mark.parametrize("content", ["[1]", "no json", '{"key": 1}'])
def test_a_file_of_something_else_is_refused(content: str, tmp_path: Path) -> None:
    cache = tmp_path / "hits.json"
    cache.write_text(content, "utf-8")
    with pytest.raises(DataError, match="holds no hits"):
        found({"a": HENS}, cache=cache)
