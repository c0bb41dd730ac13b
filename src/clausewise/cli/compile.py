"""`clausewise compile`: rule texts into rule trees, and people's corrections back."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated

import typer

from clausewise.askers.template import TemplateAsker
from clausewise.build import load_compiler
from clausewise.cli.load import JsonOption, print_json
from clausewise.cli.progress import bar
from clausewise.compiler.cues import CueCompiler
from clausewise.compiler.drafts import CueDrafts
from clausewise.compiler.review import Compilation, Drafts, compile_rules
from clausewise.encoder.places import shipped_model
from clausewise.knowledge.base import KnowledgeBase, is_store
from clausewise.knowledge.reviewed import match_trees, stored_trees, trees_at
from clausewise.knowledge.store import Stored, StoredTree, write_store
from clausewise.segmenters.clauses import ClauseSegmenter
from clausewise.trees.tree import RuleTree
from clausewise.trees.write import to_json


@dataclass(frozen=True, slots=True, kw_only=True)
class CompileReport:
    """What compiling did, for people and for programs."""

    compiled: int
    kept: int
    """Trees of people, which outrank the machine's."""
    review: tuple[str, ...]
    """The rules whose trees a person should look at."""
    changed: tuple[tuple[str, str, str], ...]
    """Rules that changed after their tree was edited: id, the edited file, the new one."""

    @classmethod
    def of(cls, compilation: Compilation) -> CompileReport:
        """Return the report of a compilation."""
        return cls(
            compiled=len(compilation.drafts),
            kept=len(compilation.kept),
            review=tuple(draft.tree.rule_id for draft in compilation.to_review),
            changed=tuple(
                (each.rule_id, str(each.edited), str(each.fresh)) for each in compilation.changed
            ),
        )


def compile_(
    knowledge_base: Annotated[
        Path, typer.Argument(metavar="KB", help="A knowledge base, or rules as for --rules.")
    ],
    review: Annotated[
        Path | None,
        typer.Option("--review", metavar="DIR", help="Gets one YAML a rule, to be corrected."),
    ] = None,
    model: Annotated[
        Path | None, typer.Option("--model", metavar="DIR", help="A trained compiler.")
    ] = None,
    asker: Annotated[
        Path | None, typer.Option("--asker", metavar="DIR", help="A trained asker.")
    ] = None,
    as_json: JsonOption = False,
) -> None:
    """Compile rule texts into rule trees; what people corrected is kept and outranks."""
    knowledge = KnowledgeBase.open(knowledge_base, progress=bar)
    given = trees_at(knowledge_base, knowledge=knowledge)
    compilation = compile_rules(
        knowledge.rules,
        compiler=_compiler(model, asker=asker),
        reviewed=match_trees(given, rules=knowledge.rules),
        folder=review,
        progress=bar,
    )
    if is_store(knowledge_base):
        write_store(knowledge_base, _stored(compilation, knowledge=knowledge))
    report = CompileReport.of(compilation)
    if as_json:
        print_json(_plain(report))
        return
    _tell(report)


def _compiler(model: Path | None, *, asker: Path | None) -> Drafts:
    folder = model or shipped_model("compiler")
    if folder is None:
        cues = CueCompiler(segmenter=ClauseSegmenter(), asker=TemplateAsker())
        return CueDrafts(compiler=cues)
    return load_compiler(folder, asker=asker or shipped_model("asker"))


def _stored(compilation: Compilation, *, knowledge: KnowledgeBase) -> Stored:
    """Return the knowledge base with all trees; no tree that a person made is dropped."""
    people = [tree for tree in knowledge.trees if tree.reviewed]
    hashes = {rule.rule_id: rule.content_hash for rule in knowledge.rules}
    drafts = (
        StoredTree(
            rule_id=draft.tree.rule_id,
            json=to_json(draft.tree),
            reviewed=False,
            content_hash=hashes[draft.tree.rule_id],
        )
        for draft in compilation.drafts
    )
    edited = stored_trees(_unique(compilation.kept), rules=knowledge.rules)
    return Stored(rules=knowledge.rules, trees=tuple(dict.fromkeys((*people, *edited, *drafts))))


def _unique(trees: Sequence[RuleTree]) -> tuple[RuleTree, ...]:
    return tuple({to_json(tree): tree for tree in trees}.values())


def _plain(report: CompileReport) -> dict[str, object]:
    changed = [
        {"rule": rule, "edited": edited, "fresh": fresh} for rule, edited, fresh in report.changed
    ]
    return {
        "compiled": report.compiled,
        "kept": report.kept,
        "review": list(report.review),
        "changed": changed,
    }


def _tell(report: CompileReport) -> None:
    typer.echo(
        f"{report.compiled} rules compiled, {len(report.review)} of them to be reviewed; "
        f"{report.kept} trees of people kept"
    )
    for rule, edited, fresh in report.changed:
        typer.echo(
            f"{rule} changed after its tree was edited: {edited} holds the edited tree of the old "
            f"text, {fresh} the compiled tree of the new; edit the new one, then delete the old"
        )
