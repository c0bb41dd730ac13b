"""How long work tells where it stands, without the library printing anything.

A function that takes a while accepts a `Progress` and passes its items through it. The command
line gives one that draws a bar; everybody else gets `silent`.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Protocol, TypeVar

Item = TypeVar("Item")


class Progress(Protocol):
    """Watches items go by."""

    def __call__(
        self, items: Iterable[Item], *, label: str, total: int | None = None
    ) -> Iterable[Item]:
        """Return the same items in the same order; `total` is how many, where that is known."""
        ...


def silent(items: Iterable[Item], *, label: str, total: int | None = None) -> Iterable[Item]:
    """Return the items as they are."""
    del label, total
    return items
