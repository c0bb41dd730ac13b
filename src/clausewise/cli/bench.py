"""`clausewise bench`: speed and memory, side by side with the libraries that do the same."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import cycle, islice
from pathlib import Path
from typing import Annotated

import typer

from clausewise.cli import bench_reading
from clausewise.cli.load import Body, JsonOption, demonstration_rules, print_json
from clausewise.cli.progress import bar
from clausewise.cli.tables import aligned
from clausewise.datasets.orsharc import read_samples
from clausewise.encoder import OnnxEncoder
from clausewise.errors import DataError, Where
from clausewise.evaluation.speed.report import Skipped, SpeedFigures, SpeedReport, SpeedRow
from clausewise.evaluation.speed.run import Plan, chosen, measure_speed
from clausewise.trees.tree import RuleTree
from clausewise.types import Dialogue

app = typer.Typer(help="Measure speed and memory, side by side with peers.", no_args_is_help=True)

DEFAULT_SIZES = (651, 10_000)
_STEP = 7
"""How far apart the samples of a data file are that become queries: neighbours are much alike."""


@app.callback()
def root() -> None:
    """Measure speed and memory, side by side with peers."""


@app.command("retrieval")
def retrieval(
    rules: Annotated[
        list[Path] | None,
        typer.Option(
            "--rules",
            metavar="PATH",
            help="Rules whose sentences make the passages; repeatable. Default: the "
            "demonstration rules.",
        ),
    ] = None,
    data: Annotated[
        Path | None,
        typer.Option(
            "--data",
            metavar="FILE",
            help="OR-ShARC's JSON lines, for the queries. Default: questions and statements of "
            "the demonstration trees.",
        ),
    ] = None,
    size: Annotated[
        list[int] | None,
        typer.Option(
            "--size", min=1, help="How many passages; repeatable. Default: 651 and 10000."
        ),
    ] = None,
    engine: Annotated[
        list[str] | None,
        typer.Option("--engine", metavar="NAME", help="What to measure; repeatable. Default: all."),
    ] = None,
    queries: Annotated[int, typer.Option("--queries", min=1, help="How many queries.")] = 200,
    encoder: Annotated[
        Path | None,
        typer.Option("--encoder", metavar="DIR", help="An exported encoder, for real vectors."),
    ] = None,
    scratch: Annotated[
        Path | None,
        typer.Option("--scratch", metavar="DIR", help="Where indexes are written and removed."),
    ] = None,
    seed: Annotated[int, typer.Option("--seed", help="Of the recombined passages.")] = 0,
    as_json: JsonOption = False,
) -> None:
    """Measure building, memory, disk and queries of every engine; peers need the `bench` extra."""
    bodies = [Body.load(path) for path in rules or [demonstration_rules()]]
    plan = Plan(
        texts=tuple(rule.text for body in bodies for rule in body.knowledge.rules),
        dialogues=_dialogues(data, count=queries),
        sizes=tuple(size or DEFAULT_SIZES),
        engines=chosen(engine or []),
        seed=seed,
        encoder=OnnxEncoder.load(encoder) if encoder else None,
        encoder_folder=encoder,
    )
    report = measure_speed(plan, scratch=scratch, progress=bar)
    if as_json:
        print_json(report.to_json())
    else:
        typer.echo("\n".join(report_lines(report)))


app.command("reading")(bench_reading.reading)


def _dialogues(data: Path | None, *, count: int) -> tuple[Dialogue, ...]:
    if data is not None:
        found = [sample.dialogue for sample in read_samples(data)]
        spread = [dialogue for start in range(_STEP) for dialogue in found[start::_STEP]]
        return tuple(
            Dialogue(question=one.question, scenario=one.scenario) for one in spread[:count]
        )
    dialogues = tuple(islice(tree_dialogues(Body.load(None).trees), count))
    if not dialogues:
        where = Where(file=str(demonstration_rules()))
        raise DataError("has no trees with questions, expected some or --data", where=where)
    return dialogues


def tree_dialogues(trees: Iterable[RuleTree]) -> Iterator[Dialogue]:
    """Return questions of trees, every other one with things that a person says of themselves."""
    said_by_tree = [
        (tree, [text for condition in tree.conditions for text in (*condition.yes, *condition.no)])
        for tree in trees
    ]
    questions = ((question, said) for tree, said in said_by_tree for question in tree.questions)
    for (question, said), with_scenario in zip(questions, cycle((True, False)), strict=False):
        yield Dialogue(question=question, scenario=" ".join(said[:2]) if with_scenario else "")


_HEAD = (
    "engine", "", "build s", "build MB", "disk MB", "start ms", "start cpu ms", "MB", "queries/s",
    "p50 ms", "p95 ms", "p50 cpu ms", "p95 cpu ms", "recall@10",
)  # fmt: skip


def report_lines(report: SpeedReport) -> Iterator[str]:
    """Return the report for people: a table for every number of passages."""
    yield from report.about
    yield ", ".join(f"{name} {version}" for name, version in report.versions.items())
    sizes = dict.fromkeys(row.passages for row in report.rows)
    for size in sizes:
        yield ""
        yield f"{size:,} passages"
        yield aligned([_HEAD, *(_cells(row) for row in report.rows if row.passages == size)])
    notes = [row for row in report.rows if isinstance(row.outcome, Skipped)]
    if notes:
        yield ""
    for row in notes:
        if isinstance(row.outcome, Skipped):
            yield f"{row.engine} at {row.passages:,}: {row.outcome.why}"


def _cells(row: SpeedRow) -> tuple[str, ...]:
    whose = "ours" if row.ours else ""
    name = (row.engine, f"{row.kind.value} {whose}".strip())
    match row.outcome:
        case Skipped():
            return (*name, *("-" for _ in _HEAD[2:]))
        case SpeedFigures() as figures:
            return (*name, *_figure_cells(figures))


def _figure_cells(figures: SpeedFigures) -> tuple[str, ...]:
    recall = "" if figures.recall is None else f"{figures.recall:.1f}"
    return (
        f"{figures.build_seconds:.1f}",
        f"{figures.build_peak_mb:.0f}",
        f"{figures.disk_mb:.1f}",
        f"{figures.cold_start_ms:.0f}",
        f"{figures.cold_start_cpu_ms:.0f}",
        f"{figures.peak_mb:.0f}",
        f"{figures.queries_per_second:.0f}",
        f"{figures.latency.p50_ms:.2f}",
        f"{figures.latency.p95_ms:.2f}",
        f"{figures.cpu.p50_ms:.2f}",
        f"{figures.cpu.p95_ms:.2f}",
        recall,
    )
