"""The command line: the only place, beside the server, that talks to people."""

from clausewise.cli.app import main

__all__ = ["main"]
