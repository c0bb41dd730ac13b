"""Our scores against formulas written down a second time, straight from the definition.

The transcription is kept naive on purpose: lists, loops, one BLEU a call, no shared code.
"""

from __future__ import annotations

import math
import random
from collections import Counter

import pytest

from clausewise.evaluation.metrics import Outcome, Scores

TOKENIZER = pytest.importorskip("spacy").blank("en").tokenizer

WORDS = [
    "Are",
    "you",
    "over",
    "25",
    "?",
    "live",
    "in",
    "the",
    "UK",
    "Don't",
    "£113",
    "a",
    "  ",
    "\n",
]


def tokens(text: str) -> list[str]:
    joined = "".join(token.text.lower() + " " for token in TOKENIZER(text))
    return joined.strip().replace("\n", "").split()


def bleu(references: list[list[str]], candidates: list[list[str]], order: int) -> float:
    candidate_length = sum(len(candidate) for candidate in candidates)
    reference_length = sum(len(reference) for reference in references)
    if candidate_length == 0 or reference_length == 0:
        return 0.0
    log_sum = 0.0
    for n in range(1, order + 1):
        matches = possible = 0
        for reference, candidate in zip(references, candidates, strict=True):
            in_candidate = Counter(zip(*(candidate[i:] for i in range(n)), strict=False))
            in_reference = Counter(zip(*(reference[i:] for i in range(n)), strict=False))
            matches += sum(min(count, in_reference[gram]) for gram, count in in_candidate.items())
            possible += sum(in_candidate.values())
        log_sum += math.log((matches + 1) / (possible + 1)) / order
    ratio = candidate_length / reference_length
    return math.exp(log_sum) * (1 if ratio > 1 else math.exp(1 - 1 / ratio))


def label(words: list[str]) -> str:
    return words[0] if words in (["yes"], ["no"]) else "more"


def is_question(words: list[str]) -> bool:
    return words not in (["yes"], ["no"], ["more"])


def expected(golds: list[str], predictions: list[str], order: int) -> tuple[float, ...]:
    pairs = [(tokens(g), tokens(p)) for g, p in zip(golds, predictions, strict=True)]
    micro = sum(label(g) == label(p) for g, p in pairs) / len(pairs)
    recalls = []
    for name in ("yes", "no", "more"):
        members = [label(p) == name for g, p in pairs if label(g) == name]
        if members:
            recalls.append(sum(members) / len(members))
    asked = [(g if is_question(g) else [], p) for g, p in pairs if is_question(p)]
    due = [(g, p if is_question(p) else []) for g, p in pairs if is_question(g)]
    precision = round(100 * bleu([g for g, _ in asked], [p for _, p in asked], order), 2)
    recall = round(100 * bleu([g for g, _ in due], [p for _, p in due], order), 2)
    f1 = 2 * precision * recall / (precision + recall) if precision + recall else 0.0
    return (100 * micro, 100 * sum(recalls) / len(recalls), precision, recall, f1)


def found(golds: list[str], predictions: list[str], order: int) -> tuple[float, ...]:
    pairs = zip(golds, predictions, strict=True)
    scores = Scores.of([Outcome.of(gold=gold, predicted=predicted) for gold, predicted in pairs])
    bleus = (scores.precision_bleu, scores.recall_bleu, scores.f1_bleu)
    return (scores.micro, scores.macro, *(each[order - 1] for each in bleus))


def some_answer(rng: random.Random) -> str:
    if rng.random() < 0.5:
        return rng.choice(["Yes", "No", "yes", " no", "NO\n", "More", "", "Yes.", "missing"])
    return " ".join(rng.choices(WORDS, k=rng.randrange(1, 12)))


@pytest.mark.parametrize("seed", range(25))
def test_scores_equal_the_definition_on_random_predictions(seed: int) -> None:
    rng = random.Random(seed)
    golds = [some_answer(rng) for _ in range(rng.choice([1, 2, 10, 60]))]
    predictions = [gold if rng.random() < 0.4 else some_answer(rng) for gold in golds]
    for order in (1, 2, 3, 4):
        assert found(golds, predictions, order) == pytest.approx(
            expected(golds, predictions, order), abs=0.0051
        )


@pytest.mark.parametrize(
    ("golds", "predictions"),
    [
        (["Are you 25?", "No", "Yes"], ["", "", ""]),
        (["Yes"], ["Are you 25?"]),
        (["Are you 25?"], ["Yes"]),
        (["Are you 25?"], ["Are you 25?"]),
        (["No"], ["No"]),
        (["Do you live in Wales?"] * 3, ["Do you", "", "do you live in wales ?"]),
    ],
)
def test_scores_equal_the_definition_at_the_edges(golds: list[str], predictions: list[str]) -> None:
    for order in (1, 4):
        assert found(golds, predictions, order) == pytest.approx(
            expected(golds, predictions, order), abs=0.0051
        )
