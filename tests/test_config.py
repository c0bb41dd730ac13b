from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

import pytest

from clausewise.config import EngineConfig, config_from, read_config
from clausewise.errors import ConfigError

CONFIGS = Path(__file__).resolve().parents[1] / "configs"


def _file(folder: Path, content: str) -> Path:
    path = folder / "engine.toml"
    path.write_text(content, encoding="utf-8")
    return path


def test_a_file_says_only_what_differs(tmp_path: Path) -> None:
    config = read_config(_file(tmp_path, 'reader = "pattern"\n'), EngineConfig)
    assert config == EngineConfig(reader="pattern")


def test_the_shipped_engine_configuration_holds_the_defaults() -> None:
    assert read_config(CONFIGS / "engine.toml", EngineConfig) == EngineConfig()


def test_an_unknown_key_is_an_error_that_names_the_nearest(tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match=r"engine\.toml: topk: unknown key 'topk'.*'top_k'"):
        read_config(_file(tmp_path, "topk = 3\n"), EngineConfig)


def test_an_unknown_name_is_an_error_that_lists_the_known_ones(tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match="'bm52' is unknown, expected one of tfidf, bm25"):
        read_config(_file(tmp_path, 'retriever = "bm52"\n'), EngineConfig)


@pytest.mark.parametrize(
    ("content", "message"),
    [
        ("top_k = 0", "top_k: 0 rule texts can't be read"),
        ("minimum_coverage = 1.5", "minimum_coverage: 1.5 is no probability"),
        ('top_k = "five"', "top_k: 'five' is str, expected int"),
        ("top_k = true", "top_k: True is bool, expected int"),
        ("top_k = ", "is no TOML"),
    ],
)
def test_a_value_that_cant_be_is_an_error(tmp_path: Path, content: str, message: str) -> None:
    with pytest.raises(ConfigError, match=message):
        read_config(_file(tmp_path, content), EngineConfig)


def test_a_missing_file_is_an_error_that_names_it(tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match=r"nowhere\.toml: can't be read"):
        read_config(tmp_path / "nowhere.toml", EngineConfig)


def test_a_whole_number_may_stand_for_a_fraction() -> None:
    assert config_from({"minimum_coverage": 1}, EngineConfig).minimum_coverage == 1.0


@dataclass(frozen=True, slots=True, kw_only=True)
class _Inner:
    size: int


@dataclass(frozen=True, slots=True, kw_only=True)
class _Outer:
    inner: _Inner
    names: tuple[str, ...] = ()
    folder: Path | None = None


def test_tables_lists_and_paths_become_values() -> None:
    table = {"inner": {"size": 3}, "names": ["a", "b"], "folder": "out"}
    expected = _Outer(inner=_Inner(size=3), names=("a", "b"), folder=Path("out"))
    assert config_from(table, _Outer) == expected


def test_an_error_in_an_inner_table_names_the_whole_path() -> None:
    with pytest.raises(ConfigError, match=r"inner\.size: 'x' is str"):
        config_from({"inner": {"size": "x"}}, _Outer)


def test_a_missing_value_is_named() -> None:
    with pytest.raises(ConfigError, match="expected a value for inner"):
        config_from({}, _Outer)
