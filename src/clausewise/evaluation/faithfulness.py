"""Whether the words that an answer cites are those that settled it: taken out, it must change."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from clausewise.evaluation.laws import Case, pieces
from clausewise.protocols import Judge
from clausewise.types import Answer, Dialogue, SettledCondition, UserWords, WordsFrom


@dataclass(frozen=True, slots=True, kw_only=True)
class Citation:
    """A condition that an answer rests on, and whether its words had to be there."""

    dialogue: Dialogue
    item: SettledCondition
    faithful: bool


def citations(
    cases: Sequence[Case], *, judge: Judge, question_stays: bool = True
) -> tuple[Citation, ...]:
    """Return every citation of the decided cases, each judged again without its words.

    The question of an answer that is taken out stays, unless told otherwise: it is not the
    person's. Where it goes too, what they also said in the scenario may settle it as well.
    """
    return tuple(
        Citation(
            dialogue=case.dialogue,
            item=item,
            faithful=_changes(
                item,
                answer=case.reply,
                left=without(item.words, dialogue=case.dialogue, question_stays=question_stays),
                judge=judge,
            ),
        )
        for case in cases
        if isinstance(case.reply, Answer)
        for item in case.reply.because
    )


def without(words: UserWords, *, dialogue: Dialogue, question_stays: bool) -> Dialogue:
    """Return the dialogue without the cited words."""
    if words.said_in is WordsFrom.SCENARIO:
        return replace(dialogue, scenario=_cut(words, text=dialogue.scenario))
    turns = [
        replace(turn, answer=_cut(words, text=turn.answer))
        if turn.question == words.question
        else turn
        for turn in dialogue.turns
    ]
    kept = (turn for turn in turns if question_stays or turn in dialogue.turns)
    return replace(dialogue, turns=tuple(kept))


def _cut(words: UserWords, *, text: str) -> str:
    for piece in pieces(words, told=[text]):
        text = text.replace(piece, "")
    return text


def _changes(item: SettledCondition, *, answer: Answer, left: Dialogue, judge: Judge) -> bool:
    judged = judge.judge(answer.reading.tree.conditions, dialogue=left)
    states = {judgement.key: judgement.state for judgement in judged}
    return states[item.condition.key] is not item.state
