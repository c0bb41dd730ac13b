from __future__ import annotations

import random
from dataclasses import replace

from clausewise.datasets.dialogue_config import DialogueConfig
from clausewise.datasets.scenarios import Fact, ScenarioWriter
from tests.datasets.trees import LOCKER, PERMIT, TREES, tree

PLAIN = DialogueConfig(introduced=0, closed=0, stray=0, joined=0, careless=0)
FACTS = tuple(Fact(condition=each, holds=True) for each in PERMIT.conditions[:2])


def stating(config: DialogueConfig, *, seed: int = 0) -> str:
    writer = ScenarioWriter(TREES, config=config)
    return writer.stating(FACTS, tree=PERMIT, rng=random.Random(seed))


def test_a_scenario_states_its_facts_in_the_words_of_the_statements() -> None:
    text = stating(PLAIN)
    for fact in FACTS:
        assert sum(statement in text for statement in fact.statements) == 1


def test_facts_come_in_any_order() -> None:
    first = {stating(PLAIN, seed=seed).index("the zone") < 40 for seed in range(20)}
    assert first == {True, False}


def test_a_stray_fact_is_about_another_rule() -> None:
    text = stating(replace(PLAIN, stray=1.0))
    assert any(word in text for word in ("garden", "field", "season ticket"))


def test_two_sentences_can_become_one() -> None:
    texts = {stating(replace(PLAIN, joined=1.0), seed=seed) for seed in range(20)}
    assert all(", and " in text and text.count(".") == 1 for text in texts)
    assert all(", and it is so" in text or ", and I can" in text for text in texts)


def test_a_scenario_can_begin_with_its_topic_and_end_with_nothing_much() -> None:
    text = stating(replace(PLAIN, introduced=1.0, closed=1.0))
    assert "a permit." in text.partition(" It ")[0] + text.partition(" I can ")[0]
    assert not text.endswith(("zone.", "small."))


def test_careless_people_type_without_capitals() -> None:
    text = stating(replace(PLAIN, careless=1.0))
    assert text == text.lower()
    assert not text.endswith(".")


def test_an_irrelevant_scenario_holds_no_fact_of_the_rule() -> None:
    writer = ScenarioWriter(TREES, config=PLAIN)
    for seed in range(20):
        text = writer.irrelevant(tree=LOCKER, rng=random.Random(seed))
        assert text
        assert "season ticket" not in text


def test_chatter_names_the_topic_and_no_fact() -> None:
    writer = ScenarioWriter(TREES, config=PLAIN)
    text = writer.chatter(tree=PERMIT, rng=random.Random(0))
    assert "a permit." in text
    assert "zone" not in text


def test_a_stray_fact_touches_nothing_that_the_rule_asks_about() -> None:
    rule_text = "Skips are for residents aged 18 or over who own a lorry."
    skip = tree("skip", rule_text=rule_text, logic="a and b", a="aged 18 or over", b="own a lorry")
    rule_text = "Juniors under 16 swim free with a towel."
    swim = tree("swim", rule_text=rule_text, logic="a and b", a="under 16", b="a towel")
    writer = ScenarioWriter([skip, swim], config=PLAIN)
    texts = {writer.irrelevant(tree=skip, rng=random.Random(seed)) for seed in range(30)}
    assert all("towel" in text and "under 16" not in text for text in texts)


def test_without_other_rules_nothing_strays_in() -> None:
    writer = ScenarioWriter([PERMIT], config=replace(PLAIN, stray=1.0))
    assert writer.irrelevant(tree=PERMIT, rng=random.Random(0)) == ""
