"""How long a turn takes, system by system: to decide, and to ask where that is needed.

Every turn is given to all systems, one after the other, before the next: whatever else the machine
does meanwhile, it does to all of them. Retrieval is the same for all and stays outside.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from clausewise.engine import Engine
from clausewise.evaluation.latency import Latency
from clausewise.progress import Progress, silent
from clausewise.types import Dialogue, FoundSpan, Hit


@dataclass(frozen=True, slots=True, kw_only=True)
class TimedTurn:
    """A dialogue and the rule texts that are read with it, of which there is at least one."""

    dialogue: Dialogue
    hits: tuple[Hit, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class TimedSystem:
    """A system in one form."""

    name: str
    form: str
    """How it is run: 'torch fp32', 'ONNX int8'."""
    size_mb: float
    """Of all weights that a turn needs."""
    decide: Callable[[TimedTurn], FoundSpan | None]
    """Reads and decides; returns the span to ask about, where that is found on the way."""
    ask: Callable[[TimedTurn, FoundSpan | None], str] | None = None
    """Finds the span, where `decide` doesn't, and writes the question; None where asking costs
    nothing more."""
    prepare: Callable[[TimedTurn], None] | None = None
    """Does what is done once a rule text and not once a turn, as compiling it; not timed."""


@dataclass(frozen=True, slots=True, kw_only=True)
class TurnSpeed:
    """What a turn took."""

    name: str
    form: str
    size_mb: float
    decide: Latency
    ask: Latency | None
    """On top, where the decision is to ask."""

    def to_json(self) -> Mapping[str, object]:
        """Return the figures for programs."""
        return {
            "system": self.name,
            "form": self.form,
            "size_mb": round(self.size_mb, 1),
            "decide_ms": self.decide.to_json(),
            "ask_ms": None if self.ask is None else self.ask.to_json(),
        }


def measure_turns(
    systems: Sequence[TimedSystem], turns: Sequence[TimedTurn], *, progress: Progress = silent
) -> tuple[TurnSpeed, ...]:
    """Return what the turns took each system; the first of them is for warming up."""
    deciding: list[list[float]] = [[] for _ in systems]
    asking: list[list[float]] = [[] for _ in systems]
    for number, turn in enumerate(progress(turns, label="Turns", total=len(turns))):
        for system in systems:
            if system.prepare is not None:
                system.prepare(turn)
        for place, system in enumerate(systems):
            began = time.perf_counter()
            span = system.decide(turn)
            decided = time.perf_counter()
            if system.ask is not None:
                system.ask(turn, span)
            asked = time.perf_counter()
            if number > 0:
                deciding[place].append(decided - began)
                asking[place].append(asked - decided)
    return tuple(
        TurnSpeed(
            name=system.name,
            form=system.form,
            size_mb=system.size_mb,
            decide=Latency.of(deciding[place]),
            ask=None if system.ask is None else Latency.of(asking[place]),
        )
        for place, system in enumerate(systems)
    )


def engine_system(name: str, engine: Engine, *, size_mb: float, form: str) -> TimedSystem:
    """Return an engine as a system; it asks with a question that its tree has ready."""

    def decided(turn: TimedTurn) -> None:
        engine.reply_to(turn.dialogue, hits=turn.hits)

    def compiled(turn: TimedTurn) -> None:
        # Nothing is said here, so nothing is judged that the turn will be judged by.
        engine.reply_to(Dialogue(question=turn.dialogue.question), hits=turn.hits)

    return TimedSystem(name=name, form=form, size_mb=size_mb, decide=decided, prepare=compiled)
