from __future__ import annotations

import time
from dataclasses import replace

from clausewise.askers.template import TemplateAsker
from clausewise.build import build_engine
from clausewise.compiler.cues import CueCompiler
from clausewise.config import EngineConfig
from clausewise.evaluation.speed.turns import (
    TimedSystem,
    TimedTurn,
    engine_system,
    measure_turns,
)
from clausewise.readers.compiled import CompiledReader
from clausewise.segmenters.clauses import ClauseSegmenter
from clausewise.trees.tree import RuleTree
from clausewise.trees.values import Span
from clausewise.types import Dialogue, FoundSpan, Hit, RuleText

RULE = RuleText(rule_id="hens", text="You may keep hens if your neighbours agree.")
TURNS = tuple(
    TimedTurn(dialogue=Dialogue(question=question), hits=(Hit(rule=RULE, score=1.0),))
    for question in ("Can I keep hens?", "May I keep hens?", "Are hens allowed?")
)


class Slow:
    """Decides in ten milliseconds and asks in twenty; the very first turn takes much longer."""

    def __init__(self) -> None:
        self.seen: list[str] = []

    def decide(self, turn: TimedTurn) -> FoundSpan:
        time.sleep(0.01 if self.seen else 1.0)
        self.seen.append(turn.dialogue.question)
        return FoundSpan(rule=RULE, span=Span(start=0, end=3))

    def ask(self, turn: TimedTurn, span: FoundSpan | None) -> str:
        assert span is not None
        time.sleep(0.02)
        return span.span.cut(turn.hits[0].rule.text)


def test_deciding_and_asking_are_timed_apart_and_the_first_turn_warms_up() -> None:
    slow = Slow()
    system = TimedSystem(name="slow", form="here", size_mb=1.5, decide=slow.decide, ask=slow.ask)
    (speed,) = measure_turns([system], TURNS)
    assert slow.seen == [turn.dialogue.question for turn in TURNS]
    assert 10 <= speed.decide.p95_ms < 1000
    assert speed.ask is not None
    assert speed.ask.p50_ms >= 20
    assert speed.to_json()["size_mb"] == 1.5


def test_every_turn_goes_to_all_systems_before_the_next() -> None:
    order: list[tuple[str, str]] = []

    def system(name: str) -> TimedSystem:
        return TimedSystem(
            name=name,
            form="",
            size_mb=0.0,
            decide=lambda turn: order.append((turn.dialogue.question, name)),
        )

    speeds = measure_turns([system("one"), system("two")], TURNS)
    assert order == [(turn.dialogue.question, name) for turn in TURNS for name in ("one", "two")]
    assert [speed.ask for speed in speeds] == [None, None]


def test_what_is_done_once_a_rule_text_is_not_timed() -> None:
    prepared: list[str] = []

    def prepare(turn: TimedTurn) -> None:
        time.sleep(0.05)
        prepared.append(turn.dialogue.question)

    system = TimedSystem(name="", form="", size_mb=0.0, decide=lambda _: None, prepare=prepare)
    (speed,) = measure_turns([system], TURNS)
    assert prepared == [turn.dialogue.question for turn in TURNS]
    assert speed.decide.p95_ms < 50


def test_an_engine_has_its_rules_compiled_before_it_is_timed() -> None:
    engine = build_engine([RULE], trees=(), config=EngineConfig(retriever="bm25"))
    compiled: list[str] = []
    assert isinstance(engine.reader, CompiledReader)

    class Counting:
        def compile(self, rule: RuleText) -> RuleTree:
            compiled.append(rule.rule_id)
            return CueCompiler(segmenter=ClauseSegmenter(), asker=TemplateAsker()).compile(rule)

    counted = replace(engine, reader=replace(engine.reader, compiler=Counting(), _drafts={}))
    system = engine_system("compiled", counted, size_mb=0.0, form="")
    assert system.prepare is not None
    system.prepare(TURNS[0])
    assert compiled == ["hens"]
    system.decide(TURNS[0])
    assert compiled == ["hens"]


def test_an_engine_is_timed_on_what_it_is_given() -> None:
    engine = build_engine([RULE], trees=(), config=EngineConfig(reader="pattern", retriever="bm25"))
    system = engine_system("pattern", engine, size_mb=0.0, form="no model")
    (speed,) = measure_turns([system], TURNS)
    assert speed.name == "pattern"
    assert speed.decide.p50_ms > 0
