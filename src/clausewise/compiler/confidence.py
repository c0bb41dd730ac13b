"""How sure a compiled tree is of itself, and when a person should look at it."""

from __future__ import annotations

import json
import math
from dataclasses import asdict, dataclass, field
from pathlib import Path

_EDGE = 1e-6


@dataclass(frozen=True, slots=True, kw_only=True)
class Scale:
    """Turns a network's own probability into one that holds (Platt 1999)."""

    slope: float = 1.0
    shift: float = 0.0

    def __call__(self, probability: float) -> float:
        """Return the calibrated probability."""
        inside = min(max(probability, _EDGE), 1 - _EDGE)
        score = self.slope * math.log(inside / (1 - inside)) + self.shift
        return 1 / (1 + math.exp(-min(max(score, -30.0), 30.0)))


@dataclass(frozen=True, slots=True, kw_only=True)
class Calibration:
    """The scales of the parts of a tree, and where review begins."""

    conditions: Scale = field(default_factory=Scale)
    logic: Scale = field(default_factory=Scale)
    questions: Scale = field(default_factory=Scale)
    review_below: float = 0.5
    """A tree is marked for review where one of its parts is less sure than this."""

    @classmethod
    def read(cls, folder: Path) -> Calibration:
        """Return the calibration in a model's folder; scales that change nothing without one."""
        path = folder / "calibration.json"
        if not path.is_file():
            return cls()
        fields = json.loads(path.read_text("utf-8"))
        scales = {name: Scale(**fields[name]) for name in ("conditions", "logic", "questions")}
        return cls(**scales, review_below=fields["review_below"])

    def write(self, folder: Path) -> None:
        """Write `calibration.json` into a folder."""
        (folder / "calibration.json").write_text(json.dumps(asdict(self), indent=2) + "\n", "utf-8")


@dataclass(frozen=True, slots=True, kw_only=True)
class Confidence:
    """How likely the parts of a compiled tree are right."""

    conditions: tuple[float, ...]
    """That a person would mark about the same words."""
    questions: tuple[float, ...]
    """That a person would ask in about these words."""
    logic: float
    """That the logic over these conditions is a person's."""
    outcome: float | None
    """Of the words of the outcome; None where none were found."""
    complete: bool
    """Whether the rule text was read to its end."""

    @property
    def weakest(self) -> float:
        """The confidence of what decides and is the least sure; 0 for a text that was cut.

        A question in other words than a person's still asks the same, so questions stay out.
        """
        return min((*self.conditions, self.logic)) if self.complete else 0.0
