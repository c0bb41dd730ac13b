from __future__ import annotations

from clausewise.progress import silent


def test_silent_progress_passes_the_items_through() -> None:
    assert list(silent([3, 1, 2], label="Counting", total=3)) == [3, 1, 2]
