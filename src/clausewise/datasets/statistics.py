"""Compares the shape of simulated dialogues with that of real ones.

A model trained on dialogues that are longer, or more often answered, than the real ones learns
those habits. So the shares are printed side by side, and the largest gap is a number to test.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from clausewise.datasets.orsharc import Sample


@dataclass(frozen=True, slots=True, kw_only=True)
class Share:
    """How many samples in a hundred have a property."""

    name: str
    percent: float


@dataclass(frozen=True, slots=True, kw_only=True)
class Statistics:
    """The shape of a set of samples."""

    n: int
    shares: tuple[Share, ...]
    mean_scenario_words: float
    """Over the samples that have a scenario."""

    @classmethod
    def of(cls, samples: Sequence[Sample]) -> Statistics:
        """Return the statistics of some samples, of which there is at least one."""
        lengths = [words for sample in samples if (words := _scenario_words(sample))]
        return cls(
            n=len(samples),
            shares=tuple(
                Share(name=name, percent=100 * sum(map(has, samples)) / len(samples))
                for name, has in _PROPERTIES
            ),
            mean_scenario_words=sum(lengths) / max(1, len(lengths)),
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class StatisticsReport:
    """The statistics of simulated samples beside those of real ones."""

    simulated: Statistics
    reference: Statistics

    @property
    def largest_gap(self) -> float:
        """The largest difference between two shares in points, or the lengths' in words."""
        return max(abs(simulated - reference) for _, simulated, reference in self._rows())

    def to_json(self) -> Mapping[str, object]:
        """Return the report as the command line prints it for programs."""
        rows = {
            name: {"simulated": round(simulated, 1), "reference": round(reference, 1)}
            for name, simulated, reference in self._rows()
        }
        sizes = {"simulated": self.simulated.n, "reference": self.reference.n}
        return {"n": sizes, "shares": rows, "largest_gap": round(self.largest_gap, 1)}

    def __str__(self) -> str:
        """Return a table for people."""
        header = f"{'':24}{'simulated':>10}{'reference':>11}{'gap':>8}"
        rows = [
            f"{name:24}{simulated:>10.1f}{reference:>11.1f}{simulated - reference:>+8.1f}"
            for name, simulated, reference in self._rows()
        ]
        sizes = f"{'samples':24}{self.simulated.n:>10}{self.reference.n:>11}"
        return "\n".join([header, sizes, *rows])

    def _rows(self) -> tuple[tuple[str, float, float], ...]:
        shares = zip(self.simulated.shares, self.reference.shares, strict=True)
        return (
            *((ours.name, ours.percent, theirs.percent) for ours, theirs in shares),
            (
                "scenario, mean words",
                self.simulated.mean_scenario_words,
                self.reference.mean_scenario_words,
            ),
        )


def compare(simulated: Sequence[Sample], *, reference: Sequence[Sample]) -> StatisticsReport:
    """Return the statistics of two sets of samples side by side."""
    return StatisticsReport(simulated=Statistics.of(simulated), reference=Statistics.of(reference))


def _scenario_words(sample: Sample) -> int:
    return len(sample.dialogue.scenario.split())


def _answers(answer: str) -> Callable[[Sample], bool]:
    return lambda sample: sample.gold.answer == answer


def _between(
    measure: Callable[[Sample], int], low: int, high: int | None = None
) -> Callable[[Sample], bool]:
    return lambda sample: low <= measure(sample) and (high is None or measure(sample) <= high)


def _turns(sample: Sample) -> int:
    return len(sample.dialogue.turns)


def _evidence(sample: Sample) -> int:
    return len(sample.gold.evidence)


_PROPERTIES: tuple[tuple[str, Callable[[Sample], bool]], ...] = (
    ("answer Yes", _answers("Yes")),
    ("answer No", _answers("No")),
    ("answer is a question", lambda sample: sample.gold.answer not in {"Yes", "No"}),
    *((f"turns {n}", _between(_turns, n, n)) for n in range(4)),
    ("turns 4 or more", _between(_turns, 4)),
    ("scenario empty", _between(_scenario_words, 0, 0)),
    ("scenario 1-10 words", _between(_scenario_words, 1, 10)),
    ("scenario 11-20 words", _between(_scenario_words, 11, 20)),
    ("scenario 21-30 words", _between(_scenario_words, 21, 30)),
    ("scenario over 30 words", _between(_scenario_words, 31)),
    *((f"evidence {n}", _between(_evidence, n, n)) for n in range(3)),
    ("evidence 3 or more", _between(_evidence, 3)),
)
