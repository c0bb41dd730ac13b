"""A conversation as an append-only list of events.

Nothing that was said is ever changed or lost: taking an answer back is an event of its own. What
the engine sees is the dialogue that the events add up to.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import assert_never

from clausewise.types import Dialogue, Turn


@dataclass(frozen=True, slots=True, kw_only=True)
class Asked:
    """The person asked a question, which begins a new case."""

    question: str
    scenario: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Answered:
    """The person answered a follow-up question in their own words."""

    question: str
    answer: str


@dataclass(frozen=True, slots=True, kw_only=True)
class TookBack:
    """The person took the last answer back; without one, the question itself."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Restarted:
    """The person dropped the case."""


Event = Asked | Answered | TookBack | Restarted


@dataclass(frozen=True, slots=True)
class Conversation:
    """The events so far, oldest first."""

    events: tuple[Event, ...] = ()

    def then(self, event: Event) -> Conversation:
        """Return the conversation with one more event."""
        return Conversation((*self.events, event))

    @property
    def dialogue(self) -> Dialogue | None:
        """The dialogue that the events add up to; None before a question is asked."""
        return replay(self.events)


def replay(events: Iterable[Event]) -> Dialogue | None:
    """Return the dialogue that the events add up to."""
    dialogue: Dialogue | None = None
    for event in events:
        dialogue = _apply(event, dialogue)
    return dialogue


def _apply(event: Event, dialogue: Dialogue | None) -> Dialogue | None:
    match event:
        case Asked():
            return Dialogue(question=event.question, scenario=event.scenario)
        case Answered():
            if dialogue is None:
                message = f"an answer before any question: {event.answer!r}"
                raise ValueError(message)
            turn = Turn(question=event.question, answer=event.answer)
            return replace(dialogue, turns=(*dialogue.turns, turn))
        case TookBack():
            if dialogue is None or not dialogue.turns:
                return None
            return replace(dialogue, turns=dialogue.turns[:-1])
        case Restarted():
            return None
        case unexpected:
            assert_never(unexpected)
