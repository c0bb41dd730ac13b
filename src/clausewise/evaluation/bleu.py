"""BLEU as OR-ShARC's released evaluator computes it, so that figures compare with the papers'.

Papineni et al. 2002, with the add-one smoothing of Lin and Och 2004 applied to every order, the
first included, and one brevity penalty over the whole corpus. Text is lower-cased and cut into
tokens by spaCy's blank English tokenizer.
"""

from __future__ import annotations

import functools
import math
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass

from clausewise.errors import MissingExtraError

MAX_ORDER = 4


@dataclass(frozen=True, slots=True, kw_only=True)
class Pair:
    """A text to score and the text that it should have been, both normalised."""

    candidate: str
    reference: str


@dataclass(frozen=True, slots=True, kw_only=True)
class _Counts:
    matches: tuple[int, ...]
    possible: tuple[int, ...]
    candidate_length: int
    reference_length: int


def require_tokenizer() -> None:
    """Raise MissingExtraError where the tokenizer is missing: call it before long work."""
    _tokenizer()


def normalise(text: str) -> str:
    """Return the text lower-cased, with one space between its tokens."""
    tokens = (token.lower() for token in _tokenizer()(text))
    return " ".join(token for token in tokens if not token.isspace())


def corpus_bleu(pairs: Iterable[Pair]) -> tuple[float, ...]:
    """Return BLEU with maximum order 1, 2, 3 and 4, each from 0 to 1.

    All are 0 where the candidates, or the references, hold no token between them: no word was
    right, and the released code divides by zero.
    """
    counts = _count(pairs)
    if not counts.candidate_length or not counts.reference_length:
        return (0.0,) * MAX_ORDER
    penalty = _brevity_penalty(counts)
    return tuple(penalty * _mean_precision(counts, order=order + 1) for order in range(MAX_ORDER))


def _count(pairs: Iterable[Pair]) -> _Counts:
    matches, possible = [0] * MAX_ORDER, [0] * MAX_ORDER
    candidate_length = reference_length = 0
    for pair in pairs:
        candidate, reference = pair.candidate.split(), pair.reference.split()
        candidate_length += len(candidate)
        reference_length += len(reference)
        for index in range(MAX_ORDER):
            # `&` clips: an n-gram counts as often as the reference has it, and no more.
            overlap = _ngrams(candidate, index + 1) & _ngrams(reference, index + 1)
            matches[index] += overlap.total()
            possible[index] += max(0, len(candidate) - index)
    return _Counts(
        matches=tuple(matches),
        possible=tuple(possible),
        candidate_length=candidate_length,
        reference_length=reference_length,
    )


def _ngrams(tokens: Sequence[str], order: int) -> Counter[tuple[str, ...]]:
    return Counter(tuple(tokens[i : i + order]) for i in range(len(tokens) - order + 1))


def _mean_precision(counts: _Counts, *, order: int) -> float:
    """Return the geometric mean of the smoothed precisions up to an order."""
    precisions = [
        (matches + 1) / (possible + 1)
        for matches, possible in zip(counts.matches[:order], counts.possible[:order], strict=True)
    ]
    return math.exp(sum(math.log(precision) / order for precision in precisions))


def _brevity_penalty(counts: _Counts) -> float:
    ratio = counts.candidate_length / counts.reference_length
    return 1.0 if ratio > 1 else math.exp(1 - 1 / ratio)


@functools.cache
def _tokenizer() -> Callable[[str], list[str]]:
    try:
        from spacy.lang.en import English  # noqa: PLC0415 - half a second, and an extra
    except ImportError as error:
        raise MissingExtraError("scoring questions with BLEU", extra="eval") from error
    tokenizer = English().tokenizer
    return lambda text: [token.text for token in tokenizer(text)]
