"""The `clausewise` command: its commands in one place, and how it ends.

It exits with 0, with 1 where a check that was asked for failed, and with 2 on bad input after one
line on stderr. Anything else is a bug and shows its traceback.
"""

from __future__ import annotations

import errno
import os
import sys
from typing import Annotated, Any

import typer

from clausewise import __version__
from clausewise.cli import (
    bench,
    chat,
    check,
    evaluate,
    export,
    find,
    ingest,
    reproduce,
    simulate,
    train,
)
from clausewise.cli import (
    compile as compile_command,
)
from clausewise.errors import ClausewiseError

app = typer.Typer(
    name="clausewise",
    help='Answers "Can I ...?" questions against a body of natural-language rules.',
    no_args_is_help=True,
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"]},
)
app.command("chat")(chat.chat)
app.command("ask")(chat.ask)
app.command("search")(find.search)
app.command("ingest")(ingest.ingest)
app.command("compile")(compile_command.compile_)
app.command("check")(check.check)
app.add_typer(evaluate.app, name="evaluate")
app.command("score")(evaluate.score)
app.add_typer(reproduce.app, name="reproduce")
app.command("simulate")(simulate.simulate)
app.add_typer(train.app, name="train")
app.command("export")(export.export)
app.add_typer(bench.app, name="bench")


def _version(asked: bool) -> None:
    if asked:
        typer.echo(__version__)
        raise typer.Exit


@app.callback()
def root(
    version: Annotated[
        bool, typer.Option("--version", callback=_version, is_eager=True, help="Print the version.")
    ] = False,
) -> None:
    """Answer "Can I ...?" questions against a body of natural-language rules."""


_UsageError: type[Exception] = typer.BadParameter.mro()[1]
"""Click's, which older versions of typer import and newer ones carry inside."""


def main() -> None:
    """Run the command line and end the process with its exit code."""
    _open_closed_streams()
    sys.exit(run(sys.argv[1:]))


def _open_closed_streams() -> None:
    """Read nothing and write nowhere where the caller closed a stream (`>&-`), which is None."""
    for name, mode in (("stdin", "r"), ("stdout", "w"), ("stderr", "w")):
        if getattr(sys, name) is None:
            nowhere = os.open(os.devnull, os.O_RDWR)
            setattr(sys, name, os.fdopen(nowhere, mode, encoding="utf-8"))


def run(arguments: list[str]) -> int:
    """Return the exit code of the command line with these arguments."""
    try:
        status = app(arguments, prog_name="clausewise", standalone_mode=False)
        sys.stdout.flush()
    except ClausewiseError as error:
        return _fail(str(error))
    except _UsageError as error:
        return _fail(_usage(error))
    except typer.Abort:
        return 130
    except OSError as error:
        return _unwritten(error)
    except SystemExit as error:
        # typer's way to end where the reader of our output is gone
        if isinstance(error.__context__, BrokenPipeError):
            return _unwritten(error.__context__)
        raise
    return status if isinstance(status, int) else 0


def _unwritten(error: OSError) -> int:
    """Return the exit code where our output can't be written; anything else is a bug."""
    if error.errno not in {errno.EPIPE, errno.ENOSPC}:
        raise error
    # The interpreter must not flush again what it can't write.
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
    if error.errno == errno.EPIPE:  # the reader has seen enough (`| head`)
        return 0
    return _fail(f"the output can't be written: {error.strerror}")


def _usage(error: Any) -> str:
    command = error.ctx.command_path if error.ctx else "clausewise"
    problem = error.format_message() or "a command is missing"  # the help was shown instead
    return f"{command}: {problem} (see {command} --help)"


def _fail(message: str) -> int:
    sys.stderr.write(" ".join(message.split()) + "\n")
    return 2
