from __future__ import annotations

from clausewise.datasets.orsharc import Gold, Sample
from clausewise.datasets.statistics import Statistics, compare
from clausewise.types import Dialogue, Turn

TURN = Turn(question="Is your car small?", answer="No")


def sample(*, answer: str = "Yes", scenario: str = "", turns: int = 0, evidence: int = 0) -> Sample:
    dialogue = Dialogue(question="Can I?", scenario=scenario, turns=(TURN,) * turns)
    gold = Gold(answer=answer, rule_id="permit", evidence=(TURN,) * evidence)
    return Sample(utterance_id="u", dialogue=dialogue, gold=gold)


def test_shares_are_counted() -> None:
    statistics = Statistics.of(
        [
            sample(answer="No", scenario="a b c", turns=5, evidence=1),
            sample(answer="Is it?", scenario="a b c d e"),
            sample(answer="Yes"),
            sample(answer="Yes"),
        ]
    )
    shares = {share.name: share.percent for share in statistics.shares}
    assert (shares["answer Yes"], shares["answer No"], shares["answer is a question"]) == (
        50,
        25,
        25,
    )
    assert (shares["turns 0"], shares["turns 4 or more"], shares["evidence 1"]) == (75, 25, 25)
    assert (shares["scenario empty"], shares["scenario 1-10 words"]) == (50, 50)
    assert statistics.mean_scenario_words == 4


def test_the_report_shows_both_sides_and_the_largest_gap() -> None:
    report = compare([sample(), sample(turns=1)], reference=[sample()])
    assert report.largest_gap == 50
    assert "turns 1                       50.0        0.0   +50.0" in str(report).splitlines()
