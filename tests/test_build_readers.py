from __future__ import annotations

from pathlib import Path

import pytest

from clausewise.build import build_engine
from clausewise.config import EngineConfig
from clausewise.errors import ConfigError
from tests.fakes import PERMIT


def test_a_joint_reader_needs_the_folder_of_its_model() -> None:
    with pytest.raises(ConfigError, match="reader_model: 'mudern' needs a trained model"):
        build_engine([PERMIT], trees=(), config=EngineConfig(reader="mudern"))


@pytest.mark.parametrize("reader", ["mudern", "mp", "discern", "emt", "e3"])
def test_a_folder_that_is_missing_is_named(reader: str, tmp_path: Path) -> None:
    missing = tmp_path / "missing"
    config = EngineConfig(reader=reader, reader_model=missing)  # type: ignore[arg-type]
    with pytest.raises(ConfigError, match=r"missing/config\.json: is no joint reader"):
        build_engine([PERMIT], trees=(), config=config)
