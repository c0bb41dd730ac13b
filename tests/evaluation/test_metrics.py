from __future__ import annotations

import pytest

from clausewise.evaluation.metrics import Outcome, Scores

pytest.importorskip("spacy")

PERFECT = (100.0,) * 4
NOTHING = (0.0,) * 4


def scores(*pairs: tuple[str, str | None]) -> Scores:
    return Scores.of([Outcome.of(gold=gold, predicted=predicted) for gold, predicted in pairs])


def test_perfect_predictions_score_a_hundred_everywhere() -> None:
    perfect = scores(("Yes", "yes"), ("No", "NO"), ("Are you 25?", "are you 25 ?"))
    assert (perfect.micro, perfect.macro) == (100, 100)
    assert perfect.f1_bleu == PERFECT


def test_macro_accuracy_is_the_mean_of_the_class_recalls() -> None:
    some = scores(("Yes", "Yes"), ("Yes", "No"), ("Yes", "No"), ("No", "No"), ("Rent?", "Yes"))
    assert (some.micro, some.macro) == (40, 44.44)
    assert (some.classwise.yes, some.classwise.no, some.classwise.inquire) == (33.33, 100, 0)


def test_any_words_but_yes_and_no_are_a_question() -> None:
    assert scores(("Are you 25?", "Yes, you can.")).classwise.inquire == 100


def test_asking_where_an_answer_is_due_costs_precision_and_not_recall() -> None:
    precise = scores(("Are you 25?", "Are you 25?"), ("Yes", "Yes"))
    eager = scores(("Are you 25?", "Are you 25?"), ("Yes", "Do you live in the zone?"))
    assert eager.recall_bleu == precise.recall_bleu == PERFECT
    assert eager.precision_bleu[0] == pytest.approx(100 * (4 + 1) / (11 + 1), abs=0.01)


def test_answering_where_a_question_is_due_costs_recall_and_not_precision() -> None:
    hasty = scores(("Are you 25?", "Are you 25?"), ("Do you live in the zone?", "No"))
    assert hasty.precision_bleu == PERFECT
    assert hasty.recall_bleu[0] < 50


def test_no_prediction_is_wrong_and_asks_nothing() -> None:
    silent = scores(("Are you 25?", None), ("Yes", None))
    assert (silent.micro, silent.macro) == (0, 0)
    assert silent.precision_bleu == silent.recall_bleu == NOTHING


def test_a_class_that_does_not_occur_stays_out_of_the_macro_average() -> None:
    assert scores(("Yes", "Yes")).macro == 100


def test_no_samples_score_nothing() -> None:
    empty = scores()
    assert (empty.n, empty.micro, empty.macro, empty.f1_bleu) == (0, 0, 0, NOTHING)


def test_the_json_has_the_names_of_the_contract() -> None:
    assert list(scores(("Yes", "Yes")).to_json()) == [
        "n", "micro", "macro", "classwise", "f1_bleu", "precision_bleu", "recall_bleu",
    ]  # fmt: skip
    assert scores(("Yes", "Yes")).to_json()["f1_bleu"] == {"1": 0, "2": 0, "3": 0, "4": 0}
