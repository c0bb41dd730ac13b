"""The development data, for the checks that need it; the product itself never does."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

_BESIDE = Path(__file__).resolve().parents[2] / "shared" / "data"
DATA = Path(os.environ.get("CLAUSEWISE_DATA", _BESIDE))

needs_data = pytest.mark.skipif(
    not (DATA / "or_sharc" / "dev.jsonl").is_file(),
    reason="no development data: set CLAUSEWISE_DATA to the folder that holds or_sharc/dev.jsonl",
)
