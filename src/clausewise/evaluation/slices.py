"""The parts of a data set that are reported beside the whole.

`unseen` shows what a system makes of rules that it was not trained on. The first turns are the
honest part: there the dialogue doesn't tell yet which rule it is about, nor what was answered.
"""

from __future__ import annotations

from clausewise.datasets.orsharc import Sample


def is_seen(sample: Sample) -> bool:
    """Say whether the data's training part uses the sample's rule text."""
    return sample.gold.seen is True


def is_unseen(sample: Sample) -> bool:
    """Say whether the data's training part leaves the sample's rule text out."""
    return sample.gold.seen is False


def is_first_turn(sample: Sample) -> bool:
    """Say whether nothing has been asked yet."""
    return not sample.dialogue.turns


def is_first_turn_with_scenario(sample: Sample) -> bool:
    """Say whether all that is known is what the person wrote of their own accord."""
    return not sample.dialogue.turns and bool(sample.dialogue.scenario.strip())
