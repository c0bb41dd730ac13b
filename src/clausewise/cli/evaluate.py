"""`clausewise evaluate` and `clausewise score`: how good a system is."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Annotated

import typer

from clausewise.askers.template import TemplateAsker
from clausewise.build import build_retriever
from clausewise.cli.load import (
    Body,
    ConfigOption,
    JsonOption,
    ReaderModelOption,
    ReaderOption,
    RetrieverOption,
    RulesOption,
    SpanModelOption,
    TreesOption,
    engine_config,
    print_json,
)
from clausewise.cli.progress import bar
from clausewise.cli.tables import coverage_table, reading_table, retrieval_table
from clausewise.datasets.orsharc import Sample, need_gold, read_samples
from clausewise.datasets.uncovered import read_uncovered
from clausewise.errors import InputError
from clausewise.evaluation.asking import evaluate_asking
from clausewise.evaluation.bleu import require_tokenizer
from clausewise.evaluation.coverage import evaluate_coverage
from clausewise.evaluation.reading import evaluate_reading, write_predictions
from clausewise.evaluation.retrieval import evaluate_retrieval
from clausewise.evaluation.score import ScoreReport, read_predictions
from clausewise.evaluation.score import score as score_predictions
from clausewise.types import Dialogue

app = typer.Typer(
    help="Measure retrieval, coverage, reading or asking on OR-ShARC's samples.",
    no_args_is_help=True,
)

RulesFileOption = Annotated[
    Path, typer.Option("--rules", metavar="FILE", help="The rules: a JSON object id -> text.")
]
DataOption = Annotated[
    Path, typer.Option("--data", metavar="FILE", help="OR-ShARC's JSON lines with gold answers.")
]


@app.command("retrieval")
def retrieval(
    rules: RulesFileOption,
    data: DataOption,
    retriever: RetrieverOption = None,
    no_history: Annotated[
        bool, typer.Option("--no-history", help="Hide the turns from the retriever.")
    ] = False,
    trees: TreesOption = None,
    config: ConfigOption = None,
    as_json: JsonOption = False,
) -> None:
    """Measure how often the rule that settles a question is found."""
    settings = engine_config(config, retriever=retriever)
    body = Body.load(rules, trees=trees)
    samples = read_samples(data)
    need_gold(samples, rule_ids={rule.rule_id for rule in body.knowledge})
    finder = build_retriever(settings.retriever, rules=body.knowledge.rules, trees=body.trees)
    report = evaluate_retrieval(finder, samples, history=not no_history, progress=bar)
    if as_json:
        print_json(report.to_json())
    else:
        typer.echo(retrieval_table({settings.retriever: report}))


@app.command("reading")
def reading(
    rules: RulesFileOption,
    data: DataOption,
    reader: ReaderOption = None,
    reader_model: ReaderModelOption = None,
    span_model: SpanModelOption = None,
    retriever: RetrieverOption = None,
    gold_rule: Annotated[
        bool, typer.Option("--gold-rule", help="Closed book: hand over the right rule text.")
    ] = False,
    trees: TreesOption = None,
    predictions: Annotated[
        Path | None,
        typer.Option("--predictions", metavar="FILE", help="Write what was said, line by line."),
    ] = None,
    config: ConfigOption = None,
    as_json: JsonOption = False,
) -> None:
    """Measure decisions and questions; the pattern baseline stands beside every result."""
    require_tokenizer()
    settings = engine_config(
        config,
        retriever=retriever,
        reader=reader,
        reader_model=reader_model,
        span_model=span_model,
    )
    body = Body.load(rules, trees=trees)
    samples = read_samples(data)
    gold_rules = {rule.rule_id: rule for rule in body.knowledge} if gold_rule else None
    report = evaluate_reading(body.engine(settings), samples, gold_rules=gold_rules, progress=bar)
    if predictions:
        write_predictions(report.predictions, path=predictions)
    if as_json:
        print_json(report.to_json())
        return
    reports: dict[str, ScoreReport] = {settings.reader: report.scores}
    if settings.reader != "pattern":
        baseline = body.engine(replace(settings, reader="pattern"))
        measured = evaluate_reading(baseline, samples, gold_rules=gold_rules, progress=bar)
        reports["pattern"] = measured.scores
    typer.echo(reading_table(reports))


@app.command("asking")
def asking(
    rules: RulesFileOption,
    data: DataOption,
    trees: TreesOption = None,
    as_json: JsonOption = False,
) -> None:
    """Measure follow-up questions against people's, with the words to ask about given."""
    require_tokenizer()
    body = Body.load(rules, trees=trees)
    report = evaluate_asking(TemplateAsker(), read_samples(data), trees=body.trees)
    if as_json:
        print_json(report.to_json())
        return
    typer.echo(f"{report.n} of {report.asked} questions are about a condition of a tree")
    for name, bleu in (("all", report.bleu), ("unseen", report.unseen_bleu)):
        typer.echo(f"template, {name}: BLEU-1 {bleu[0]:.2f}, BLEU-4 {bleu[3]:.2f}")


@app.command("coverage")
def coverage(
    uncovered: Annotated[
        Path,
        typer.Option(
            "--uncovered",
            metavar="FILE",
            help="Questions that the rules don't cover: lines of a kind, a tab and a question.",
        ),
    ],
    rules: RulesOption = None,
    data: Annotated[
        Path | None,
        typer.Option(
            "--data",
            metavar="FILE",
            help="OR-ShARC's JSON lines, for questions that are covered. Default: the questions "
            "of the reviewed trees, which are then hidden from the engine.",
        ),
    ] = None,
    retriever: RetrieverOption = None,
    no_history: Annotated[bool, typer.Option("--no-history", help="Hide the turns.")] = False,
    trees: TreesOption = None,
    config: ConfigOption = None,
    as_json: JsonOption = False,
) -> None:
    """Measure how well an engine knows what its rules don't cover."""
    body = Body.load(rules, trees=trees)
    questions = read_uncovered(uncovered)
    if data is None:
        covered = [Dialogue(question=asked) for tree in body.trees for asked in tree.questions]
        body = replace(body, trees=())
    else:
        covered = [sample.dialogue for sample in read_samples(data)]
    if no_history:
        covered = [replace(dialogue, turns=()) for dialogue in covered]
    if not covered:
        raise InputError("there are no trees with questions beside the rules, expected --data")
    engine = body.engine(engine_config(config, retriever=retriever))
    report = evaluate_coverage(engine, covered=covered, uncovered=questions, progress=bar)
    if as_json:
        print_json(report.to_json())
        return
    typer.echo(coverage_table(report))


def score(
    data: DataOption,
    predictions: Annotated[
        Path,
        typer.Option(
            "--predictions",
            metavar="FILE",
            help="Any system's output: JSON or JSON lines of utterance_id and answer.",
        ),
    ],
    as_json: JsonOption = False,
) -> None:
    """Score any system's output as OR-ShARC's evaluator does."""
    require_tokenizer()
    samples: tuple[Sample, ...] = read_samples(data)
    report = score_predictions(samples, read_predictions(predictions))
    if as_json:
        print_json(report.to_json())
        return
    typer.echo(reading_table({"predictions": report}))
    for count, what in (
        (report.missing, "samples without a prediction; each counts as wrong"),
        (report.abstained, "samples with an abstention; each counts as wrong"),
        (report.unknown, "predictions for samples that are not in the data; ignored"),
    ):
        if count:
            typer.echo(f"{count} {what}")
