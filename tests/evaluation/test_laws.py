from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from clausewise.engine import Engine
from clausewise.evaluation.faithfulness import citations, without
from clausewise.evaluation.laws import (
    Case,
    is_proven,
    permuted,
    proven,
    repeated,
    reworded,
    said,
    silent,
    with_another_engine,
)
from clausewise.evaluation.reading import Replies
from clausewise.readers.compiled import CompiledReader
from clausewise.types import Answer, Dialogue, Hit, Reply, Turn, UserWords, WordsFrom
from tests.fakes import (
    AnswerJudge,
    FixedCompiler,
    FixedCoverage,
    FixedRetriever,
    permit_tree,
)

ZONE, CARS, RENT = "Do you live in the zone?", "Do you own two cars?", "Do you rent?"
QUESTION = "Can I get a second permit?"


def _engine(logic: str = "a and b and not c") -> Engine:
    reader = CompiledReader(judge=AnswerJudge(), compiler=FixedCompiler(tree=permit_tree(logic)))
    return Engine(
        retriever=FixedRetriever(),
        coverage=FixedCoverage(),
        reader=reader,
        top_k=1,
        minimum_coverage=0.0,
    )


def _dialogue(**answers: str) -> Dialogue:
    questions = {"zone": ZONE, "cars": CARS, "rent": RENT}
    turns = tuple(Turn(question=questions[key], answer=said) for key, said in answers.items())
    return Dialogue(question=QUESTION, turns=turns)


YES = _dialogue(zone="yes", cars="yes", rent="no")
NO = _dialogue(zone="yes", cars="no")
OPEN = _dialogue(zone="yes")
CASES = said(_engine(), (YES, NO, OPEN))


@dataclass(frozen=True, slots=True, kw_only=True)
class LastTurnOnly:
    """Forgets all but the last turn: breaks what depends on the order."""

    engine: Replies

    def reply(self, dialogue: Dialogue) -> Reply:
        return self.engine.reply(replace(dialogue, turns=dialogue.turns[-1:]))

    def reply_to(self, dialogue: Dialogue, *, hits: Sequence[Hit]) -> Reply:
        return self.engine.reply_to(replace(dialogue, turns=dialogue.turns[-1:]), hits=hits)


def _verdict(case: Case) -> bool | None:
    return case.reply.verdict if isinstance(case.reply, Answer) else None


def test_cases_hold_what_was_said() -> None:
    assert [_verdict(case) for case in CASES] == [True, False, None]
    assert [case.decided for case in CASES] == [True, True, False]


def test_a_law_that_holds_is_broken_by_nobody() -> None:
    engine = _engine()
    for tally in (
        proven(CASES),
        repeated(CASES, engine=engine),
        permuted(CASES, engine=engine),
        silent((YES, NO), engine=engine),
        with_another_engine("again", CASES, engine=engine),
    ):
        assert tally.n > 0
        assert tally.broken == (), tally.law


def test_an_engine_that_forgets_breaks_the_law_of_order() -> None:
    tally = permuted(CASES, engine=LastTurnOnly(engine=_engine()))
    assert tally.broken
    assert tally.percent > 0


def test_an_engine_of_other_logic_breaks_what_was_decided() -> None:
    tally = with_another_engine("or", CASES, engine=_engine("a or b or c"))
    assert (tally.n, len(tally.broken)) == (2, 1)
    assert len(repeated(CASES, engine=_engine("a or b or c")).broken) == 3


def test_a_judge_that_knows_one_yes_only_breaks_the_law_of_other_words() -> None:
    tally = reworded(CASES, engine=_engine())
    assert {case.case.dialogue for case in tally.broken} == {YES, NO, OPEN}


def test_an_answer_without_its_reasons_is_not_proven() -> None:
    answer = CASES[0].reply
    assert isinstance(answer, Answer)
    assert is_proven(answer, dialogue=YES)
    assert not is_proven(replace(answer, because=answer.because[:1]), dialogue=YES)
    assert not is_proven(replace(answer, verdict=False), dialogue=YES)
    assert not is_proven(answer, dialogue=replace(YES, turns=()))


def test_citations_of_a_judge_that_needs_them_are_faithful() -> None:
    for stays in (True, False):
        found = citations(CASES, judge=AnswerJudge(), question_stays=stays)
        assert len(found) == 4
        assert all(one.faithful for one in found)


def test_cited_words_leave_the_dialogue_and_nothing_else_does() -> None:
    told = replace(YES, scenario="I live in the zone. I like tea.")
    words = UserWords(said_in=WordsFrom.SCENARIO, text="I live in the zone.")
    assert without(words, dialogue=told, question_stays=True).scenario == " I like tea."
    answer = UserWords(said_in=WordsFrom.ANSWER, text="yes", question=CARS)
    left = without(answer, dialogue=YES, question_stays=True)
    assert [turn.answer for turn in left.turns] == ["yes", "", "no"]
    gone = without(answer, dialogue=YES, question_stays=False)
    assert [turn.question for turn in gone.turns] == [ZONE, RENT]
