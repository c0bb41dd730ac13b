"""`clausewise check`: lints a body of rules and runs the tests of its authors."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from clausewise.cli.load import (
    Body,
    ConfigOption,
    JsonOption,
    ReaderOption,
    TreesOption,
    engine_config,
    print_json,
)
from clausewise.evaluation.cases import CaseResult, run_cases
from clausewise.trees.lint import Finding, Severity, lint


def check(
    knowledge: Annotated[Path, typer.Argument(metavar="KB", help="The rules to check.")],
    trees: TreesOption = None,
    strict: Annotated[bool, typer.Option("--strict", help="Fail on warnings too.")] = False,
    reader: ReaderOption = None,
    config: ConfigOption = None,
    as_json: JsonOption = False,
) -> None:
    """Lint rules and run their tests; exits with 1 where something fails."""
    body = Body.load(knowledge, trees=trees)
    texts = {rule.rule_id: rule.text for rule in body.knowledge}
    findings = lint(body.trees, rule_texts=texts)
    results = run_cases(body.trees, engine=body.engine(engine_config(config, reader=reader)))
    failures = [result for result in results if not result.passed]
    if as_json:
        print_json(_report_json(findings, results=results, rules=len(texts), trees=len(body.trees)))
    else:
        _print_report(findings, failures=failures)
        typer.echo(
            f"{len(texts)} rules, {len(body.trees)} trees, {len(results)} tests: "
            f"{len(failures)} failed, {_count(findings, Severity.ERROR)} errors, "
            f"{_count(findings, Severity.WARNING)} warnings"
        )
    errors = [item for item in findings if strict or item.severity is Severity.ERROR]
    if failures or errors:
        raise typer.Exit(1)


def _print_report(findings: tuple[Finding, ...], *, failures: list[CaseResult]) -> None:
    for finding in findings:
        place = ", ".join(finding.rule_ids)
        typer.echo(f"{finding.severity.value}: {place}: {finding.kind}: {finding.message}")
    for result in failures:
        typer.echo(
            f"failed: {result.rule_id}: {describe(result)}: "
            f"expected {result.case.expect}, got {result.got}"
        )


def describe(result: CaseResult) -> str:
    """Return what a test gives, the way its author wrote it."""
    case = result.case
    if case.question:
        answers = "".join(f", {question}={answer}" for question, answer in case.answers)
        scenario = f", {case.scenario}" if case.scenario else ""
        return f"{case.question}{scenario}{answers}"
    return ", ".join(f"{key} {'yes' if value else 'no'}" for key, value in case.given)


def _count(findings: tuple[Finding, ...], severity: Severity) -> int:
    return sum(finding.severity is severity for finding in findings)


def _report_json(
    findings: tuple[Finding, ...], *, results: tuple[CaseResult, ...], rules: int, trees: int
) -> dict[str, object]:
    return {
        "rules": rules,
        "trees": trees,
        "tests": len(results),
        "failures": [
            {
                "rule_id": result.rule_id,
                "given": describe(result),
                "expected": result.case.expect,
                "got": result.got,
            }
            for result in results
            if not result.passed
        ],
        "findings": [
            {
                "severity": finding.severity.value,
                "kind": finding.kind,
                "rule_ids": list(finding.rule_ids),
                "message": finding.message,
            }
            for finding in findings
        ],
    }
