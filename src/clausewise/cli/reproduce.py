"""`clausewise reproduce`: makes the tables of docs/results.md anew."""

from __future__ import annotations

import datetime
from dataclasses import replace
from pathlib import Path
from typing import Annotated

import typer

from clausewise.build import build_retriever
from clausewise.cli import table
from clausewise.cli.evaluate import DataOption, RulesFileOption
from clausewise.cli.load import Body, shown_command
from clausewise.cli.progress import bar
from clausewise.config import EngineConfig, ReaderName, RetrieverName
from clausewise.datasets.orsharc import Sample, read_samples
from clausewise.encoder.places import shipped_model
from clausewise.evaluation.bleu import require_tokenizer
from clausewise.evaluation.reading import evaluate_reading
from clausewise.evaluation.results import (
    Provenance,
    ReadingResult,
    RetrievalResult,
    results_section,
    write_section,
)
from clausewise.evaluation.retrieval import evaluate_retrieval

app = typer.Typer(help="Make the tables of results anew.", no_args_is_help=True)

_READERS: tuple[ReaderName, ...] = ("pattern", "lexical")
_RETRIEVERS: tuple[RetrieverName, ...] = (
    "tfidf",
    "bm25",
    "dense",
    "dpr++",
    "conversational-lexical",
    "conversational",
)
_MODELS = ("retriever",)
"""The models that the baselines read."""


@app.callback()
def group() -> None:
    """Make the tables of results anew."""


@app.command("baselines")
def baselines(
    rules: RulesFileOption,
    data: DataOption,
    out: Annotated[Path, typer.Option("--out", metavar="FILE", help="The page to write.")],
) -> None:
    """Measure the baselines and write their section of the results page."""
    require_tokenizer()
    body = Body.load(rules)
    samples = read_samples(data)
    section = results_section(
        reading=[
            result for name in _READERS for result in _reading(name, body=body, samples=samples)
        ],
        retrieval=[
            result
            for name in _RETRIEVERS
            for result in _retrieval(name, body=body, samples=samples)
        ],
        provenance=Provenance.of(
            command=shown_command(),
            date=datetime.datetime.now(tz=datetime.UTC).date(),
            files=[rules, data],
            models=[folder for name in _MODELS if (folder := shipped_model(name))],
        ),
    )
    write_section(section, name="baselines", path=out)
    typer.echo(f"{out}: section 'baselines' written")


app.command("table")(table.table)


def _reading(
    name: ReaderName, *, body: Body, samples: tuple[Sample, ...]
) -> tuple[ReadingResult, ...]:
    engine = body.engine(replace(EngineConfig(), reader=name))
    gold_rules = {rule.rule_id: rule for rule in body.knowledge}
    return tuple(
        ReadingResult(
            system=name,
            setting=setting,
            report=evaluate_reading(engine, samples, gold_rules=rules, progress=bar),
        )
        for setting, rules in (("closed book", gold_rules), ("end to end", None))
    )


def _retrieval(
    name: RetrieverName, *, body: Body, samples: tuple[Sample, ...]
) -> tuple[RetrievalResult, ...]:
    retriever = build_retriever(name, rules=body.knowledge.rules, trees=())
    return tuple(
        RetrievalResult(
            retriever=name,
            setting=setting,
            report=evaluate_retrieval(retriever, samples, history=history, progress=bar),
        )
        for setting, history in (("without history", False), ("with history", True))
    )
