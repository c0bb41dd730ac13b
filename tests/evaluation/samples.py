"""Samples and engines for the tests of the measuring instruments."""

from __future__ import annotations

from clausewise.datasets.orsharc import Gold, Sample
from clausewise.types import Dialogue, Turn


def sample(
    utterance_id: str,
    *,
    answer: str = "Yes",
    rule_id: str = "permit",
    scenario: str = "",
    seen: bool | None = None,
    turns: int = 0,
) -> Sample:
    """Return a sample with the fields that matter to the test, and others that don't."""
    turn = Turn(question="Do you live in the zone?", answer="Yes")
    return Sample(
        utterance_id=utterance_id,
        dialogue=Dialogue(question="Can I get a permit?", scenario=scenario, turns=(turn,) * turns),
        gold=Gold(answer=answer, rule_id=rule_id, seen=seen),
    )
