"""Accuracy of decisions and F1-BLEU of questions, figure for figure as OR-ShARC's evaluator.

All are in percent and rounded to two decimals; F1 is made of the rounded precision and recall,
because that is what the published figures are made of.

Where the released evaluator fails or misleads, this one says what it does instead:

- a sample without a prediction is wrong and asks nothing (released: it asks the word 'missing');
- a class without a gold sample has recall 0 and stays out of the macro average (released: nan);
- BLEU is 0 where there is no word to compare (released: division by zero).
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from clausewise.evaluation.bleu import MAX_ORDER, Pair, corpus_bleu, normalise

_YES, _NO, _INQUIRE = "yes", "no", "more"
_LABELS = (_YES, _NO, _INQUIRE)


@dataclass(frozen=True, slots=True, kw_only=True)
class Outcome:
    """What was right and what was said, both normalised; see `Outcome.of`."""

    gold: str
    predicted: str | None
    """None where nothing was said: no prediction, or an abstention."""

    @classmethod
    def of(cls, *, gold: str, predicted: str | None) -> Outcome:
        """Return the outcome of a sample from its gold answer and the predicted one."""
        return cls(
            gold=normalise(gold), predicted=None if predicted is None else normalise(predicted)
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class ClassRecalls:
    """The share of each class's samples that was decided rightly."""

    yes: float
    no: float
    inquire: float


@dataclass(frozen=True, slots=True, kw_only=True)
class Scores:
    """The figures of one set of samples, in percent. BLEU is a tuple: orders 1, 2, 3, 4."""

    n: int
    micro: float
    macro: float
    classwise: ClassRecalls
    f1_bleu: tuple[float, ...]
    precision_bleu: tuple[float, ...]
    """Over the samples for which a question was predicted."""
    recall_bleu: tuple[float, ...]
    """Over the samples whose gold is a question."""

    @classmethod
    def of(cls, outcomes: Sequence[Outcome]) -> Scores:
        """Return the figures of some outcomes; all are 0 where there are none."""
        recalls = {label: _recall(outcomes, label=label) for label in _LABELS}
        precision_bleu = _percent_bleu(_asked(outcomes))
        recall_bleu = _percent_bleu(_to_be_asked(outcomes))
        return cls(
            n=len(outcomes),
            micro=_percent(sum(map(_is_right, outcomes)), len(outcomes)),
            macro=_macro(outcomes),
            classwise=ClassRecalls(yes=recalls[_YES], no=recalls[_NO], inquire=recalls[_INQUIRE]),
            f1_bleu=tuple(map(_harmonic_mean, precision_bleu, recall_bleu)),
            precision_bleu=precision_bleu,
            recall_bleu=recall_bleu,
        )

    def to_json(self) -> Mapping[str, object]:
        """Return the figures under the names of the command-line contract."""
        return {
            "n": self.n,
            "micro": self.micro,
            "macro": self.macro,
            "classwise": {
                "yes": self.classwise.yes,
                "no": self.classwise.no,
                "inquire": self.classwise.inquire,
            },
            "f1_bleu": _by_order(self.f1_bleu),
            "precision_bleu": _by_order(self.precision_bleu),
            "recall_bleu": _by_order(self.recall_bleu),
        }


def _label(answer: str) -> str:
    return answer if answer in (_YES, _NO) else _INQUIRE


def _is_question(answer: str) -> bool:
    # The word 'more' itself is the class and not a question, in gold as in predictions.
    return answer not in _LABELS


def _is_right(outcome: Outcome) -> bool:
    return outcome.predicted is not None and _label(outcome.predicted) == _label(outcome.gold)


def _of_class(outcomes: Iterable[Outcome], label: str) -> list[Outcome]:
    return [outcome for outcome in outcomes if _label(outcome.gold) == label]


def _share_right(outcomes: Sequence[Outcome]) -> float:
    return sum(map(_is_right, outcomes)) / len(outcomes)


def _recall(outcomes: Sequence[Outcome], *, label: str) -> float:
    members = _of_class(outcomes, label)
    return _percent(sum(map(_is_right, members)), len(members))


def _macro(outcomes: Sequence[Outcome]) -> float:
    """Return the mean of the recalls before they are rounded."""
    classes = [members for label in _LABELS if (members := _of_class(outcomes, label))]
    return _percent(sum(map(_share_right, classes)), len(classes))


def _asked(outcomes: Iterable[Outcome]) -> list[Pair]:
    return [
        Pair(
            candidate=outcome.predicted,
            reference=outcome.gold if _is_question(outcome.gold) else "",
        )
        for outcome in outcomes
        if outcome.predicted is not None and _is_question(outcome.predicted)
    ]


def _to_be_asked(outcomes: Iterable[Outcome]) -> list[Pair]:
    return [
        Pair(candidate=_question_or_nothing(outcome.predicted), reference=outcome.gold)
        for outcome in outcomes
        if _is_question(outcome.gold)
    ]


def _question_or_nothing(predicted: str | None) -> str:
    return predicted if predicted is not None and _is_question(predicted) else ""


def _percent(part: float, whole: int) -> float:
    return round(100 * (part / whole), 2) if whole else 0.0


def _percent_bleu(pairs: Iterable[Pair]) -> tuple[float, ...]:
    return tuple(round(100 * bleu, 2) for bleu in corpus_bleu(pairs))


def _harmonic_mean(precision: float, recall: float) -> float:
    total = precision + recall
    return round(2 * precision * recall / total, 2) if total else 0.0


def _by_order(bleu: Sequence[float]) -> Mapping[str, float]:
    return {str(order): bleu[order - 1] for order in range(1, MAX_ORDER + 1)}
