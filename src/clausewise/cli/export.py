"""`clausewise export`: a trained model in the form that runs without torch."""

from __future__ import annotations

from dataclasses import asdict
from pathlib import Path
from typing import Annotated

import typer

from clausewise.cli.load import JsonOption, demonstration_rules, print_json
from clausewise.cli.train import hush
from clausewise.errors import InputError, MissingExtraError


def export(
    source: Annotated[
        str, typer.Argument(metavar="DIR", help="What `train` wrote, or the name of a backbone.")
    ],
    to: Annotated[Path, typer.Option("--to", metavar="ONNX_DIR", help="Where the result goes.")],
    rules: Annotated[
        Path | None,
        typer.Option("--rules", metavar="FILE", help="With --data: measure recall too."),
    ] = None,
    data: Annotated[
        Path | None, typer.Option("--data", metavar="FILE", help="OR-ShARC's JSON lines.")
    ] = None,
    as_json: JsonOption = False,
) -> None:
    """Write an encoder as int8 ONNX and print what it lost against torch."""
    if (rules is None) != (data is None):
        raise InputError("--rules and --data go together: recall needs both")
    hush()
    try:
        from clausewise.training.export import export_encoder  # noqa: PLC0415 - torch
        from clausewise.training.retriever import Development  # noqa: PLC0415
    except ImportError as error:
        raise MissingExtraError("Exporting", extra="train") from error
    development = Development.read(rules=rules, samples=data) if rules and data else None
    report = export_encoder(source, to=to, probes=demonstration_rules(), development=development)
    if as_json:
        print_json(asdict(report))
        return
    typer.echo(f"{to}: {report.megabytes} MB")
    typer.echo(f"cosine to torch: mean {report.mean_cosine}, lowest {report.lowest_cosine}")
    for name, value in report.onnx_scores.items():
        typer.echo(f"{name}: {value:.2f}, torch {report.torch_scores[name]:.2f}")
