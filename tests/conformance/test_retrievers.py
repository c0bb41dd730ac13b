from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path

import pytest

from clausewise.protocols import Retriever
from clausewise.retrievers.bm25 import Bm25
from clausewise.retrievers.conversational import Conversational
from clausewise.retrievers.dense import Dense
from clausewise.retrievers.dprpp import DprPlusPlus
from clausewise.retrievers.fused import Member, ReciprocalRank, WeightedSum
from clausewise.retrievers.hybrid import Hybrid
from clausewise.retrievers.pinned import Pinned
from clausewise.retrievers.tfidf import Tfidf
from clausewise.types import RuleText
from tests.retrievers.encoders import HashedWords
from tests.retrievers.rules import RULES, dialogue
from tests.retrievers.test_pinned import reviewed

Build = Callable[[Sequence[RuleText]], Retriever]


def members(rules: Sequence[RuleText]) -> list[Member]:
    return [
        Member(retriever=Conversational(Bm25.build(rules))),
        Member(retriever=Tfidf.build(rules), weight=0.25),
    ]


BUILDS: dict[str, Build] = {
    "tfidf": Tfidf.build,
    "bm25": Bm25.build,
    "conversational": lambda rules: Conversational(Bm25.build(rules)),
    "weighted sum": lambda rules: WeightedSum(members(rules), rules=rules),
    "reciprocal rank": lambda rules: ReciprocalRank(members(rules), rules=rules),
    "pinned": lambda rules: Pinned(
        Conversational(Bm25.build(rules)), rules=rules, trees=reviewed(tuple(rules))
    ),
}

BUILDS_BY_MEANING: dict[str, Build] = {
    "dense": lambda rules: Dense.build(rules, encoder=HashedWords()),
    "dpr++": lambda rules: DprPlusPlus(
        tfidf=Tfidf.build(rules), dense=Dense.build(rules, encoder=HashedWords())
    ),
    "hybrid": lambda rules: Hybrid(
        words=Bm25.build(rules), dense=Dense.build(rules, encoder=HashedWords())
    ),
}
EVERY = {**BUILDS, **BUILDS_BY_MEANING}

every_retriever = pytest.mark.parametrize("build", EVERY.values(), ids=EVERY.keys())
every_lexical_retriever = pytest.mark.parametrize("build", BUILDS.values(), ids=BUILDS.keys())

ASKED = dialogue(
    "Can I keep hens on an allotment or pay library fines at the market?",
    "Do your neighbours agree?",
    scenario="I live in the town and hold a licence.",
)


@every_retriever
def test_the_rule_whose_words_match_comes_first(build: Build) -> None:
    hits = build(RULES).retrieve(dialogue("Can I keep hens on my allotment?"), top_k=3)
    assert hits[0].rule.rule_id == "allotment-hens"


@every_retriever
def test_no_more_hits_come_than_were_asked_for(build: Build) -> None:
    retriever = build(RULES)
    assert [len(retriever.retrieve(ASKED, top_k=top_k)) for top_k in (0, 1, 2)] == [0, 1, 2]
    assert 2 < len(retriever.retrieve(ASKED, top_k=100)) <= len(RULES)


@every_retriever
def test_hits_come_best_first_and_each_rule_once(build: Build) -> None:
    hits = build(RULES).retrieve(ASKED, top_k=100)
    scores = [hit.score for hit in hits]
    assert scores == sorted(scores, reverse=True)
    assert len({hit.rule.rule_id for hit in hits}) == len(hits)


@every_retriever
def test_fewer_hits_are_the_first_of_more(build: Build) -> None:
    retriever = build(RULES)
    few, many = (retriever.retrieve(ASKED, top_k=top_k) for top_k in (2, 5))
    assert [hit.rule for hit in few] == [hit.rule for hit in many[:2]]


@every_retriever
def test_the_same_dialogue_gets_the_same_hits(build: Build) -> None:
    retriever = build(RULES)
    assert retriever.retrieve(ASKED, top_k=5) == retriever.retrieve(ASKED, top_k=5)
    assert build(RULES).retrieve(ASKED, top_k=5) == retriever.retrieve(ASKED, top_k=5)


@every_retriever
def test_equal_scores_come_in_the_order_of_the_rules(build: Build) -> None:
    twins = [RuleText(rule_id=f"twin {n}", text="Hens need a coop.") for n in (2, 0, 1)]
    others = [RuleText(rule_id=f"other {n}", text=f"Rule {n} of fishing.") for n in range(5)]
    hits = build([*twins, *others]).retrieve(dialogue("Must hens have a coop?"), top_k=3)
    assert [hit.rule for hit in hits] == twins


@every_retriever
@pytest.mark.parametrize("question", ["", " \n", "?!", "\x00", "🦆"])
def test_a_question_without_a_letter_or_digit_gets_no_hits(build: Build, question: str) -> None:
    assert build(RULES).retrieve(dialogue(question), top_k=5) == ()


@every_lexical_retriever
@pytest.mark.parametrize("question", ["", " \n", "?!", "of the and", "\x00", "🦆", "zeppelin"])
def test_a_question_that_matches_nothing_gets_no_hits(build: Build, question: str) -> None:
    assert build(RULES).retrieve(dialogue(question), top_k=5) == ()


@every_retriever
def test_words_of_any_script_are_found(build: Build) -> None:
    texts = ["住民は図書館を使える", "Жители могут читать", "Ça coûte 5 €", "plain words", "more"]
    rules = [RuleText(rule_id=str(n), text=text) for n, text in enumerate(texts)]
    retriever = build(rules)
    for rule in rules[:3]:
        hits = retriever.retrieve(dialogue(rule.text.upper()), top_k=1)
        assert [hit.rule for hit in hits] == [rule]


@every_retriever
def test_one_rule_alone_can_be_searched(build: Build) -> None:
    hits = build(RULES[:1]).retrieve(dialogue("library card"), top_k=5)
    assert [hit.rule for hit in hits] in ([], [RULES[0]])


@every_retriever
def test_no_rules_at_all_give_no_hits(build: Build) -> None:
    assert build([]).retrieve(dialogue("library card"), top_k=5) == ()


@pytest.mark.parametrize("kind", [Tfidf, Bm25])
def test_a_saved_index_finds_the_same(kind: type[Tfidf] | type[Bm25], tmp_path: Path) -> None:
    built = kind.build(RULES)
    built.save(tmp_path / "index")
    loaded = kind.load(tmp_path / "index", rules=RULES)
    assert loaded.retrieve(ASKED, top_k=5) == built.retrieve(ASKED, top_k=5)
