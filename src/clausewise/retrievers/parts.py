"""What a dialogue is looked for by: its parts, in words and in vectors, each with its weight.

The question names the benefit, the scenario speaks of one condition or of something else
altogether, and the follow-up questions asked so far were worded after the rule. A weight of its own
for each part, which is standardised over the rules first, keeps a long scenario from drowning a
short question.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from clausewise.retrievers.dense import question_and_scenario
from clausewise.retrievers.query import WeightedText
from clausewise.retrievers.words import as_stated

if TYPE_CHECKING:
    from clausewise.types import Dialogue, Turn

_SCENARIO_WORDS = 0.5
"""What a word of the scenario counts beside one of the question."""


@dataclass(frozen=True, slots=True, kw_only=True)
class WordPart:
    """Texts that words are looked for in together, and how much their standardised sum counts."""

    texts: tuple[WeightedText, ...]
    weight: float


@dataclass(frozen=True, slots=True, kw_only=True)
class VectorPart:
    """Texts whose mean vector is compared, and how much its standardised likeness counts."""

    texts: tuple[str, ...]
    shares: tuple[float, ...]
    """Of each text in the mean; they add up to 1."""
    weight: float


@dataclass(frozen=True, slots=True, kw_only=True)
class FusionWeights:
    """How much each standardised part counts.

    Chosen coarsely, where the development set and first turns simulated from trees agree
    (`docs/experiments.md`); they stand on a plateau.
    """

    words: float = 1.0
    """BM25 of question and scenario."""
    question: float = 0.75
    """The vector of the question."""
    question_and_scenario: float = 0.75
    """The vector of both as one text."""
    scenario: float = 0.5
    """The vector of the scenario alone."""
    turn_words: float = 1.5
    """BM25 of the follow-up questions."""
    turns_answered_yes: float = 1.5
    """The vectors of the follow-up questions that were answered with a yes."""
    turns_answered_otherwise: float = 1.5
    """The vectors of those that were not: a no may mean that another rule is meant."""

    def word_parts(self, dialogue: Dialogue) -> tuple[WordPart, ...]:
        """Return what BM25 is asked for: at least question and scenario."""
        said = (
            WeightedText(text=as_stated(dialogue.question), weight=1.0),
            WeightedText(text=dialogue.scenario, weight=_SCENARIO_WORDS),
        )
        asked = tuple(WeightedText(text=turn.question, weight=1.0) for turn in dialogue.turns)
        first = WordPart(texts=said, weight=self.words)
        return (first, WordPart(texts=asked, weight=self.turn_words)) if asked else (first,)

    def vector_parts(self, dialogue: Dialogue) -> tuple[VectorPart, ...]:
        """Return what the vectors of rules are compared with."""
        alone = (
            (dialogue.question, self.question),
            (question_and_scenario(dialogue), self.question_and_scenario),
            (dialogue.scenario.strip(), self.scenario),
        )
        parts = [
            VectorPart(texts=(text,), shares=(1.0,), weight=weight)
            for text, weight in alone
            if text and weight
        ]
        weights = [self._of_answer(turn) for turn in dialogue.turns]
        if total := sum(weights):
            parts.append(
                VectorPart(
                    texts=tuple(turn.question for turn in dialogue.turns),
                    shares=tuple(weight / total for weight in weights),
                    weight=total / len(weights),
                )
            )
        return tuple(parts)

    def _of_answer(self, turn: Turn) -> float:
        said_yes = turn.answer.strip().lower().startswith("yes")
        return self.turns_answered_yes if said_yes else self.turns_answered_otherwise
