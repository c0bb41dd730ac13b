from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import pytest

from clausewise.datasets.dialogue_config import DialogueConfig, ScenarioWeights
from clausewise.datasets.dialogues import simulate
from clausewise.datasets.orsharc import read_samples
from clausewise.datasets.simulated import SimulatedSample, write_samples
from clausewise.datasets.split import read_trainable_ids, require_trainable
from clausewise.datasets.statistics import compare
from clausewise.errors import DataError
from clausewise.trees.evaluate import evaluate
from clausewise.trees.read import read_trees
from clausewise.trees.values import State
from clausewise.types import WordsFrom
from tests.data import DATA, needs_data
from tests.datasets.trees import ALLOTMENT, PERMIT, TREES

TREE_OF = {tree.rule_id: tree for tree in TREES}


def simulated(count: int = 400, *, config: DialogueConfig | None = None) -> list[SimulatedSample]:
    return list(simulate(TREES, count=count, seed=7, config=config))


def only(**weights: float) -> DialogueConfig:
    nothing = dict.fromkeys(("none", "settling", "restated", "irrelevant", "chatter"), 0.0)
    return DialogueConfig(scenario=ScenarioWeights(**(nothing | weights)), paraphrased=0)


def test_the_same_seed_gives_the_same_samples() -> None:
    assert simulated(50) == simulated(50)
    assert simulated(50) != list(simulate(TREES, count=50, seed=8))


def test_more_samples_begin_with_the_fewer() -> None:
    assert simulated(80)[:30] == simulated(30)


def test_utterance_ids_are_unique() -> None:
    assert len({each.sample.utterance_id for each in simulated()}) == 400


def test_the_answer_follows_from_the_states_by_the_logic() -> None:
    for each in simulated():
        tree = TREE_OF[each.sample.gold.rule_id]
        states = {known.condition.key: known.state for known in each.conditions}
        value = evaluate(tree.logic, states)
        if each.asked:
            assert value is State.UNKNOWN
            assert each.sample.gold.answer == each.asked.question
        else:
            verdict = value if not each.reversed else ~value
            assert each.sample.gold.answer == {State.ENTAILED: "Yes"}.get(verdict, "No")


def test_the_condition_that_is_asked_about_is_open() -> None:
    for each in simulated():
        states = {known.condition: known.state for known in each.conditions}
        assert each.asked is None or states[each.asked] is State.UNKNOWN


def test_spans_cut_the_conditions_out_of_the_rule_text() -> None:
    for each in simulated(100):
        for known in each.conditions:
            assert known.condition.span.cut(each.rule_text) == known.condition.text


def test_evidence_is_stated_by_the_scenario_and_never_asked_about() -> None:
    for each in simulated(config=only(settling=1.0)):
        asked = {turn.question for turn in each.sample.dialogue.turns}
        evidence = {turn.question for turn in each.sample.gold.evidence}
        assert evidence
        assert not asked & evidence
        for known in each.conditions:
            if known.said_in is WordsFrom.SCENARIO:
                said = known.condition.yes if known.state is State.ENTAILED else known.condition.no
                scenario = each.sample.dialogue.scenario.lower()
                assert any(statement.lower()[:-1] in scenario for statement in said)


def test_a_restated_fact_is_no_evidence_and_has_been_asked_about() -> None:
    for each in simulated(config=replace(only(restated=1.0), stray=0, careless=0)):
        assert not each.sample.gold.evidence
        assert each.sample.dialogue.turns
        assert any(
            statement[:-1] in each.sample.dialogue.scenario
            for known in each.conditions
            if known.said_in is WordsFrom.ANSWER
            for statement in known.condition.yes + known.condition.no
        )


@pytest.mark.parametrize("kind", ["irrelevant", "chatter", "none"])
def test_a_scenario_beside_the_point_settles_nothing(kind: str) -> None:
    for each in simulated(config=only(**{kind: 1.0})):
        assert not each.sample.gold.evidence
        assert bool(each.sample.dialogue.scenario) == (kind != "none")
        known_by = {known.said_in for known in each.conditions}
        assert known_by <= {None, WordsFrom.ANSWER}


def test_a_question_is_turned_round_together_with_its_answer() -> None:
    turned = [each for each in simulated(config=DialogueConfig(reversed=1.0)) if each.reversed]
    assert {each.sample.dialogue.question for each in turned} == {
        f"Am I {wording} a {topic}?"
        for topic in TREE_OF
        for wording in ("barred from getting", "ineligible for")
    }


def test_every_turn_of_a_dialogue_can_be_a_sample() -> None:
    config = replace(only(none=1.0), keep_question=1.0, reversed=0)
    first, second, *_ = simulate([ALLOTMENT], count=2, seed=1, config=config)
    assert [len(each.sample.dialogue.turns) for each in (first, second)] == [0, 1]
    assert first.asked == ALLOTMENT.conditions[0]


def test_written_samples_are_read_back(tmp_path: Path) -> None:
    samples = simulated(20)
    path = tmp_path / "dialogues.jsonl"
    write_samples(samples, path=path)
    assert read_samples(path) == tuple(each.sample for each in samples)
    line = json.loads(path.read_text(encoding="utf-8").splitlines()[0])
    assert set(line) >= {"rule_text", "conditions", "asked", "reversed"}
    assert set(line["conditions"][0]) == {"key", "text", "span", "state", "said_in"}


def test_a_tree_without_questions_or_text_is_refused() -> None:
    for broken in (replace(PERMIT, questions=()), replace(PERMIT, rule_text=None)):
        with pytest.raises(DataError, match="tree 'tree-permit': needs a rule text and a user's"):
            next(simulate([broken], count=1, seed=1))


def test_no_trees_are_refused() -> None:
    with pytest.raises(DataError, match="no trees"):
        simulate([], count=1, seed=1)


@needs_data
@pytest.mark.data
def test_the_defaults_look_like_the_development_set() -> None:
    trees = read_trees(DATA / "trees" / "or_sharc.jsonl")
    require_trainable(
        trees, trainable_ids=read_trainable_ids(DATA / "or_sharc" / "trainable_rule_ids.json")
    )
    trees += read_trees(DATA / "trees" / "public_rules.jsonl")
    samples = [each.sample for each in simulate(trees, count=8000, seed=1)]
    report = compare(samples, reference=read_samples(DATA / "or_sharc" / "dev.jsonl"))
    assert report.largest_gap < 5, str(report)
