"""`clausewise reproduce table`: the papers' systems in one table, trained and measured alike."""

from __future__ import annotations

import datetime
import json
import os
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Annotated, Literal, cast

import typer

from clausewise.askers.editor import EditorAsker
from clausewise.askers.template import TemplateAsker
from clausewise.build import build_asker, load_asker
from clausewise.cli.evaluate import DataOption, RulesFileOption
from clausewise.cli.load import Body, shown_command
from clausewise.cli.progress import bar
from clausewise.config import EngineConfig, ReaderName
from clausewise.datasets.orsharc import Sample, read_samples
from clausewise.encoder.places import shipped_model
from clausewise.encoder.rules import RuleEncoder
from clausewise.errors import ConfigError, MissingExtraError, Where
from clausewise.evaluation.bleu import require_tokenizer
from clausewise.evaluation.joint_table import (
    EVERYTHING,
    SETTINGS,
    Questions,
    Setting,
    SystemResult,
    TablePlan,
    score_joint,
)
from clausewise.evaluation.reading import evaluate_reading
from clausewise.evaluation.results import Provenance, write_section
from clausewise.evaluation.table_page import TablePage
from clausewise.protocols import Asker

Only = Literal["train", "score"]


def table(
    rules: RulesFileOption,
    data: DataOption,
    out: Annotated[Path, typer.Option("--out", metavar="FILE", help="The page to write.")],
    systems: Annotated[
        list[str] | None,
        typer.Option(
            "--systems",
            metavar="NAME",
            help="What is in the table; repeatable, or several with commas. Default: all.",
        ),
    ] = None,
    seeds: Annotated[int, typer.Option("--seeds", min=1, help="How many; from 0 on.")] = 3,
    work: Annotated[
        Path,
        typer.Option("--work", metavar="DIR", help="Where models are, and what they read."),
    ] = Path("runs/table"),
    training: Annotated[
        Path | None,
        typer.Option(
            "--training",
            metavar="DIR",
            help="The folder of the training data. Default: $CLAUSEWISE_DATA.",
        ),
    ] = None,
    configs: Annotated[
        Path, typer.Option("--configs", metavar="DIR", help="The folder of the train-*.toml files.")
    ] = Path("configs"),
    segmenter: Annotated[
        Path | None,
        typer.Option("--segmenter", metavar="DIR", help="A trained segmenter. Default: ours."),
    ] = None,
    asker: Annotated[
        str,
        typer.Option(
            "--asker",
            metavar="NAME",
            help="Who writes the questions for all but e3: `rewrite`, `template`, the folder of a "
            "trained asker, or a sequence model by path or name.",
        ),
    ] = "rewrite",
    settings: Annotated[
        list[str] | None,
        typer.Option(
            "--set", metavar="FIELD=VALUE", help="Set a field of all configurations; repeatable."
        ),
    ] = None,
    only: Annotated[
        str | None,
        typer.Option("--only", metavar="STEP", help="`train` (and read) or `score`, not both."),
    ] = None,
) -> None:
    """Train, read, ask and score the papers' systems; what is there is not done again."""
    plan = TablePlan(
        systems=_names(systems) if systems else EVERYTHING,
        seeds=tuple(range(seeds)),
        work=work,
        rules=rules,
        samples=data,
    )
    step = _step(only)
    if step != "train":
        require_tokenizer()
    if step != "score":
        _train(plan, data=training, configs=configs, changes=_changes(settings, segmenter))
    if step != "train":
        _score(plan, out=out, asker=asker)


def _names(systems: Sequence[str]) -> tuple[str, ...]:
    return tuple(name for part in systems for name in part.replace(",", " ").split())


def _step(only: str | None) -> Only | None:
    if only not in (None, "train", "score"):
        message = f"{only!r} is no step, expected train or score"
        raise ConfigError(message, where=Where(field="only"))
    return cast("Only | None", only)


def _changes(settings: Sequence[str] | None, segmenter: Path | None) -> dict[str, object]:
    changes: dict[str, object] = {"segmenter_model": segmenter.resolve()} if segmenter else {}
    for setting in settings or ():
        field, sign, value = setting.partition("=")
        if not sign:
            message = f"{setting!r} sets nothing, expected FIELD=VALUE"
            raise ConfigError(message, where=Where(field="set"))
        try:
            changes[field] = json.loads(value)
        except ValueError:
            changes[field] = value
    return changes


def _train(
    plan: TablePlan, *, data: Path | None, configs: Path, changes: Mapping[str, object]
) -> None:
    if not plan.missing():
        return
    try:
        from clausewise.training.table import train_table  # noqa: PLC0415 - torch
    except ImportError as error:
        raise MissingExtraError("Training", extra="train") from error
    folder = data or Path(os.environ.get("CLAUSEWISE_DATA", "."))
    for done in train_table(
        plan, data=folder, configs=configs, changes=changes, command=shown_command(), progress=bar
    ):
        typer.echo(f"{done.relative_to(plan.work)}: trained and read")


def _score(plan: TablePlan, *, out: Path, asker: str) -> None:
    missing = plan.missing()
    if missing:
        message = f"is missing, and {len(missing) - 1} more; make them with --only train"
        raise ConfigError(message, where=Where(file=str(missing[0])))
    body = Body.load(plan.rules)
    samples = read_samples(plan.samples)
    writer = Questions(_asker(asker))
    askers = {system: _askers(plan, system, writer=writer) for system in plan.joint}
    by_id = {rule.rule_id: rule for rule in body.knowledge}
    results = [
        *(each for name in plan.untrained for each in _untrained(name, body=body, samples=samples)),
        *score_joint(plan, samples, rules=by_id, askers=askers),
    ]
    page = TablePage(
        results=tuple(results),
        provenance=Provenance.of(
            command=shown_command(),
            date=datetime.datetime.now(tz=datetime.UTC).date(),
            files=[plan.rules, plan.samples],
        ),
        remarks=(_remark(asker),),
    )
    write_section(page.text(), name="readers", path=out)
    typer.echo(f"{out}: section 'readers' written")


def _untrained(name: str, *, body: Body, samples: Sequence[Sample]) -> Iterator[SystemResult]:
    """Yield the figures of a system that needs no training; it never abstains here."""
    gold_rules = {rule.rule_id: rule for rule in body.knowledge}
    for setting in SETTINGS:
        given = setting == "closed-book"
        config = EngineConfig(
            reader=cast("ReaderName", name),
            retriever="conversational" if given else _retriever(setting),
            minimum_coverage=0.0,
        )
        report = evaluate_reading(
            body.engine(config), samples, gold_rules=gold_rules if given else None, progress=bar
        )
        yield SystemResult(system=name, setting=setting, reports=(report.scores,))


def _retriever(setting: Setting) -> Literal["conversational", "tfidf"]:
    return "tfidf" if setting == "tfidf" else "conversational"


def _askers(plan: TablePlan, system: str, *, writer: Asker) -> list[Asker]:
    """Return who asks for each seed of a system: its editor, or the one writer of all others."""
    folders = [plan.editor(system, seed) for seed in plan.seeds]
    return [writer if folder is None else Questions(EditorAsker.load(folder)) for folder in folders]


def _asker(name: str) -> Asker:
    folder = Path(name)
    if name == "template":
        return TemplateAsker()
    if name == "rewrite":
        return build_asker()
    if (folder / "step.onnx").is_file():
        compiler = shipped_model("compiler")
        if compiler is None:
            message = "needs the encoder that ships in models/compiler, which is not there"
            raise ConfigError(message, where=Where(field="asker"))
        return load_asker(folder, encoder=RuleEncoder.load(compiler))
    try:
        from clausewise.training.seq2seq import Seq2SeqAsker, Seq2SeqConfig  # noqa: PLC0415
    except ImportError as error:
        raise MissingExtraError("A sequence model", extra="train") from error
    return Seq2SeqAsker.load(Seq2SeqConfig(model=name, trees=()))


def _remark(asker: str) -> str:
    ships = shipped_model("compiler") is not None and shipped_model("asker") is not None
    name = "template" if asker == "rewrite" and not ships else asker
    shown = Path(name).name if "/" in name else name
    return (
        f"Questions are written by `{shown}` about the words that a system finds; `e3` writes its "
        "own with its editor. `pattern`, `lexical` and `compiled` ask as they do in the engine. "
        "Nobody abstains here."
    )
