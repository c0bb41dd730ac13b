"""`clausewise ingest`: files and folders into a knowledge base."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from clausewise.cli.load import Body, JsonOption, print_json
from clausewise.cli.progress import bar
from clausewise.knowledge.ingest import ingest as ingest_paths
from clausewise.knowledge.reviewed import stored_trees


def ingest(
    paths: Annotated[
        list[Path], typer.Argument(help="Folders of Markdown, Markdown or JSON files.")
    ],
    into: Annotated[Path, typer.Option("--into", metavar="KB", help="The knowledge base.")],
    as_json: JsonOption = False,
) -> None:
    """Read rules into a knowledge base: one SQLite file, written whole or not at all."""
    bodies = [Body.load(path) for path in paths]
    trees = [
        tree for body in bodies for tree in stored_trees(body.trees, rules=body.knowledge.rules)
    ]
    report = ingest_paths(paths, into=into, trees=trees, progress=bar)
    if as_json:
        print_json(report.to_json())
        return
    typer.echo(
        f"{into}: {report.rules} rules and {report.trees} reviewed trees; "
        f"{len(report.added)} added, {len(report.changed)} changed, "
        f"{len(report.removed)} removed, {len(report.unchanged)} unchanged"
    )
