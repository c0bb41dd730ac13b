"""Laws that every engine should obey, whatever its accuracy, counted over many dialogues.

Each law makes from a dialogue another one that means the same, or an engine that should say the
same, and counts how often the reply differs.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace

from clausewise.evaluation.reading import Replies
from clausewise.readers.answers import understand
from clausewise.text import sentences
from clausewise.trees.evaluate import evaluate
from clausewise.trees.values import State
from clausewise.types import Answer, Dialogue, Inquiry, Reply, Turn, UserWords

WAYS_TO_SAY_YES = ("yep", "that's right", "I do", "Yes, I do.", "Yeah!", "correct")
WAYS_TO_SAY_NO = ("nope", "no, I don't", "No.", "not at all")


@dataclass(frozen=True, slots=True, kw_only=True)
class Case:
    """A dialogue and what an engine replied to it."""

    dialogue: Dialogue
    reply: Reply

    @property
    def decided(self) -> bool:
        """Whether the reply is a Yes or a No."""
        return isinstance(self.reply, Answer)


@dataclass(frozen=True, slots=True, kw_only=True)
class Broken:
    """A case in which a law is broken, and what was said instead."""

    case: Case
    changed: Dialogue
    reply: Reply


@dataclass(frozen=True, slots=True, kw_only=True)
class Tally:
    """How many comparisons were made for a law, and those that broke it."""

    law: str
    n: int
    broken: tuple[Broken, ...]

    @property
    def percent(self) -> float:
        """The share of comparisons that broke the law, in percent."""
        return 100 * len(self.broken) / self.n if self.n else 0.0


def said(engine: Replies, dialogues: Iterable[Dialogue]) -> tuple[Case, ...]:
    """Return what an engine replies to each dialogue."""
    return tuple(Case(dialogue=one, reply=engine.reply(one)) for one in dialogues)


def with_another_engine(law: str, cases: Sequence[Case], *, engine: Replies) -> Tally:
    """Count how often another engine gives a decided dialogue another verdict."""
    pairs = [(case, case.dialogue) for case in cases if case.decided]
    return _tally(law, pairs, engine=engine, same=same_verdict)


def repeated(cases: Sequence[Case], *, engine: Replies) -> Tally:
    """Count how often a dialogue gets another reply, down to its proof, the second time."""
    pairs = [(case, case.dialogue) for case in cases]
    return _tally("the same again", pairs, engine=engine, same=lambda one, other: one == other)


def permuted(cases: Sequence[Case], *, engine: Replies, seed: int = 0) -> Tally:
    """Count how often decided dialogues get another verdict when their turns change places."""
    lot = random.Random(seed)  # noqa: S311 - no secret
    pairs = []
    for case in cases:
        turns = case.dialogue.turns
        if case.decided and len(set(turns)) > 1:
            shuffled = tuple(lot.sample(turns, len(turns)))
            orders = dict.fromkeys((turns[::-1], shuffled))
            pairs += [(case, replace(case.dialogue, turns=o)) for o in orders if o != turns]
    return _tally("turns in another order", pairs, engine=engine, same=same_verdict)


def reworded(cases: Sequence[Case], *, engine: Replies) -> Tally:
    """Count how often the reply changes when a yes or a no is said in other words."""
    pairs = []
    for case in cases:
        for ways, meant in (
            (WAYS_TO_SAY_YES, State.ENTAILED),
            (WAYS_TO_SAY_NO, State.CONTRADICTED),
        ):
            if any(_plain(turn, meant=meant) for turn in case.dialogue.turns):
                pairs += [(case, _with(case.dialogue, way, meant=meant)) for way in ways]
    return _tally("a yes in other words", pairs, engine=engine, same=same_reply)


def silent(dialogues: Iterable[Dialogue], *, engine: Replies) -> Tally:
    """Count how often a person who tells nothing, or only that they don't know, gets an answer."""
    cases = said(engine, dict.fromkeys(u for one in dialogues for u in _untold(one)))
    broken = [
        Broken(case=case, changed=case.dialogue, reply=case.reply)
        for case in cases
        if isinstance(case.reply, Answer) and not _needs_nothing(case.reply)
    ]
    return Tally(law="nothing told, no answer", n=len(cases), broken=tuple(broken))


def proven(cases: Sequence[Case]) -> Tally:
    """Count the answers that their proof doesn't force, or whose words nobody wrote."""
    decided = [case for case in cases if case.decided]
    broken = [
        Broken(case=case, changed=case.dialogue, reply=case.reply)
        for case in decided
        if isinstance(case.reply, Answer) and not is_proven(case.reply, dialogue=case.dialogue)
    ]
    return Tally(law="answers follow from their proof", n=len(decided), broken=tuple(broken))


def is_proven(answer: Answer, *, dialogue: Dialogue) -> bool:
    """Say whether the cited conditions alone force the verdict, and all that is cited is there."""
    tree, text = answer.reading.tree, answer.rule.text
    cited = {item.condition.key: item.state for item in answer.because}
    alone = {key: cited.get(key, State.UNKNOWN) for key in tree.keys}
    wanted = State.of(answer.verdict)
    forced = {evaluate(tree.logic, states) for states in (alone, answer.reading.states)} == {wanted}
    spans = all(item.condition.span.cut(text) == item.condition.text for item in answer.because)
    told = [dialogue.scenario, *(turn.answer for turn in dialogue.turns)]
    words = all(
        any(sentence in place for place in told)
        for item in answer.because
        for sentence in pieces(item.words, told=told)
    )
    return forced and spans and words and answer.clause in text


def pieces(words: UserWords, *, told: Iterable[str]) -> tuple[str, ...]:
    """Return what is cited as it stands in what was told: whole, or sentence by sentence."""
    if any(words.text in place for place in told):
        return (words.text,)
    return tuple(sentence.text for sentence in sentences(words.text))


def same_verdict(one: Reply, other: Reply) -> bool:
    """Say whether two replies decide the same."""
    return _verdict(one) is _verdict(other)


def same_reply(one: Reply, other: Reply) -> bool:
    """Say whether two replies decide, ask and read the same rule in the same states."""
    asked = [reply.question if isinstance(reply, Inquiry) else None for reply in (one, other)]
    states = [reply.reading.states if reply.reading else None for reply in (one, other)]
    return same_verdict(one, other) and asked[0] == asked[1] and states[0] == states[1]


def _tally(
    law: str,
    pairs: Sequence[tuple[Case, Dialogue]],
    *,
    engine: Replies,
    same: Callable[[Reply, Reply], bool],
) -> Tally:
    replies = [(case, changed, engine.reply(changed)) for case, changed in pairs]
    broken = tuple(
        Broken(case=case, changed=changed, reply=reply)
        for case, changed, reply in replies
        if not same(case.reply, reply)
    )
    return Tally(law=law, n=len(pairs), broken=broken)


def _verdict(reply: Reply) -> bool | None:
    return reply.verdict if isinstance(reply, Answer) else None


def _plain(turn: Turn, *, meant: State) -> bool:
    """Say whether the turn was answered with a bare yes, or a bare no."""
    return understand(turn.answer) is meant and len(turn.answer.split()) == 1


def _with(dialogue: Dialogue, way: str, *, meant: State) -> Dialogue:
    turns = tuple(
        replace(turn, answer=way) if _plain(turn, meant=meant) else turn for turn in dialogue.turns
    )
    return replace(dialogue, turns=turns)


def _untold(dialogue: Dialogue) -> tuple[Dialogue, Dialogue]:
    """Return the question alone, and with every follow-up question answered by "I don't know"."""
    unsure = tuple(replace(turn, answer="I don't know") for turn in dialogue.turns)
    return Dialogue(question=dialogue.question), replace(dialogue, scenario="", turns=unsure)


def _needs_nothing(answer: Answer) -> bool:
    """Say whether the rule has one value whatever holds."""
    tree = answer.reading.tree
    return evaluate(tree.logic, dict.fromkeys(tree.keys, State.UNKNOWN)) is not State.UNKNOWN
