"""The judge that needs no model: it compares words, denials and numbers.

It prefers to know nothing over being wrong: an unknown condition costs one question, a wrong one a
wrong answer.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from clausewise.readers.answers import is_unsure, understand
from clausewise.readers.quantities import Kind, limit, stated
from clausewise.readers.wording import Wording, doubts, is_negated, parts
from clausewise.text import normalised, sentences
from clausewise.trees.values import Condition, State
from clausewise.types import Dialogue, Judgement, Turn, UserWords, WordsFrom


@dataclass(frozen=True, slots=True, kw_only=True)
class _Said:
    """A sentence of the person, and where they said it."""

    words: UserWords
    about: str | None = None
    """The key of the condition that was asked about when they said it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class LexicalJudge:
    """Judges conditions by the follow-up questions that were answered, then by shared words."""

    least_likeness: float = 0.4
    """How alike a question that was asked must be to a condition's, from 0 to 1.

    Of 0.2 to 0.6 the middle, on the development set: lower values gain little and guess more.
    """
    least_coverage: float = 0.75
    """The share of a condition's content words that a sentence must hold to settle it."""

    def judge(
        self, conditions: Sequence[Condition], *, dialogue: Dialogue
    ) -> tuple[Judgement, ...]:
        """Return one judgement a condition, in their order; unknown wherever in doubt."""
        answered: dict[str, Judgement] = {}
        said = [_Said(words=words) for words in _of_scenario(dialogue.scenario)]
        for turn in dialogue.turns:
            asked = self._asked(conditions, turn=turn)
            for condition in asked:
                answered[condition.key] = _answered(condition, turn=turn)
            about = asked[0].key if asked else None
            said.extend(_Said(words=words, about=about) for words in _of_free_answer(turn))
        return tuple(self._judge(one, answered=answered, said=said) for one in conditions)

    def _judge(
        self, condition: Condition, *, answered: dict[str, Judgement], said: list[_Said]
    ) -> Judgement:
        by_answer = answered.get(condition.key)
        if by_answer is not None and (by_answer.words is not None):
            return by_answer
        asked = by_answer is not None
        for one in reversed(said):
            if asked and one.about != condition.key:
                continue
            state = self._of_text(condition, text=one.words.text)
            if state is not State.UNKNOWN:
                return Judgement(key=condition.key, state=state, words=one.words)
        return Judgement(key=condition.key, state=State.UNKNOWN)

    def _asked(self, conditions: Sequence[Condition], *, turn: Turn) -> list[Condition]:
        """Return the conditions that the turn asks about: those in its words, or the nearest."""
        wording = normalised(turn.question)
        same = [c for c in conditions if any(normalised(q) == wording for q in _wordings(c))]
        if same:
            return same
        best = max(conditions, key=lambda one: likeness(one, turn.question), default=None)
        alike = best is not None and likeness(best, turn.question) >= self.least_likeness
        return [best] if best is not None and alike else []

    def _of_text(self, condition: Condition, *, text: str) -> State:
        compared = _compared(condition, text=text)
        if compared is not State.UNKNOWN:
            return compared
        whole = Wording.of(text)
        for part in parts(text):
            for source in (condition.question, condition.text):
                sentence, wanted = Wording.of(part), Wording.of(source)
                unclear = doubts(part) - doubts(source) or (part == text and _divided(text))
                if limit(source) or not self._covers(wanted, sentence, others=whole.others):
                    continue
                agrees = wanted.negated == sentence.negated
                return State.UNKNOWN if unclear else State.of(agrees)
        return State.UNKNOWN

    def _covers(self, wanted: Wording, sentence: Wording, *, others: frozenset[str]) -> bool:
        shared = wanted.words & sentence.words
        few = len(wanted.words) == 1 and len(sentence.words) <= 3
        return (
            (len(shared) >= 2 or few)
            and wanted.coverage(sentence) >= self.least_coverage
            and others <= wanted.others
        )


def _divided(text: str) -> bool:
    """Say whether a 'not' stands in one of several clauses, and which of them it denies is open."""
    return len(parts(text)) > 1 and len({is_negated(part) for part in parts(text)}) > 1


def _wordings(condition: Condition) -> Iterator[str]:
    yield condition.question
    yield from condition.paraphrases


def likeness(condition: Condition, question: str) -> float:
    """Return how alike a question is to those of a condition, from 0 to 1 for the same words."""
    asked = Wording.of(question)
    return max(Wording.of(own).likeness(asked) for own in _wordings(condition))


def _answered(condition: Condition, *, turn: Turn) -> Judgement:
    state = understand(turn.answer)
    if state is State.UNKNOWN:
        return Judgement(key=condition.key, state=state)
    asked = Wording.of(turn.question)
    closest = max(_wordings(condition), key=lambda own: Wording.of(own).likeness(asked))
    if is_negated(closest) != asked.negated:
        state = ~state
    words = UserWords(said_in=WordsFrom.ANSWER, text=turn.answer, question=turn.question)
    return Judgement(key=condition.key, state=state, words=words)


def _of_scenario(scenario: str) -> Iterator[UserWords]:
    for sentence in sentences(scenario):
        yield UserWords(said_in=WordsFrom.SCENARIO, text=sentence.text)


def _of_free_answer(turn: Turn) -> Iterator[UserWords]:
    """Yield the sentences of an answer that says more than yes, no or don't know."""
    if not is_unsure(turn.answer) and len(normalised(turn.answer).split()) > 2:
        for sentence in sentences(turn.answer):
            yield UserWords(said_in=WordsFrom.ANSWER, text=sentence.text, question=turn.question)


def _compared(condition: Condition, *, text: str) -> State:
    """Compare the one number that the condition sets with the one that the sentence states."""
    wanted = limit(condition.text) or limit(condition.question)
    amounts = stated(text)
    if wanted is None or len(amounts) != 1 or is_negated(text):
        return State.UNKNOWN
    about, sentence = Wording.of(condition.question), Wording.of(text)
    of_person = bool(about.others or _OF_YOU.search(condition.question))
    same = _same_matter(about, sentence, kind=wanted.kind, of_person=of_person)
    if about.others != sentence.others or not same:
        return State.UNKNOWN
    state = wanted.judge(amounts[0])
    return ~state if is_negated(condition.text) else state


def _same_matter(about: Wording, sentence: Wording, *, kind: Kind, of_person: bool) -> bool:
    if kind is Kind.AGE:
        return of_person
    return any(word.isalpha() and word not in _UNITS for word in about.words & sentence.words)


_OF_YOU = re.compile(r"\byou\b", re.IGNORECASE)
_UNITS = frozenset({"day", "week", "month", "year", "hour"})
