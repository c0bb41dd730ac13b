"""`clausewise simulate`: training dialogues out of reviewed rule trees."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from clausewise.cli.load import Body, JsonOption, print_json
from clausewise.cli.progress import bar
from clausewise.config import read_config
from clausewise.datasets.dialogue_config import DialogueConfig
from clausewise.datasets.dialogues import simulate as simulated
from clausewise.datasets.orsharc import read_samples
from clausewise.datasets.simulated import write_samples
from clausewise.datasets.statistics import compare
from clausewise.trees.read import read_trees


def simulate(
    out: Annotated[
        Path, typer.Option("--out", metavar="FILE", help="Where the samples go: JSON lines.")
    ],
    trees: Annotated[
        list[Path] | None,
        typer.Option(
            "--trees",
            metavar="PATH",
            help="Rule trees with statements; repeatable. Default: the demonstration rules'.",
        ),
    ] = None,
    count: Annotated[int, typer.Option("--count", metavar="N", min=1, help="How many.")] = 20_000,
    seed: Annotated[int, typer.Option("--seed", metavar="N", help="Same seed, same samples.")] = 0,
    config: Annotated[
        Path | None, typer.Option("--config", metavar="FILE", help="TOML: the mixing weights.")
    ] = None,
    beside: Annotated[
        Path | None,
        typer.Option("--beside", metavar="FILE", help="OR-ShARC samples to compare with."),
    ] = None,
    as_json: JsonOption = False,
) -> None:
    """Simulate dialogues in OR-ShARC's form, and show their statistics beside real ones."""
    sources = [tree for path in trees or () for tree in read_trees(path)]
    samples = tuple(
        bar(
            simulated(
                sources or Body.load(None).trees,
                count=count,
                seed=seed,
                config=read_config(config, DialogueConfig) if config else None,
            ),
            label="Simulating",
            total=count,
        )
    )
    write_samples(samples, path=out)
    report = None
    if beside:
        report = compare([each.sample for each in samples], reference=read_samples(beside))
    if as_json:
        comparison = {} if report is None else {"beside": report.to_json()}
        print_json({"out": str(out), "samples": len(samples), **comparison})
        return
    typer.echo(f"{out}: {len(samples)} samples")
    if report:
        typer.echo(str(report))
        typer.echo(f"largest gap: {report.largest_gap:.1f} points")
