"""Writes docs/cli.md out of the commands themselves: `python -m clausewise.cli.reference FILE`."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import typer

from clausewise.cli.app import app

_HEAD = """# Command line

Made by `make docs` from the commands themselves.

Every command exits with 0, with 1 where a check that was asked for failed, and with 2 on bad input
after one line on stderr.
"""


def reference() -> str:
    """Return the page that describes every command."""
    root = typer.main.get_command(app)
    return "\n".join([_HEAD, *_sections(root, path="clausewise")])


def _sections(command: Any, *, path: str) -> Iterator[str]:
    subcommands = getattr(command, "commands", None)
    if subcommands is not None:
        for name, subcommand in subcommands.items():
            yield from _sections(subcommand, path=f"{path} {name}")
        return
    context = typer.Context(command, info_name=path)
    yield f"## {path}\n"
    yield f"{(command.help or '').strip()}\n"
    usage = " ".join(command.collect_usage_pieces(context))
    yield f"    {path} {usage}\n"
    rows = [row for parameter in command.params if (row := _row(parameter, context))]
    if rows:
        yield "| option | what |\n|---|---|"
        yield from rows
        yield ""


def _row(parameter: Any, context: typer.Context) -> str | None:
    record = parameter.get_help_record(context)
    if record is None or "--help" in record[0]:
        return None
    option, text = (" ".join(part.split()).replace("|", "\\|") for part in record)
    return f"| `{option}` | {text} |"


if __name__ == "__main__":
    Path(sys.argv[1]).write_text(reference(), encoding="utf-8")
