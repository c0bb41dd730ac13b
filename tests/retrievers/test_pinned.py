from __future__ import annotations

from clausewise.retrievers.bm25 import Bm25
from clausewise.retrievers.conversational import Conversational
from clausewise.retrievers.pinned import Pinned, tree_texts
from clausewise.trees.tree import RuleTree
from clausewise.types import Dialogue, Hit, RuleText
from tests.retrievers.rules import RULES, dialogue

CARD, FINES, PLOT, HENS, STALL = RULES

TREES = {
    CARD.content_hash: """
        rule: library-card
        topic: joining the library
        questions: [May I borrow things?, Can I join?]
        conditions:
          a: {text: live in the town, question: Do you live in the town?}
          b: {text: go to school here, question: Do you go to school here?}
        logic: a or b
    """,
    PLOT.content_hash: """
        rule: allotment
        questions: [Can I join?]
        conditions:
          a:
            text: live in the town
            question: Do you live in the town?
            paraphrases: [Is your home in the town?]
          b: {text: at least 18 years old, question: Are you 18 or older?}
        logic: a and b
    """,
}


def reviewed(rules: tuple[RuleText, ...] = RULES) -> dict[str, tuple[RuleTree, ...]]:
    return {
        rule.content_hash: (RuleTree.parse(TREES[rule.content_hash], rule_text=rule.text),)
        for rule in rules
        if rule.content_hash in TREES
    }


def found(asked: Dialogue, *, top_k: int = 5) -> list[RuleText]:
    inner = Conversational(Bm25.build(RULES))
    hits = Pinned(inner, rules=RULES, trees=reviewed()).retrieve(asked, top_k=top_k)
    assert [hit.score for hit in hits] == sorted((hit.score for hit in hits), reverse=True)
    return [hit.rule for hit in hits]


def test_a_question_of_a_reviewed_tree_outranks_every_score() -> None:
    assert found(dialogue("May I borrow things?", scenario="I keep hens"))[:2] == [CARD, HENS]


def test_case_punctuation_and_white_space_of_a_question_do_not_matter() -> None:
    assert found(dialogue(" may I  BORROW things "))[0] == CARD


def test_rules_that_share_a_question_go_by_the_turns() -> None:
    assert found(dialogue("Can I join?", "Do you go to school here?"))[0] == CARD
    assert (
        found(dialogue("Can I join?", "Do you live in the town?", "Are you 18 or older?"))[0]
        == PLOT
    )


def test_a_paraphrase_of_a_follow_up_question_counts_like_it() -> None:
    assert found(dialogue("Can I join?", "Is your home in the town?"))[0] == PLOT


def test_follow_up_questions_lift_only_rules_that_were_found_anyway() -> None:
    class Nothing:
        def retrieve(self, dialogue: Dialogue, *, top_k: int) -> tuple[Hit, ...]:
            del dialogue, top_k
            return ()

    pinned = Pinned(Nothing(), rules=RULES, trees=reviewed())
    assert pinned.retrieve(dialogue("hens", "Do you live in the town?"), top_k=5) == ()
    assert [hit.rule for hit in pinned.retrieve(dialogue("can i join"), top_k=5)] == [CARD, PLOT]


def test_without_a_match_the_inner_order_stays() -> None:
    inner = Conversational(Bm25.build(RULES))
    asked = dialogue("Can I keep hens on an allotment?")
    pinned = Pinned(inner, rules=RULES, trees=reviewed())
    assert pinned.retrieve(asked, top_k=5) == inner.retrieve(asked, top_k=5)


def test_topic_and_questions_of_a_tree_are_words_to_find_its_rule_by() -> None:
    texts = tree_texts(RULES, trees=reviewed())
    assert texts["library-card"] == ("joining the library", "May I borrow things?", "Can I join?")
    asked = dialogue("borrowing")
    assert Bm25.build(RULES).retrieve(asked, top_k=1) == ()
    assert Bm25.build(RULES, extra_texts=texts).retrieve(asked, top_k=1)[0].rule == CARD
