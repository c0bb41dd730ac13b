"""A progress bar for people: on a terminal, and only for work of more than two seconds."""

from __future__ import annotations

import sys
import time
from collections.abc import Iterable, Iterator
from typing import TypeVar

from rich.console import Console
from rich.progress import (
    BarColumn,
    MofNCompleteColumn,
    Progress,
    TextColumn,
    TimeRemainingColumn,
)

Item = TypeVar("Item")

_PATIENCE_SECONDS = 2.0


def bar(items: Iterable[Item], *, label: str, total: int | None = None) -> Iterable[Item]:
    """Return the items, drawing a bar on stderr where a person watches."""
    return _drawn(items, label=label, total=total) if sys.stderr.isatty() else items


def _drawn(items: Iterable[Item], *, label: str, total: int | None) -> Iterator[Item]:
    columns = (
        TextColumn("{task.description}"),
        BarColumn(),
        MofNCompleteColumn(),
        TimeRemainingColumn(),
    )
    started, shown = time.monotonic(), False
    display = Progress(*columns, console=Console(stderr=True), transient=True)
    task = display.add_task(label, total=total)
    try:
        for item in items:
            yield item
            display.advance(task)
            if not shown and time.monotonic() - started > _PATIENCE_SECONDS:
                display.start()
                shown = True
    finally:
        if shown:
            display.stop()
