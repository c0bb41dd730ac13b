"""Configuration: frozen dataclasses read from TOML.

Unknown keys are errors, contradictions are refused by the dataclasses themselves, and a file says
only what differs from the defaults.
"""

from __future__ import annotations

import difflib
import tomllib
import types
from collections.abc import Mapping
from dataclasses import MISSING, dataclass, fields, is_dataclass
from pathlib import Path
from typing import Any, Literal, TypeVar, Union, cast, get_args, get_origin, get_type_hints

from clausewise.errors import ConfigError, Where

Config = TypeVar("Config")

RetrieverName = Literal[
    "tfidf",
    "bm25",
    "fused",
    "fused-rank",
    "dense",
    "dpr++",
    "conversational",
    "conversational-lexical",
]
ReaderName = Literal[
    "pattern",
    "lexical",
    "compiled",
    "mudern",
    "mp",
    "discern",
    "emt",
    "e3",
]
"""How rules are read; all behind `compiled` are the papers' joint readers."""
JudgeName = Literal["neural", "lexical"]
CompilerName = Literal["neural", "cues"]
SegmenterName = Literal["neural", "clauses", "sentences"]
"""How joint readers cut rule texts: discourse units, conditions by cue words, or sentences."""


@dataclass(frozen=True, slots=True, kw_only=True)
class EngineConfig:
    """What an engine is put together from."""

    retriever: RetrieverName = "conversational"
    """How rule texts are found; `conversational` without its model is `conversational-lexical`."""
    reader: ReaderName = "compiled"
    """How they are read: `lexical` ignores reviewed trees, `compiled` prefers them."""
    reader_model: Path | None = None
    """The folder of a trained joint reader: `mudern`, `mp`, `discern`, `emt` and `e3` need one."""
    span_model: Path | None = None
    """The folder of a trained span finder, which tells `mudern`, `mp` and `discern` what to ask
    about; without, they ask about a unit that is still open."""
    judge: JudgeName = "neural"
    """Who tells for `compiled` what free words settle: the shipped model, or shared words."""
    compiler: CompilerName = "neural"
    """What makes trees for `compiled` of rules that nobody reviewed: the shipped model, or cues."""
    top_k: int = 5
    """How many rule texts the reader gets, and how many an abstention may name."""
    minimum_coverage: float = 0.3
    """Below this probability that the rules cover the question, the engine abstains."""

    def __post_init__(self) -> None:
        if self.top_k < 1:
            message = f"{self.top_k} rule texts can't be read, expected at least 1"
            raise ConfigError(message, where=Where(field="top_k"))
        if not 0 <= self.minimum_coverage <= 1:
            message = f"{self.minimum_coverage} is no probability, expected 0 to 1"
            raise ConfigError(message, where=Where(field="minimum_coverage"))


def read_config(path: Path, kind: type[Config]) -> Config:
    """Return the configuration in the TOML file at `path`, checked field by field."""
    try:
        table = tomllib.loads(path.read_text("utf-8"))
    except OSError as error:
        message = f"can't be read ({error.strerror}), expected a TOML file"
        raise ConfigError(message, where=Where(file=str(path))) from error
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        message = f"is no TOML in UTF-8: {error}"
        raise ConfigError(message, where=Where(file=str(path))) from error
    return config_from(table, kind, file=str(path))


def config_from(
    table: Mapping[str, object], kind: type[Config], *, file: str | None = None, prefix: str = ""
) -> Config:
    """Return the configuration that a table of plain values describes."""
    known = {item.name: item for item in fields(cast("Any", kind))}
    hints = get_type_hints(kind)
    values: dict[str, object] = {}
    for name, value in table.items():
        where = Where(file=file, field=prefix + name)
        if name not in known:
            raise ConfigError(_unknown_key(name, known=list(known)), where=where)
        values[name] = _value(value, hints[name], where=where)
    missing = [
        name
        for name, item in known.items()
        if name not in values and item.default is MISSING and item.default_factory is MISSING
    ]
    if missing:
        message = f"is missing, expected a value for {', '.join(missing)}"
        raise ConfigError(message, where=Where(file=file, field=prefix + missing[0]))
    try:
        return kind(**values)
    except ConfigError as error:
        field = prefix + (error.where.field or "")
        raise ConfigError(error.problem, where=Where(file=file, field=field)) from error


def _unknown_key(name: str, *, known: list[str]) -> str:
    near = difflib.get_close_matches(name, known, n=1)
    hint = f", did you mean {near[0]!r}?" if near else f", expected one of {', '.join(known)}"
    return f"unknown key {name!r}{hint}"


def _value(value: object, hint: Any, *, where: Where) -> object:
    """Return `value` as the type that `hint` names; a ConfigError where it doesn't fit."""
    if is_dataclass(hint) and isinstance(value, Mapping):
        prefix = f"{where.field}."
        return config_from(value, cast("type[object]", hint), file=where.file, prefix=prefix)
    origin = get_origin(hint)
    if origin is Literal:
        return _one_of(value, get_args(hint), where=where)
    if origin in (Union, types.UnionType):
        options = [option for option in get_args(hint) if option is not type(None)]
        return _value(value, options[0], where=where)
    if origin is tuple and isinstance(value, list):
        return tuple(_value(item, get_args(hint)[0], where=where) for item in value)
    return _plain(value, hint, where=where)


def _plain(value: object, hint: Any, *, where: Where) -> object:
    """Return a single value as the type; a whole number may stand for a fraction."""
    if type(value) is hint:
        return value
    if hint is float and type(value) is int:
        return float(value)
    if hint is Path and isinstance(value, str | Path):
        return Path(value)
    expected = getattr(hint, "__name__", str(hint))
    message = f"{value!r} is {type(value).__name__}, expected {expected}"
    raise ConfigError(message, where=where)


def _one_of(value: object, choices: tuple[object, ...], *, where: Where) -> object:
    if value in choices:
        return value
    listed = ", ".join(str(choice) for choice in choices)
    message = f"{value!r} is unknown, expected one of {listed}"
    raise ConfigError(message, where=where)
