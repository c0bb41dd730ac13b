"""The judge that understands free text: a small cross-encoder over condition and person's words.

Answers to our own follow-up questions need no model; what is said in free words (the scenario, an
answer that is neither yes nor no) is read by the model. The words it cites are those without which
it would judge otherwise, so a citation is true by construction.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from clausewise.protocols import Judge
from clausewise.readers.answers import is_unsure, understand
from clausewise.readers.comparing import compare
from clausewise.readers.lexical import likeness
from clausewise.readers.restated import restated
from clausewise.text import same_wording, sentences
from clausewise.trees.values import Condition, State
from clausewise.types import Dialogue, Judgement, Turn, UserWords, WordsFrom

LABELS = (State.ENTAILED, State.CONTRADICTED, State.UNKNOWN)
"""What the model tells apart, in the order of its outputs."""


def asked_for(condition: str, *, about: str) -> str:
    """Return what the model is asked: the condition's question behind the person's own.

    Their question tells what "it" is: "Can I claim it? Is it 10,000 or less?"
    """
    return f"{about} {condition}" if about else condition


class PairLabeller(Protocol):
    """Labels a pair of a question and what somebody said."""

    def probabilities(self, pairs: Sequence[tuple[str, str]]) -> NDArray[np.float64]:
        """Return the probability of each of LABELS for each pair: [pairs, 3]."""
        ...


@dataclass(frozen=True, slots=True, kw_only=True)
class _Heard:
    """Something that the person said, and how the model gets to read it."""

    words: UserWords
    text: str


@dataclass(frozen=True, slots=True, kw_only=True)
class NeuralJudge:
    """Judges by answered questions first and by a model over free text for the rest."""

    answers: Judge
    """Takes the answers to follow-up questions; it gets to see no scenario."""
    model: PairLabeller
    least_probability: float = 0.5
    """A condition is entailed or contradicted above this; below it, unknown.

    On the development set 0.4 is a quarter of a point better, 0.6 half a point worse: a lower one
    guesses more, a higher one asks more.
    """
    least_likeness: float = 0.4
    """How alike a question must be to a condition's for its answer to be of that one alone."""
    asks_about: bool = True
    """Whether the model has learned to read the person's question before that of a condition."""

    def judge(
        self, conditions: Sequence[Condition], *, dialogue: Dialogue
    ) -> tuple[Judgement, ...]:
        """Return one judgement a condition, in their order."""
        answered = self.answers.judge(conditions, dialogue=replace(dialogue, scenario=""))
        said = [*_free_words(dialogue), *self._said_back(conditions, dialogue=dialogue)]
        judged = {
            condition.key: judgement
            for condition, judgement in zip(conditions, answered, strict=True)
        }
        left = [
            condition
            for condition in conditions
            if judged[condition.key].state is State.UNKNOWN
            and not _cant_tell(condition, dialogue=dialogue)
        ]
        about = dialogue.question if self.asks_about else ""
        judged |= {item.key: item for item in self._read(left, about=about, said=said)}
        return tuple(judged[condition.key] for condition in conditions)

    def _said_back(self, conditions: Sequence[Condition], *, dialogue: Dialogue) -> list[_Heard]:
        """Return the answers to questions that none of the conditions asks, as statements."""
        return [
            _Heard(words=words, text=text)
            for turn in dialogue.turns
            if (state := understand(turn.answer)) is not State.UNKNOWN
            and all(likeness(one, turn.question) < self.least_likeness for one in conditions)
            and (text := restated(turn.question, holds=state is State.ENTAILED))
            and (words := _of_answer(turn, text=turn.answer))
        ]

    def _read(
        self, conditions: Sequence[Condition], *, about: str, said: Sequence[_Heard]
    ) -> list[Judgement]:
        if not conditions or not said:
            return []
        asked = [asked_for(condition.question, about=about) for condition in conditions]
        whole = _joined(said)
        found = self.model.probabilities([(question, whole) for question in asked])
        return [
            _by_arithmetic(condition, likely=likely, said=said)
            or self._judgement(condition.key, asked=question, likely=likely, said=said)
            for condition, question, likely in zip(conditions, asked, found, strict=True)
        ]

    def _judgement(
        self, key: str, *, asked: str, likely: NDArray[np.float64], said: Sequence[_Heard]
    ) -> Judgement:
        state = self._state(likely)
        probability = float(likely[LABELS.index(state)])
        words = None if state is State.UNKNOWN else self._cited(asked, state=state, said=said)
        return Judgement(key=key, state=state, words=words, probability=probability)

    def _state(self, likely: NDArray[np.float64]) -> State:
        best = LABELS[int(np.argmax(likely[:2]))]
        return best if likely[:2].max() > self.least_probability else State.UNKNOWN

    def _cited(self, asked: str, *, state: State, said: Sequence[_Heard]) -> UserWords:
        """Return the words without which the state would be another."""
        if len(said) == 1:
            return said[0].words
        alone = self.model.probabilities([(asked, one.text) for one in said])
        order = np.argsort(-alone[:, LABELS.index(state)], kind="stable")
        cited: set[int] = set()
        for place in order:
            cited.add(int(place))
            rest = [one for number, one in enumerate(said) if number not in cited]
            if not rest or self._of(asked, said=rest) is not state:
                break
        words = [said[place].words for place in sorted(cited)]
        return _stretch(words, first=said[int(order[0])].words)

    def _of(self, asked: str, *, said: Sequence[_Heard]) -> State:
        (likely,) = self.model.probabilities([(asked, _joined(said))])
        return self._state(likely)


def _by_arithmetic(
    condition: Condition, *, likely: NDArray[np.float64], said: Sequence[_Heard]
) -> Judgement | None:
    """Return what two amounts say where the model sees one matter; None where none compare.

    The model tells whether the words are about the condition at all, not what 34 is to 65.
    """
    settles = float(likely[:2].sum())
    compared = compare(condition.question, said=[one.text for one in said])
    if compared is None or settles <= 0.5:
        return None
    if compared.state is State.UNKNOWN:
        return Judgement(key=condition.key, state=State.UNKNOWN, probability=1 - settles)
    cited = [said[place].words for place in compared.places]
    return Judgement(
        key=condition.key,
        state=compared.state,
        words=_stretch(cited, first=cited[0]),
        probability=settles,
    )


def _free_words(dialogue: Dialogue) -> list[_Heard]:
    """Return the sentences of the scenario and of the answers that are neither yes nor no.

    Behind a yes or a no the words belong to what was asked: "no, it's a van" read without its
    question speaks against everything.
    """
    found = [
        UserWords(said_in=WordsFrom.SCENARIO, text=sentence.text)
        for sentence in sentences(dialogue.scenario)
    ]
    for turn in dialogue.turns:
        if not is_unsure(turn.answer) and understand(turn.answer) is State.UNKNOWN:
            found += [_of_answer(turn, text=sentence.text) for sentence in sentences(turn.answer)]
    return [_Heard(words=words, text=words.text) for words in found]


def _of_answer(turn: Turn, *, text: str) -> UserWords:
    return UserWords(said_in=WordsFrom.ANSWER, text=text, question=turn.question)


def _cant_tell(condition: Condition, *, dialogue: Dialogue) -> bool:
    """Say whether the person was asked just this and doesn't know."""
    return any(
        is_unsure(turn.answer) and understand(turn.answer) is State.UNKNOWN
        for turn in dialogue.turns
        if any(
            same_wording(turn.question, question)
            for question in (condition.question, *condition.paraphrases)
        )
    )


def _joined(said: Sequence[_Heard]) -> str:
    return " ".join(one.text for one in said)


def _stretch(cited: Sequence[UserWords], *, first: UserWords) -> UserWords:
    """Return the cited sentences of the place where the first of them stands."""
    place = (first.said_in, first.question)
    together = [one for one in cited if (one.said_in, one.question) == place]
    return replace(first, text=" ".join(one.text for one in together))
