from __future__ import annotations

from dataclasses import dataclass

from clausewise.retrievers.fused import Member, ReciprocalRank, WeightedSum
from clausewise.types import Dialogue, Hit
from tests.retrievers.rules import RULES, dialogue

CARD, FINES, PLOT, HENS, STALL = RULES


@dataclass(frozen=True, slots=True)
class Fixed:
    hits: tuple[Hit, ...]

    def retrieve(self, dialogue: Dialogue, *, top_k: int) -> tuple[Hit, ...]:
        del dialogue
        return self.hits[:top_k]


def fixed(**scores: float) -> Fixed:
    by_name = {"card": CARD, "fines": FINES, "plot": PLOT, "hens": HENS, "stall": STALL}
    return Fixed(tuple(Hit(rule=by_name[name], score=score) for name, score in scores.items()))


def test_reciprocal_rank_adds_one_over_the_ranks() -> None:
    members = [Member(retriever=fixed(card=9, plot=8)), Member(retriever=fixed(plot=0.2))]
    hits = ReciprocalRank(members, rules=RULES).retrieve(dialogue("any"), top_k=5)
    assert [(hit.rule, hit.score) for hit in hits] == [
        (PLOT, round(1 / 62 + 1 / 61, 9)),
        (CARD, round(1 / 61, 9)),
    ]


def test_the_scale_of_a_members_scores_does_not_matter() -> None:
    small = [Member(retriever=fixed(card=2, plot=1)), Member(retriever=fixed(plot=4, card=1))]
    large = [Member(retriever=fixed(card=200, plot=100)), Member(retriever=fixed(plot=4, card=1))]
    assert WeightedSum(small, rules=RULES).retrieve(dialogue("any"), top_k=5) == WeightedSum(
        large, rules=RULES
    ).retrieve(dialogue("any"), top_k=5)


def test_a_member_with_more_weight_prevails() -> None:
    members = [
        Member(retriever=fixed(card=2, plot=1)),
        Member(retriever=fixed(plot=2, card=1), weight=2.0),
    ]
    for fused in (WeightedSum(members, rules=RULES), ReciprocalRank(members, rules=RULES)):
        assert fused.retrieve(dialogue("any"), top_k=1)[0].rule == PLOT


def test_ties_go_by_the_order_of_the_rules() -> None:
    members = [Member(retriever=fixed(hens=1)), Member(retriever=fixed(card=1))]
    for fused in (WeightedSum(members, rules=RULES), ReciprocalRank(members, rules=RULES)):
        hits = fused.retrieve(dialogue("any"), top_k=5)
        assert [hit.rule for hit in hits] == [CARD, HENS]


def test_members_that_find_nothing_change_nothing() -> None:
    members = [Member(retriever=fixed()), Member(retriever=fixed(stall=1))]
    for fused in (WeightedSum(members, rules=RULES), ReciprocalRank(members, rules=RULES)):
        assert [hit.rule for hit in fused.retrieve(dialogue("any"), top_k=5)] == [STALL]


def test_more_hits_than_the_depth_can_be_asked_for() -> None:
    members = [Member(retriever=fixed(card=3, plot=2, hens=1))]
    assert (
        len(ReciprocalRank(members, rules=RULES, depth=1).retrieve(dialogue("any"), top_k=3)) == 3
    )
