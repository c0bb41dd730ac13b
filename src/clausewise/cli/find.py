"""`clausewise search`: which rule texts a question finds."""

from __future__ import annotations

from dataclasses import replace
from typing import Annotated

import typer

from clausewise.build import build_retriever
from clausewise.cli import render
from clausewise.cli.load import (
    Body,
    ConfigOption,
    JsonOption,
    RetrieverOption,
    RulesOption,
    TreesOption,
    asked,
    engine_config,
    print_json,
    readable,
)
from clausewise.types import Dialogue


def search(
    question: Annotated[str, typer.Argument(help='"Can I ...?"')],
    scenario: Annotated[
        str, typer.Option("--scenario", metavar="TEXT", help="What the person says of themselves.")
    ] = "",
    top_k: Annotated[int, typer.Option("--top-k", metavar="N", min=1, help="How many.")] = 5,
    rules: RulesOption = None,
    trees: TreesOption = None,
    retriever: RetrieverOption = None,
    config: ConfigOption = None,
    as_json: JsonOption = False,
) -> None:
    """Show the rule texts that a question finds, best first."""
    dialogue = Dialogue(question=asked(question), scenario=readable(scenario, field="--scenario"))
    settings = replace(engine_config(config, retriever=retriever), top_k=top_k)
    body = Body.load(rules, trees=trees)
    finder = build_retriever(settings.retriever, rules=body.knowledge.rules, trees=body.trees)
    hits = finder.retrieve(dialogue, top_k=top_k)
    if as_json:
        print_json(
            {
                "hits": [
                    {
                        "rule_id": hit.rule.rule_id,
                        "title": hit.rule.title,
                        "source": hit.rule.source,
                        "score": hit.score,
                        "text": hit.rule.text,
                    }
                    for hit in hits
                ]
            }
        )
        return
    for rank, hit in enumerate(hits, start=1):
        typer.echo(f"{rank}. {render.name(hit.rule)}  {hit.score:.3f}")
        typer.echo(f"   {' '.join(hit.rule.text.split())[:160]}")
    if not hits:
        typer.echo("No rule shares a word with the question.")
