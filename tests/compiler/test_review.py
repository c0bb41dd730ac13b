from __future__ import annotations

from pathlib import Path

from clausewise.askers.template import TemplateAsker
from clausewise.compiler.cues import CueCompiler
from clausewise.compiler.drafts import CueDrafts
from clausewise.compiler.review import compile_rules, file_name, is_untouched, read_review
from clausewise.segmenters.clauses import ClauseSegmenter
from clausewise.trees.logic import format_logic
from clausewise.types import RuleText

COMPILER = CueDrafts(compiler=CueCompiler(segmenter=ClauseSegmenter(), asker=TemplateAsker()))
RULE = RuleText(rule_id="r1", text="You can park here if you live in the street and own a car.")
LATER = RuleText(rule_id="r1", text="You can park here if you live in the town and own a car.")


def test_every_rule_gets_a_file_that_reads_back(tmp_path: Path) -> None:
    done = compile_rules([RULE], compiler=COMPILER, folder=tmp_path)

    (file,) = read_review(tmp_path)
    assert file.tree == done.drafts[0].tree
    assert not file.edited


def test_an_edited_tree_outranks_the_compiler_and_stays(tmp_path: Path) -> None:
    compile_rules([RULE], compiler=COMPILER, folder=tmp_path)
    path = _edit(tmp_path)
    edited = path.read_text("utf-8")

    done = compile_rules([RULE], compiler=COMPILER, folder=tmp_path)

    assert not done.drafts
    assert "Is a car yours?" in [item.question for item in done.kept[0].conditions]
    assert path.read_text("utf-8") == edited


def test_an_untouched_file_follows_its_rule(tmp_path: Path) -> None:
    compile_rules([RULE], compiler=COMPILER, folder=tmp_path)

    done = compile_rules([LATER], compiler=COMPILER, folder=tmp_path)

    (file,) = read_review(tmp_path)
    assert file.tree.rule_text == LATER.text
    assert not done.changed


def test_nothing_is_lost_when_the_rule_of_an_edited_tree_changes(tmp_path: Path) -> None:
    compile_rules([RULE], compiler=COMPILER, folder=tmp_path)
    path = _edit(tmp_path)
    edited = path.read_text("utf-8")

    done = compile_rules([LATER], compiler=COMPILER, folder=tmp_path)

    (changed,) = done.changed
    assert path.read_text("utf-8") == edited
    assert changed.edited == path
    fresh = changed.fresh.read_text("utf-8")
    assert f"# -{RULE.text}" in fresh
    assert f"# +{LATER.text}" in fresh
    assert done.drafts[0].tree.rule_text == LATER.text


def test_an_edited_tree_of_the_new_text_ends_the_notice(tmp_path: Path) -> None:
    compile_rules([RULE], compiler=COMPILER, folder=tmp_path)
    _edit(tmp_path)
    (changed,) = compile_rules([LATER], compiler=COMPILER, folder=tmp_path).changed
    changed.fresh.write_text(changed.fresh.read_text("utf-8") + "\n", "utf-8")

    done = compile_rules([LATER], compiler=COMPILER, folder=tmp_path)

    assert not done.changed
    assert done.kept[0].rule_text == LATER.text


def test_a_tree_reviewed_elsewhere_is_not_compiled_again() -> None:
    tree = COMPILER.draft(RULE).tree

    done = compile_rules([RULE, LATER], compiler=COMPILER, reviewed={RULE.content_hash: [tree]})

    assert done.kept == (tree,)
    assert [format_logic(draft.tree.logic) for draft in done.drafts] == ["a and b"]


def test_drafts_without_a_model_are_all_to_be_reviewed() -> None:
    done = compile_rules([RULE], compiler=COMPILER)

    assert done.to_review == done.drafts


def test_names_of_files_are_safe_and_apart() -> None:
    names = {file_name(rule_id) for rule_id in ("a/b", "a b", "a#b", "../a-b", "a-b")}

    assert len(names) == 5
    assert all("/" not in name and not name.startswith(".") for name in names)


def _edit(folder: Path) -> Path:
    (file,) = read_review(folder)
    source = file.path.read_text("utf-8")
    question = file.tree.conditions[-1].question
    file.path.write_text(source.replace(question, "Is a car yours?"), "utf-8")
    return file.path


def test_only_the_latest_draft_lies_beside_an_edited_tree(tmp_path: Path) -> None:
    compile_rules([RULE], compiler=COMPILER, folder=tmp_path)
    edited = _edit(tmp_path)
    compile_rules([LATER], compiler=COMPILER, folder=tmp_path)
    latest = RuleText(rule_id="r1", text=LATER.text.replace("a car", "two cars"))

    (changed,) = compile_rules([latest], compiler=COMPILER, folder=tmp_path).changed

    assert set(tmp_path.iterdir()) == {edited, changed.fresh}


def test_a_file_is_untouched_until_somebody_edits_it(tmp_path: Path) -> None:
    compile_rules([RULE], compiler=COMPILER, folder=tmp_path)
    (path,) = tmp_path.iterdir()
    assert is_untouched(path)
    _edit(tmp_path)
    assert not is_untouched(path)
    assert not is_untouched(tmp_path / "missing.yaml")
