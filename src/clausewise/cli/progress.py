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
    ProgressColumn,
    Task,
    TextColumn,
    TimeRemainingColumn,
)
from rich.text import Text

Item = TypeVar("Item")

_PATIENCE_SECONDS = 2.0


def bar(items: Iterable[Item], *, label: str, total: int | None = None) -> Iterable[Item]:
    """Return the items, drawing a bar on stderr where a person watches."""
    return _drawn(items, label=label, total=total) if sys.stderr.isatty() else items


class _Speed(ProgressColumn):
    """How many items were done in a second, of late."""

    def render(self, task: Task) -> Text:
        """Return the speed; nothing before there is any."""
        return Text(f"{task.speed:.1f}/s" if task.speed else "")


def _drawn(items: Iterable[Item], *, label: str, total: int | None) -> Iterator[Item]:
    columns = (
        TextColumn("{task.description}"),
        BarColumn(),
        MofNCompleteColumn(),
        _Speed(),
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
