"""What most commands begin with: the rules, the reviewed trees, the configuration."""

from __future__ import annotations

import json
import shlex
import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Annotated

import typer

import clausewise
from clausewise.build import build_engine
from clausewise.compiler.review import is_untouched
from clausewise.config import EngineConfig, config_from, read_config
from clausewise.engine import Engine
from clausewise.errors import InputError, Where
from clausewise.knowledge.base import KnowledgeBase
from clausewise.knowledge.reviewed import compiled_trees, trees_at
from clausewise.progress import Progress
from clausewise.trees.read import read_trees
from clausewise.trees.tree import RuleTree

ConfigOption = Annotated[
    Path | None, typer.Option("--config", metavar="FILE", help="TOML configuration of the engine.")
]
RulesOption = Annotated[
    Path | None,
    typer.Option(
        "--rules",
        metavar="PATH",
        help="A folder of Markdown, a JSON object id -> text, or a knowledge base made by "
        "`clausewise ingest`. Default: the demonstration rules.",
    ),
]
TreesOption = Annotated[
    list[Path] | None,
    typer.Option(
        "--trees",
        metavar="PATH",
        help="Reviewed rule trees (JSON lines, or a folder of YAML); repeatable. They outrank "
        "the compiler.",
    ),
]
RetrieverOption = Annotated[
    str | None, typer.Option("--retriever", metavar="NAME", help="How rule texts are found.")
]
ReaderOption = Annotated[
    str | None, typer.Option("--reader", metavar="NAME", help="How rule texts are read.")
]
ReaderModelOption = Annotated[
    Path | None,
    typer.Option(
        "--reader-model", metavar="DIR", help="The folder of the trained joint reader of --reader."
    ),
]
SpanModelOption = Annotated[
    Path | None,
    typer.Option(
        "--span-model",
        metavar="DIR",
        help="The folder of a trained span finder, for `mudern`, `mp` and `discern`.",
    ),
]
JsonOption = Annotated[bool, typer.Option("--json", help="Print JSON.")]


@dataclass(frozen=True, slots=True, kw_only=True)
class Body:
    """A body of rules and the trees that there are for it."""

    knowledge: KnowledgeBase
    trees: tuple[RuleTree, ...]
    compiled: tuple[RuleTree, ...] = ()
    """The machine's trees that `clausewise compile` left in the knowledge base."""

    @classmethod
    def load(cls, rules: Path | None, *, trees: Sequence[Path] | None = None) -> Body:
        """Return the rules at a path, with the trees kept beside them and those named."""
        path = rules or demonstration_rules()
        knowledge = KnowledgeBase.open(path)
        texts = {rule.rule_id: rule.text for rule in knowledge}
        named = [_Named.read(file, rule_texts=texts) for file in trees or ()]
        return cls(
            knowledge=knowledge,
            trees=(
                *(tree for file in named for tree in file.reviewed),
                *trees_at(path, knowledge=knowledge),
            ),
            compiled=(
                *(tree for file in named for tree in file.compiled),
                *compiled_trees(path, knowledge=knowledge),
            ),
        )

    def engine(self, config: EngineConfig, *, compiling: Progress | None = None) -> Engine:
        """Return the engine that the configuration describes, over these rules.

        With `compiling`, rules without a tree are compiled now; else when they are first read.
        """
        return build_engine(
            self.knowledge.rules,
            trees=self.trees,
            config=config,
            compiled=self.compiled,
            compiling=compiling,
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class _Named:
    """The trees at a path of --trees."""

    reviewed: tuple[RuleTree, ...]
    compiled: tuple[RuleTree, ...] = ()
    """Those that `clausewise compile --review` wrote and nobody has edited."""

    @classmethod
    def read(cls, path: Path, *, rule_texts: Mapping[str, str]) -> _Named:
        """Return the trees; TreeError at the first thing that is wrong."""
        trees = read_trees(path, rule_texts=rule_texts)
        if not path.is_dir():
            return cls(reviewed=trees)
        drafts = {
            tree
            for file in sorted(path.rglob("*.yaml"))
            if is_untouched(file)
            for tree in read_trees(file, rule_texts=rule_texts)
        }
        return cls(
            reviewed=tuple(tree for tree in trees if tree not in drafts),
            compiled=tuple(tree for tree in trees if tree in drafts),
        )


def demonstration_rules() -> Path:
    """Return the folder of the rules that come with Clausewise."""
    package = Path(clausewise.__file__).parent
    installed = package / "demonstration"
    return installed if installed.is_dir() else package.parents[1] / "rules"


def engine_config(
    config: Path | None,
    *,
    retriever: str | None = None,
    reader: str | None = None,
    reader_model: Path | None = None,
    span_model: Path | None = None,
) -> EngineConfig:
    """Return the configuration in a file with the command line's flags on top."""
    base = read_config(config, EngineConfig) if config else EngineConfig()
    flags = {
        name: value
        for name, value in (
            ("retriever", retriever),
            ("reader", reader),
            ("reader_model", reader_model),
            ("span_model", span_model),
        )
        if value is not None
    }
    checked = config_from(flags, EngineConfig)
    return replace(base, **{name: getattr(checked, name) for name in flags})


def readable(text: str, *, field: str) -> str:
    """Return a text of the command line; InputError where its bytes were no UTF-8."""
    try:
        text.encode("utf-8")
    except UnicodeEncodeError as error:
        message = f"{text[: error.start]!r} is followed by a byte that is no UTF-8, expected text"
        raise InputError(message, where=Where(field=field)) from error
    return text


def asked(question: str) -> str:
    """Return a question of the command line; InputError where it is none."""
    if not question.strip():
        message = "the question is empty, expected a text such as 'Can I park here?'"
        raise InputError(message, where=Where(field="QUESTION"))
    return readable(question, field="QUESTION")


def print_json(value: object) -> None:
    """Print a value as JSON for programs, one line."""
    typer.echo(json.dumps(value, ensure_ascii=False))


def shown_command() -> str:
    """Return the command that was given, without the folders of this machine."""
    shown = [Path(part).name if "/" in part else part for part in sys.argv[1:]]
    return shlex.join(["clausewise", *shown])
