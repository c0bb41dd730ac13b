"""`clausewise train`: models of your own, from reviewed rule trees."""

from __future__ import annotations

import logging
import os
import shlex
import sys
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from clausewise.cli.load import Body, JsonOption, demonstration_rules, print_json
from clausewise.cli.progress import bar
from clausewise.cli.tables import aligned, coverage_table
from clausewise.config import read_config
from clausewise.errors import MissingExtraError

if TYPE_CHECKING:
    from collections.abc import Mapping

    from clausewise.training.run import TrainingReport

app = typer.Typer(help="Train a model.", no_args_is_help=True)

ConfigFileOption = Annotated[
    Path, typer.Option("--config", metavar="FILE", help="TOML configuration of the training.")
]
OutOption = Annotated[
    Path, typer.Option("--out", metavar="DIR", help="Where the model goes; checkpoints too.")
]
DataFolderOption = Annotated[
    Path | None,
    typer.Option(
        "--data",
        metavar="DIR",
        help="What paths in the configuration are relative to. Default: $CLAUSEWISE_DATA, or the "
        "working directory.",
    ),
]


@app.command("retriever")
def retriever(
    config: ConfigFileOption,
    out: OutOption,
    data: DataFolderOption = None,
    as_json: JsonOption = False,
) -> None:
    """Train the dual encoder that finds rules by meaning; a run that was stopped goes on."""
    hush()
    try:
        from clausewise.training.retriever import RetrieverConfig  # noqa: PLC0415 - torch
        from clausewise.training.run import train_retriever  # noqa: PLC0415
    except ImportError as error:
        raise MissingExtraError("Training", extra="train") from error
    report = train_retriever(
        read_config(config, RetrieverConfig),
        folder=out,
        data=data_folder(data),
        command=_command(),
        progress=bar,
    )
    if as_json:
        print_json(asdict(report))
        return
    typer.echo(_table(report))


@app.command("coverage")
def coverage(
    encoder: Annotated[
        Path, typer.Option("--encoder", metavar="DIR", help="An exported encoder; gets the result.")
    ],
    foreign: Annotated[
        list[Path],
        typer.Option(
            "--foreign", metavar="FILE", help="Rule trees whose questions are not covered."
        ),
    ],
    rules: Annotated[
        Path | None,
        typer.Option("--rules", metavar="PATH", help="Rules with reviewed trees beside them."),
    ] = None,
    as_json: JsonOption = False,
) -> None:
    """Fit the probability that a body of rules covers a question."""
    try:
        from clausewise.training.coverage import fit_coverage  # noqa: PLC0415 - onnxruntime
    except ImportError as error:
        raise MissingExtraError("Coverage", extra="train") from error
    report = fit_coverage(
        encoder, rules=rules or demonstration_rules(), foreign=foreign, progress=bar
    )
    if as_json:
        print_json(asdict(report))
        return
    typer.echo(coverage_table(report))


def hush() -> None:
    """Keep libraries from talking over our own lines; errors they still tell."""
    os.environ.setdefault("HF_HUB_DISABLE_PROGRESS_BARS", "1")
    os.environ.setdefault("TRANSFORMERS_VERBOSITY", "error")
    logging.getLogger().setLevel(logging.ERROR)


@app.command("compiler")
def compiler(
    config: ConfigFileOption,
    out: OutOption,
    data: DataFolderOption = None,
    as_json: JsonOption = False,
) -> None:
    """Train the compiler that turns rule texts into rule trees."""
    try:
        from clausewise.training.compiler import CompilerConfig  # noqa: PLC0415 - torch
        from clausewise.training.compiler_run import train_compiler  # noqa: PLC0415
    except ImportError as error:
        raise MissingExtraError("Training", extra="train") from error
    report = train_compiler(
        read_config(config, CompilerConfig),
        folder=out,
        data=data_folder(data),
        command=_command(),
        progress=bar,
    )
    _show_scores(asdict(report), as_json=as_json)


@app.command("asker")
def asker(
    config: ConfigFileOption,
    out: OutOption,
    data: DataFolderOption = None,
    as_json: JsonOption = False,
) -> None:
    """Train an asker over the encoder of a compiler that stays as it is."""
    try:
        from clausewise.training.asker import AskerConfig, train_asker  # noqa: PLC0415 - torch
    except ImportError as error:
        raise MissingExtraError("Training", extra="train") from error
    report = train_asker(
        read_config(config, AskerConfig),
        folder=out,
        data=data_folder(data),
        command=_command(),
        progress=bar,
    )
    _show_scores(asdict(report), as_json=as_json)


@app.command("reader")
def reader(
    config: ConfigFileOption,
    out: OutOption,
    data: DataFolderOption = None,
    samples: Annotated[
        Path | None,
        typer.Option(
            "--samples",
            metavar="FILE",
            help="JSON lines like OR-ShARC's to learn from instead of simulated dialogues; what "
            "their questions are about is then found by edit distance.",
        ),
    ] = None,
    rules: Annotated[
        Path | None,
        typer.Option("--rules", metavar="FILE", help="With --samples: their rules, id -> text."),
    ] = None,
    as_json: JsonOption = False,
) -> None:
    """Train one of the papers' joint readers, and write it as ONNX; a stopped run goes on."""
    hush()
    try:
        from clausewise.training.reader_config import ReaderConfig  # noqa: PLC0415
        from clausewise.training.reader_run import train_reader  # noqa: PLC0415 - torch
    except ImportError as error:
        raise MissingExtraError("Training", extra="train") from error
    settings = read_config(config, ReaderConfig)
    if samples is not None:
        settings = settings.with_samples(samples.resolve(), rules=rules and rules.resolve())
    report = train_reader(
        settings, folder=out, data=data_folder(data), command=_command(), progress=bar
    )
    _show_scores(asdict(report), as_json=as_json)


@app.command("judge")
def judge(
    config: ConfigFileOption,
    out: OutOption,
    data: DataFolderOption = None,
    as_json: JsonOption = False,
) -> None:
    """Train the judge that reads free text, and write it as int8 ONNX."""
    hush()
    try:
        from clausewise.training.judge import JudgeConfig  # noqa: PLC0415 - torch
        from clausewise.training.judge_run import train_judge  # noqa: PLC0415
    except ImportError as error:
        raise MissingExtraError("Training", extra="train") from error
    report = train_judge(
        read_config(config, JudgeConfig),
        folder=out,
        data=data_folder(data),
        own=Body.load(None).trees,
        command=_command(),
        progress=bar,
    )
    _show_scores(asdict(report), as_json=as_json)


@app.command("segmenter")
def segmenter(
    config: ConfigFileOption,
    out: OutOption,
    data: DataFolderOption = None,
    as_json: JsonOption = False,
) -> None:
    """Train the segmenter that cuts sentences into discourse units, and write it as int8 ONNX."""
    hush()
    try:
        from clausewise.training.segmenter import SegmenterConfig  # noqa: PLC0415 - torch
        from clausewise.training.segmenter_run import train_segmenter  # noqa: PLC0415
    except ImportError as error:
        raise MissingExtraError("Training", extra="train") from error
    report = train_segmenter(
        read_config(config, SegmenterConfig),
        folder=out,
        data=data_folder(data),
        command=_command(),
        progress=bar,
    )
    _show_scores(asdict(report), as_json=as_json)


@app.command("span")
def span(
    config: ConfigFileOption,
    out: OutOption,
    data: DataFolderOption = None,
    as_json: JsonOption = False,
) -> None:
    """Train what finds the words to ask about in the retrieved rule texts, as MUDERN does."""
    hush()
    try:
        from clausewise.training.span import SpanConfig  # noqa: PLC0415 - torch
        from clausewise.training.span_run import train_span  # noqa: PLC0415
    except ImportError as error:
        raise MissingExtraError("Training", extra="train") from error
    report = train_span(
        read_config(config, SpanConfig),
        folder=out,
        data=data_folder(data),
        command=_command(),
        progress=bar,
    )
    _show_scores(asdict(report), as_json=as_json)


@app.command("seq2seq")
def seq2seq(
    config: ConfigFileOption,
    out: OutOption,
    data: DataFolderOption = None,
    as_json: JsonOption = False,
) -> None:
    """Train a pre-trained sequence model (BART, T5) to write questions, as the papers do."""
    hush()
    try:
        from clausewise.training.seq2seq import Seq2SeqConfig, train_seq2seq  # noqa: PLC0415
    except ImportError as error:
        raise MissingExtraError("Training", extra="train") from error
    report = train_seq2seq(
        read_config(config, Seq2SeqConfig),
        folder=out,
        data=data_folder(data),
        command=_command(),
        progress=bar,
    )
    _show_scores(asdict(report), as_json=as_json)


@app.command("editor")
def editor(
    config: ConfigFileOption,
    out: OutOption,
    data: DataFolderOption = None,
    as_json: JsonOption = False,
) -> None:
    """Train E3's editor, which asks by writing words around those of the rule."""
    hush()
    try:
        from clausewise.training.editor import EditorTrainingConfig  # noqa: PLC0415 - torch
        from clausewise.training.editor_run import train_editor  # noqa: PLC0415
    except ImportError as error:
        raise MissingExtraError("Training", extra="train") from error
    report = train_editor(
        read_config(config, EditorTrainingConfig),
        folder=out,
        data=data_folder(data),
        command=_command(),
        progress=bar,
    )
    _show_scores(asdict(report), as_json=as_json)


def _show_scores(report: Mapping[str, Any], *, as_json: bool) -> None:
    if as_json:
        print_json(report)
        return
    typer.echo("\n".join(f"{name}: {value}" for name, value in report["scores"].items()))


def data_folder(given: Path | None) -> Path:
    """Return the folder that paths of training data are relative to."""
    return given or Path(os.environ.get("CLAUSEWISE_DATA", "."))


def _command() -> str:
    return shlex.join(["clausewise", *sys.argv[1:]])


def _table(report: TrainingReport) -> str:
    columns: dict[str, Mapping[str, float]] = {
        "before": report.untrained,
        **{f"epoch {epoch.epoch}": epoch.scores for epoch in report.epochs},
        "saved": report.scores,
    }
    rows = [("", "", *columns)]
    rows += [
        (name, "", *(f"{scores[name]:.2f}" for scores in columns.values()))
        for name in report.scores
    ]
    times = "\n".join(
        f"epoch {epoch.epoch}: loss {epoch.loss:.4f}, {epoch.seconds:.0f} s"
        for epoch in report.epochs
    )
    return f"{aligned(rows)}\n{times}"
