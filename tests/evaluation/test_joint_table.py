from __future__ import annotations

import datetime
import json
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path

import pytest

from clausewise.datasets.orsharc import Gold, Sample
from clausewise.errors import ConfigError, DataError
from clausewise.evaluation.joint_table import (
    SETTINGS,
    Questions,
    SystemResult,
    TablePlan,
    answers,
    mean_and_deviation,
    score_joint,
)
from clausewise.evaluation.results import Provenance
from clausewise.evaluation.table_page import TablePage
from clausewise.trees.values import Span
from clausewise.types import Dialogue, RuleText, Turn

RULE = RuleText(rule_id="hens", text="You may keep hens if your neighbours agree.")
RULES = {"hens": RULE}
SAMPLES = (
    Sample(
        utterance_id="u1",
        dialogue=Dialogue(question="Can I keep hens?"),
        gold=Gold(answer="Do your neighbours agree?", rule_id="hens", seen=True),
    ),
    Sample(
        utterance_id="u2",
        dialogue=Dialogue(
            question="Can I keep hens?", turns=(Turn(question="Agree?", answer="No"),)
        ),
        gold=Gold(answer="No", rule_id="hens", seen=False),
    ),
)
MADE = Provenance(command="clausewise reproduce table", date=datetime.date(2025, 3, 1), files=())


class Doubts:
    """Asks whether the words are so, and counts how often it is asked."""

    def __init__(self) -> None:
        self.asked = 0

    def ask(self, span: Span, *, rule: RuleText) -> str:
        self.asked += 1
        return f"Do {span.cut(rule.text)}?"


def write(path: Path, lines: Sequence[Mapping[str, object]]) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text("".join(json.dumps(line) + "\n" for line in lines), "utf-8")


def plan_in(folder: Path, *systems: str, seeds: int = 1) -> TablePlan:
    return TablePlan(
        systems=systems,
        seeds=tuple(range(seeds)),
        work=folder,
        rules=folder / "rules.json",
        samples=folder / "dev.jsonl",
    )


def span(start: int = 21, end: int = 42, rule_id: str = "hens") -> dict[str, object]:
    return {"rule_id": rule_id, "start": start, "end": end}


def read_lines(*decisions: str) -> list[Mapping[str, object]]:
    return [
        {"utterance_id": f"u{number}", "decision": decision, "span": None, "states": []}
        for number, decision in enumerate(decisions, start=1)
    ]


def finished(folder: Path, *, seeds: int = 2) -> TablePlan:
    """Write what mudern and mp read; the second seed of mudern is wrong once."""
    plan = plan_in(folder, "mudern", "mp", seeds=seeds)
    for seed in plan.seeds:
        for setting in SETTINGS:
            second = "Yes" if seed else "No"
            write(plan.read("mudern", seed, setting), read_lines("Inquire", second))
            write(plan.read("mp", seed, setting), read_lines("Inquire", "Inquire"))
            spans = plan.spans("mp", seed, setting)
            assert spans is not None
            write(spans, [{"utterance_id": f"u{each}", **span()} for each in (1, 2)])
        for system in plan.joint:
            learned_from = [{"name": "trees.jsonl", "sha256": "0123456789abcdef"}]
            manifest = {
                "backbone": "tiny",
                "seconds": 60 * (seed + 1),
                "data": learned_from,
                "command": "clausewise reproduce table --seeds 2",
                "notes": ["80 simulated dialogues, seed 0, 60 s", "epoch 1: loss 2", "epoch 2: -"],
            }
            write(plan.folder(system, seed) / "manifest.json", [manifest])
    return plan


def test_an_unknown_system_is_an_error_that_lists_the_known_ones(tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match="'oscar' is unknown, expected some of pattern, lexical"):
        plan_in(tmp_path, "oscar")


def test_what_is_yet_to_be_made_is_told(tmp_path: Path) -> None:
    missing = plan_in(tmp_path, "e3", "discern", "pattern").missing()
    names = {str(path.relative_to(tmp_path)) for path in missing}
    assert "e3/seed-0/tfidf.jsonl" in names
    assert "editor/seed-0/config.json" in names
    assert "span/seed-0/tfidf-first.jsonl" in names
    # E3 finds its own spans, DISCERN reads one text alone, and pattern needs nothing.
    assert len(names) == 3 + 1 + 3 + 3


def test_nothing_is_missing_of_what_is_finished(tmp_path: Path) -> None:
    assert finished(tmp_path).missing() == ()


def test_a_question_is_written_about_the_span_of_the_same_sample(tmp_path: Path) -> None:
    write(tmp_path / "read.jsonl", read_lines("Inquire", "No"))
    write(tmp_path / "spans.jsonl", [{"utterance_id": "u1", **span()}])
    said = answers(
        tmp_path / "read.jsonl", spans=tmp_path / "spans.jsonl", rules=RULES, asker=Doubts()
    )
    assert said == {"u1": "Do your neighbours agree?", "u2": "No"}


def test_a_system_may_find_its_own_span(tmp_path: Path) -> None:
    line = {"utterance_id": "u1", "decision": "Inquire", "span": span()}
    write(tmp_path / "read.jsonl", [line])
    said = answers(tmp_path / "read.jsonl", spans=None, rules=RULES, asker=Doubts())
    assert said == {"u1": "Do your neighbours agree?"}


@pytest.mark.parametrize(
    ("found", "message"),
    [
        (span(rule_id="geese"), "'geese' is no rule"),
        (span(start=40, end=99), r"span\.end: \[40, 99\) cuts nothing out of 'hens'"),
        (None, "expected a span"),
    ],
)
def test_a_span_that_cuts_nothing_out_is_an_error(
    tmp_path: Path, found: object, message: str
) -> None:
    line = {"utterance_id": "u1", "decision": "Inquire", "span": found}
    write(tmp_path / "read.jsonl", [line])
    with pytest.raises(DataError, match=message):
        answers(tmp_path / "read.jsonl", spans=None, rules=RULES, asker=Doubts())


def test_a_sample_without_a_span_is_an_error(tmp_path: Path) -> None:
    write(tmp_path / "read.jsonl", read_lines("Inquire"))
    write(tmp_path / "spans.jsonl", [])
    with pytest.raises(DataError, match="has no span"):
        answers(
            tmp_path / "read.jsonl", spans=tmp_path / "spans.jsonl", rules=RULES, asker=Doubts()
        )


def test_the_same_words_are_asked_about_once() -> None:
    doubts = Doubts()
    questions = Questions(doubts)
    asked = {questions.ask(Span(start=21, end=42), rule=RULE) for _ in range(3)}
    assert asked == {"Do your neighbours agree?"}
    assert doubts.asked == 1


def test_the_deviation_is_that_of_a_sample() -> None:
    assert mean_and_deviation([1.0, 2.0, 3.0]) == (2.0, 1.0)
    assert mean_and_deviation([5.0]) == (5.0, 0.0)


def results(folder: Path) -> tuple[SystemResult, ...]:
    pytest.importorskip("spacy")
    plan = finished(folder)
    askers = {system: [Doubts() for _ in plan.seeds] for system in plan.joint}
    return tuple(score_joint(plan, SAMPLES, rules=RULES, askers=askers))


def test_every_seed_of_every_system_is_scored_in_every_setting(tmp_path: Path) -> None:
    scored = results(tmp_path)
    assert [(each.system, each.setting) for each in scored] == [
        (system, setting) for system in ("mudern", "mp") for setting in SETTINGS
    ]
    assert [report.overall.micro for report in scored[0].reports] == [100.0, 50.0]
    assert scored[0].reports[0].overall.f1_bleu[0] == 100.0
    assert scored[0].origin is not None
    assert scored[0].origin.seconds == (60.0, 120.0)


def test_the_page_shows_means_deviations_and_the_papers_order(tmp_path: Path) -> None:
    page = TablePage(results=results(tmp_path), provenance=MADE, remarks=("A remark.",)).text()
    assert "| mudern | all | 2 | 75.0 ± 35.4 |" in page
    assert "| mp | unseen | 1 | 0.0 ± 0.0 |" in page
    assert "| mudern | tiny | 80 simulated dialogues | 2 | 2 | 1.5 ± 0.7 |" in page
    assert "standard deviation" in page
    row = next(line for line in page.splitlines() if line.startswith("| mudern − mp |"))
    assert row == "| mudern − mp | +25.0 ± 35.4 | +25.0 ± 35.4 | +25.0 ± 35.4 |"
    assert "A remark." in page
    assert "learned from `trees.jsonl` (SHA-256 `0123456789ab`), by\n\n    clausewise" in page
    assert page.count("clausewise reproduce table --seeds 2") == 1
    tables = [line for line in page.splitlines() if line.startswith("| mp |")]
    assert len(tables) == 1 + len(SETTINGS) * 4


def test_of_one_seed_the_page_says_that_nothing_is_known_of_others(tmp_path: Path) -> None:
    one = [
        replace(each, reports=each.reports[:1], origin=None)
        for each in results(tmp_path)
        if each.setting == "closed-book"
    ]
    page = TablePage(results=tuple(one), provenance=MADE).text()
    assert "One seed" in page
    assert "±" not in page


def test_notes_that_are_no_list_are_an_error(tmp_path: Path) -> None:
    pytest.importorskip("spacy")
    plan = finished(tmp_path, seeds=1)
    wrong = {"backbone": "tiny", "data": [], "seconds": 1, "command": "train", "notes": "none"}
    write(plan.folder("mp", 0) / "manifest.json", [wrong])
    askers = {system: [Doubts()] for system in plan.joint}
    with pytest.raises(DataError, match=r"manifest\.json: notes: expected a list"):
        list(score_joint(plan, SAMPLES, rules=RULES, askers=askers))


def test_a_manifest_that_does_not_tell_how_long_it_took_is_an_error(tmp_path: Path) -> None:
    pytest.importorskip("spacy")
    plan = finished(tmp_path, seeds=1)
    write(plan.folder("mp", 0) / "manifest.json", [{"backbone": "tiny", "data": []}])
    askers = {system: [Doubts()] for system in plan.joint}
    with pytest.raises(DataError, match=r"manifest\.json: seconds: expected how long"):
        list(score_joint(plan, SAMPLES, rules=RULES, askers=askers))


def test_a_page_without_a_pair_says_nothing_of_an_order(tmp_path: Path) -> None:
    own = [each for each in results(tmp_path) if each.system == "mp"]
    page = TablePage(results=tuple(own), provenance=MADE).text()
    assert "order" not in page
