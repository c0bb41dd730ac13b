"""`clausewise bench reading`: milliseconds a turn, our engine beside the papers' systems."""

from __future__ import annotations

import tempfile
from collections.abc import Iterator, Sequence
from itertools import islice
from pathlib import Path
from typing import Annotated

import typer

from clausewise.build import build_asker, build_retriever, build_segmenter
from clausewise.cli.load import Body, JsonOption, print_json
from clausewise.cli.progress import bar
from clausewise.cli.tables import aligned
from clausewise.cli.train import hush
from clausewise.config import EngineConfig, ReaderName, SegmenterName
from clausewise.datasets.orsharc import read_samples
from clausewise.encoder.places import shipped_model
from clausewise.encoder.session import content_of, open_tokenizer
from clausewise.errors import ConfigError, DataError, Where
from clausewise.evaluation.speed.turns import (
    TimedSystem,
    TimedTurn,
    TurnSpeed,
    engine_system,
    measure_turns,
)
from clausewise.types import Dialogue

JOINT = ("e3", "emt", "discern", "mp", "mudern")
PAPER = "paper"
_OURS: tuple[ReaderName, ...] = ("compiled", "lexical", "pattern")
_SYSTEMS = (*_OURS[:1], *JOINT, PAPER)
_STEP = 53
"""How far apart the samples of a data file are that are timed: neighbours are one dialogue."""


def reading(
    rules: Annotated[
        Path | None,
        typer.Option("--rules", metavar="PATH", help="Default: the demonstration rules."),
    ] = None,
    data: Annotated[
        Path | None,
        typer.Option(
            "--data",
            metavar="FILE",
            help="OR-ShARC's JSON lines, for the turns. Default: questions and statements of the "
            "trees beside the rules.",
        ),
    ] = None,
    systems: Annotated[
        list[str] | None,
        typer.Option(
            "--systems",
            metavar="NAME",
            help="compiled, lexical, pattern, e3, emt, discern, mp, mudern, or paper (MUDERN with "
            "RoBERTa-base and BART-base); repeatable, or with commas. Default: compiled and the "
            "papers' systems.",
        ),
    ] = None,
    turns: Annotated[int, typer.Option("--turns", min=1, help="How many turns are timed.")] = 20,
    top_k: Annotated[int, typer.Option("--top-k", min=1, help="How many rule texts are read.")] = 6,
    as_json: JsonOption = False,
) -> None:
    """Time a turn of every system side by side; the papers' need torch, and get random weights."""
    hush()
    names = _names(systems)
    body = Body.load(rules)
    given = _turns(body, data=data, count=turns + 1, top_k=top_k)
    with tempfile.TemporaryDirectory() as scratch:
        timed, left_out = _systems(names, body=body, folder=Path(scratch))
        speeds = measure_turns(timed, given, progress=bar)
    if as_json:
        rows = [speed.to_json() for speed in speeds]
        print_json({"turns": turns, "rows": rows, "left_out": left_out})
        return
    typer.echo("\n".join(_lines(speeds, left_out=left_out)))


def _names(systems: Sequence[str] | None) -> tuple[str, ...]:
    names = [name for part in systems or () for name in part.replace(",", " ").split()]
    for name in names:
        if name not in (*_OURS, *JOINT, PAPER):
            message = f"{name!r} is unknown, expected some of {', '.join((*_OURS, *JOINT, PAPER))}"
            raise ConfigError(message, where=Where(field="systems"))
    return tuple(names) or _SYSTEMS


def _turns(body: Body, *, data: Path | None, count: int, top_k: int) -> tuple[TimedTurn, ...]:
    if data is None:
        questions = list(islice(_tree_dialogues(body), count))
    else:
        samples = [sample.dialogue for sample in read_samples(data)]
        questions = [one for start in range(_STEP) for one in samples[start::_STEP]][:count]
    if len(questions) < 2:
        where = Where(file=str(data)) if data else Where(field="rules")
        raise DataError("too few dialogues, expected at least two, or --data", where=where)
    retriever = build_retriever("conversational", rules=body.knowledge.rules, trees=body.trees)
    return tuple(
        TimedTurn(dialogue=one, hits=retriever.retrieve(one, top_k=top_k)) for one in questions
    )


def _tree_dialogues(body: Body) -> Iterator[Dialogue]:
    """Yield a question of every tree, with what settles its first condition."""
    for tree in body.trees:
        said = tree.conditions[0].yes if tree.conditions else ()
        if tree.questions:
            yield Dialogue(question=tree.questions[0], scenario=" ".join(said[:1]))


def _systems(
    names: Sequence[str], *, body: Body, folder: Path
) -> tuple[list[TimedSystem], list[str]]:
    """Return what is timed, and why the rest is left out."""
    timed = [_ours(name, body=body) for name in _OURS if name in names]
    joint = [name for name in (*JOINT, PAPER) if name in names]
    if not joint:
        return timed, []
    try:
        return [*timed, *_joint(joint, folder=folder)], []
    except ImportError as error:
        return timed, [f"{', '.join(joint)}: needs the `train` extra ({error.name} is missing)"]


def _ours(name: ReaderName, *, body: Body) -> TimedSystem:
    # Nothing is retrieved here, so the retriever is the one that is ready soonest.
    engine = body.engine(EngineConfig(reader=name, retriever="bm25"))
    model = shipped_model("judge") if name == "compiled" else None
    size = (model / "model.onnx").stat().st_size / 1e6 if model else 0.0
    return engine_system(name, engine, size_mb=size, form="ONNX int8" if model else "no model")


def _joint(names: Sequence[str], *, folder: Path) -> Iterator[TimedSystem]:
    import torch  # noqa: PLC0415 - seconds

    from clausewise.training.timed import SYSTEMS, Bench  # noqa: PLC0415

    retriever = shipped_model("retriever")
    if retriever is None:
        message = "needs the tokenizer that ships in models/retriever, which is not there"
        raise ConfigError(message, where=Where(field="systems"))
    torch.set_num_threads(1)  # as onnxruntime does here
    torch.manual_seed(0)
    segmenter: SegmenterName = "neural" if shipped_model("segmenter") else "sentences"
    bench = Bench(
        tokenizer=open_tokenizer(content_of(retriever / "tokenizer.json")),
        segmenter=build_segmenter(segmenter),
        segmenter_name=segmenter,
        asker=build_asker(),
        folder=folder,
    )
    yield from bench.systems([name for name in SYSTEMS if name in names])
    if PAPER in names:
        yield bench.as_in_the_paper()


def _lines(speeds: Sequence[TurnSpeed], *, left_out: Sequence[str]) -> Iterator[str]:
    head = ("system", "run as", "MB", "decide p50", "p95", "ask p50", "p95")
    yield "milliseconds a turn, one thread; asking comes on top of deciding"
    yield aligned([head, *(_cells(speed) for speed in speeds)])
    yield from left_out


def _cells(speed: TurnSpeed) -> tuple[str, ...]:
    asks = ("-", "-") if speed.ask is None else _percentiles(speed.ask.p50_ms, speed.ask.p95_ms)
    decides = _percentiles(speed.decide.p50_ms, speed.decide.p95_ms)
    return (speed.name, speed.form, f"{speed.size_mb:.0f}", *decides, *asks)


def _percentiles(*values: float) -> tuple[str, ...]:
    return tuple(f"{value:.1f}" for value in values)
