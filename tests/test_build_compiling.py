from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from pathlib import Path
from typing import TypeVar

import pytest

from clausewise.askers.template import TemplateAsker
from clausewise.build import build_compiler, build_engine
from clausewise.cli.load import Body
from clausewise.compiler.cues import CueCompiler
from clausewise.compiler.drafts import CueDrafts
from clausewise.compiler.kept import KeepingCompiler
from clausewise.compiler.review import compile_rules
from clausewise.config import EngineConfig
from clausewise.encoder.places import shipped_model, tree_cache
from clausewise.knowledge.store import Stored, StoredTree, write_store
from clausewise.segmenters.clauses import ClauseSegmenter
from clausewise.trees.logic import Name
from clausewise.trees.write import to_json
from clausewise.types import Dialogue, Inquiry
from tests.fakes import PERMIT, condition, permit_tree

Item = TypeVar("Item")
SETTINGS = EngineConfig(retriever="bm25", judge="lexical", minimum_coverage=0)
ASKED = Dialogue(question="Can I get a second permit?")


def test_trees_in_a_compiled_knowledge_base_are_used(tmp_path: Path) -> None:
    own = condition("you live in the zone", key="a", question="Is your home in the zone?")
    tree = replace(permit_tree(), conditions=(own,), logic=Name("a"), questions=())
    base = tmp_path / "kb.db"
    stored = StoredTree(
        rule_id=PERMIT.rule_id,
        json=to_json(tree),
        reviewed=False,
        content_hash=PERMIT.content_hash,
    )
    write_store(base, Stored(rules=(PERMIT,), trees=(stored,)))

    reply = Body.load(base).engine(SETTINGS).reply(ASKED)

    assert isinstance(reply, Inquiry)
    assert reply.question == "Is your home in the zone?"
    assert not reply.reading.reviewed


def test_a_tree_of_the_text_before_is_not_used(tmp_path: Path) -> None:
    changed = replace(PERMIT, text=PERMIT.text.replace("two", "three"))
    stored = StoredTree(
        rule_id=PERMIT.rule_id,
        json=to_json(permit_tree()),
        reviewed=False,
        content_hash=PERMIT.content_hash,
    )
    write_store(tmp_path / "kb.db", Stored(rules=(changed,), trees=(stored,)))

    assert Body.load(tmp_path / "kb.db").compiled == ()


@pytest.mark.skipif(shipped_model("compiler") is None, reason="no compiler ships here")
def test_all_rules_without_a_tree_are_compiled_when_that_is_asked() -> None:
    other = replace(PERMIT, rule_id="other", text="You can get help if you rent a flat.")
    seen: list[object] = []

    def watched(items: Iterable[Item], *, label: str, total: int | None = None) -> Iterable[Item]:
        del label, total
        for item in items:
            seen.append(item)
            yield item

    trees = [permit_tree()]
    build_engine([PERMIT, other], trees=trees, config=SETTINGS, compiling=watched)

    assert seen == [other]


@pytest.mark.skipif(shipped_model("compiler") is None, reason="no compiler ships here")
def test_the_shipped_compiler_is_loaded_when_a_rule_needs_it() -> None:
    compiler = build_compiler("neural")
    assert isinstance(compiler, KeepingCompiler)
    assert "_compiler" not in vars(compiler)


def test_another_model_keeps_its_trees_elsewhere(tmp_path: Path) -> None:
    model = tmp_path / "model"
    model.mkdir()
    (model / "weights").write_bytes(b"one")
    first = tree_cache([model])
    assert tree_cache([model]) == first
    (model / "weights").write_bytes(b"two")
    assert tree_cache([model]) != first


def test_trees_that_nobody_edited_are_not_taken_for_reviewed(tmp_path: Path) -> None:
    rules, review = tmp_path / "rules", tmp_path / "review"
    rules.mkdir()
    (rules / "permits.md").write_text(f"# Permits\n\n{PERMIT.text}\n", "utf-8")
    compiler = CueDrafts(compiler=CueCompiler(segmenter=ClauseSegmenter(), asker=TemplateAsker()))
    compile_rules(Body.load(rules).knowledge.rules, compiler=compiler, folder=review)

    untouched = Body.load(rules, trees=[review])
    (file,) = review.iterdir()
    file.write_text(file.read_text("utf-8").replace("own two cars?", "have two cars?"), "utf-8")
    edited = Body.load(rules, trees=[review])

    assert (len(untouched.trees), len(untouched.compiled)) == (0, 1)
    assert (len(edited.trees), len(edited.compiled)) == (1, 0)
