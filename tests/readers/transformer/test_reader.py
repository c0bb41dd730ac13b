from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import pytest

from clausewise.askers.template import TemplateAsker
from clausewise.engine import Engine
from clausewise.errors import ConfigError
from clausewise.readers.transformer.config import ReaderModelConfig, SystemName
from clausewise.readers.transformer.encode import Packed
from clausewise.readers.transformer.model import OnnxReaderModel
from clausewise.readers.transformer.reader import JointReader
from clausewise.readers.transformer.scores import Scores
from clausewise.retrievers.coverage import LexicalCoverage
from clausewise.trees.values import Span, State
from clausewise.types import Answer, Decision, Dialogue, FoundSpan, Hit, Inquiry
from tests.fakes import FixedRetriever
from tests.readers.transformer.test_encode import ASKED, HENS, STALLS, packer

HITS = (Hit(rule=STALLS, score=2.0), Hit(rule=HENS, score=1.0))


@dataclass(frozen=True, kw_only=True)
class FixedModel:
    """Says the same of every sequence; the last unit is settled."""

    system: SystemName = "mudern"
    decision: Decision = Decision.YES
    state: State = State.ENTAILED

    @property
    def config(self) -> ReaderModelConfig:
        return ReaderModelConfig(system=self.system, segmenter="sentences")

    def run(self, packed: Packed) -> Scores:
        decision = np.array([each is self.decision for each in Decision], np.float32)
        states = np.tile(np.array([0, 0, 5], np.float32), (len(packed.units), 1))
        states[-1] = [9.0 * (state is self.state) for state in State]
        return Scores(decision=decision, states=states if self.config.has_states else None)


@dataclass(frozen=True, kw_only=True)
class FindsShed:
    """Always finds the shed."""

    def find(self, dialogue: Dialogue, *, hits: Sequence[Hit]) -> FoundSpan:
        del dialogue
        rule = next(hit.rule for hit in hits if "shed" in hit.rule.text)
        start = rule.text.index("need a shed")
        return FoundSpan(rule=rule, span=Span(start=start, end=start + len("need a shed")))


def reader(model: FixedModel, *, spans: FindsShed | None = None) -> JointReader:
    asker = TemplateAsker()
    return JointReader(model=model, packer=packer(), asker=asker, template=asker, spans=spans)


def test_the_reading_is_of_the_rule_text_that_is_settled_most() -> None:
    reading = reader(FixedModel()).read(ASKED, hits=HITS)
    assert reading.decision is Decision.YES
    assert reading.rule.rule == HENS
    assert [condition.text for condition in reading.rule.tree.conditions] == [
        "You may keep hens.", "You need a shed.",
    ]  # fmt: skip
    assert [one.state for one in reading.rule.judgements] == [State.UNKNOWN, State.ENTAILED]
    assert reading.rule.judgements[1].probability == pytest.approx(1.0, abs=1e-3)


def test_systems_of_one_rule_text_read_the_best() -> None:
    reading = reader(FixedModel(system="discern")).read(ASKED, hits=HITS)
    assert reading.rule.rule == STALLS
    assert reading.rule.judgements[-1].state is State.ENTAILED


def test_a_system_without_states_leaves_all_units_unknown() -> None:
    reading = reader(FixedModel(system="mp")).read(ASKED, hits=HITS)
    assert reading.rule.rule == STALLS
    assert {one.state for one in reading.rule.judgements} == {State.UNKNOWN}


def test_what_the_finder_finds_is_asked_about() -> None:
    model = FixedModel(decision=Decision.INQUIRE)
    reading = reader(model, spans=FindsShed()).read(ASKED, hits=HITS)
    assert reading.asks is not None
    assert reading.asks.text == "need a shed"
    assert reading.asks.key == "u2"
    assert reading.rule.rule == HENS


def test_nothing_is_looked_for_where_nothing_is_asked() -> None:
    assert reader(FixedModel(), spans=FindsShed()).read(ASKED, hits=HITS).asks is None


@pytest.mark.parametrize("decision", Decision)
def test_an_engine_replies_with_the_decision(decision: Decision) -> None:
    engine = Engine(
        retriever=FixedRetriever(rules=(STALLS, HENS)),
        coverage=LexicalCoverage((STALLS, HENS)),
        reader=reader(FixedModel(decision=decision), spans=FindsShed()),
        top_k=5,
        minimum_coverage=0.0,
    )
    reply = engine.reply(ASKED)
    if decision is Decision.INQUIRE:
        assert isinstance(reply, Inquiry)
        assert reply.rule == HENS
        assert "shed" in reply.question
    else:
        assert isinstance(reply, Answer)
        assert reply.verdict is (decision is Decision.YES)


def test_without_a_finder_an_open_unit_is_asked_about() -> None:
    model = FixedModel(decision=Decision.INQUIRE, state=State.ENTAILED)
    engine = Engine(
        retriever=FixedRetriever(rules=(HENS,)),
        coverage=LexicalCoverage((HENS,)),
        reader=reader(model),
        top_k=5,
        minimum_coverage=0.0,
    )
    reply = engine.reply(ASKED)
    assert isinstance(reply, Inquiry)
    assert reply.condition.text == "You may keep hens."


def test_a_folder_that_is_none_of_a_reader_is_refused(tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match="is no joint reader"):
        OnnxReaderModel.load(tmp_path / "missing")
    (tmp_path / "config.json").write_text('{"system": "oscar"}', "utf-8")
    with pytest.raises(ConfigError, match="system: 'oscar' is unknown, expected one of mudern"):
        OnnxReaderModel.load(tmp_path)


@pytest.mark.parametrize(("field", "value"), [("layers", -1), ("max_tokens", 8)])
def test_a_configuration_of_nothing_is_refused(field: str, value: int) -> None:
    with pytest.raises(ConfigError, match=field):
        ReaderModelConfig(**{field: value})  # type: ignore[arg-type]
