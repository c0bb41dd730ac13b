"""The terms that rule texts and questions are compared by.

Two ways of cutting a text into terms stand side by side: DrQA's, kept to the letter because its
published figures depend on it, and ours, which sees words as the rest of Clausewise does
(`clausewise.text`): stemmed, so that "paying" finds "paid".
"""

from __future__ import annotations

import unicodedata
from functools import lru_cache
from itertools import pairwise

from clausewise.text import normalised, sentences, stem

STOPWORDS = frozenset(
    """a about above after again against ain all am an and any are aren as at be because been before
    being below between both but by can couldn d did didn do does doesn doing don down during each
    few for from further had hadn has hasn have haven having he her here hers herself him himself
    his how i if in into is isn it its itself just ll m ma me mightn more most mustn my myself needn
    no nor not now o of off on once only or other our ours ourselves out over own re s same shan she
    should shouldn so some such t than that the their theirs them themselves then there these they
    this those through to too under until up ve very was wasn we were weren what when where which
    while who whom why will with won wouldn y you your yours yourself yourselves
    """.split()  # noqa: SIM905 - so many words in quotes can't be read
)
"""NLTK's English stop words, which DrQA leaves out."""


_DO = frozenset(("do", "does", "did"))
_AUXILIARIES = _DO.union(
    "can could may might must shall should will would am is are was were have has had".split()  # noqa: SIM905
)
_PRONOUNS = frozenset(("i", "we", "you", "he", "she", "it", "they"))
_ADDRESSED = {
    "i": "you", "we": "you", "me": "you", "us": "you", "my": "your", "our": "your",
    "mine": "yours", "ours": "yours", "myself": "yourself", "am": "are",
    "i'm": "you are", "i've": "you have", "i'll": "you will", "i'd": "you would",
    "we're": "you are", "we've": "you have",
}  # fmt: skip


def drqa_terms(text: str) -> list[str]:
    """Return DrQA's terms: words and pairs of neighbours that hold no stop word or punctuation."""
    tokens = [token.lower() for token in _drqa_tokens(unicodedata.normalize("NFD", text))]
    kept = [not _is_left_out(token) for token in tokens]
    words = [token for token, keep in zip(tokens, kept, strict=True) if keep]
    pairs = [
        f"{tokens[place]} {tokens[place + 1]}"
        for place in range(len(tokens) - 1)
        if kept[place] and kept[place + 1]
    ]
    return words + pairs


def _drqa_tokens(text: str) -> list[str]:
    """Return runs of letters, marks and digits, and every other visible character by itself."""
    spaced = "".join(_as_drqa_sees_it(character) for character in text)
    return spaced.split()


@lru_cache(maxsize=4096)
def _as_drqa_sees_it(character: str) -> str:
    match unicodedata.category(character)[0]:
        case "L" | "M" | "N":
            return character
        case "Z" | "C":
            return " "
        case _:
            return f" {character} "


@lru_cache(maxsize=2**16)
def _is_left_out(token: str) -> bool:
    return token in STOPWORDS or all(unicodedata.category(sign)[0] == "P" for sign in token)


def stemmed_terms(text: str) -> list[str]:
    """Return the stems of the content words, and every pair of neighbours with one in it.

    Pairs such as "in receipt" or "apply for" keep the small words that tell phrases apart.
    """
    words = normalised(text).split()
    stems = [stem(word) for word in words]
    content = [word not in STOPWORDS for word in words]
    pairs = [
        f"{first} {second}"
        for (first, second), near in zip(pairwise(stems), pairwise(content), strict=True)
        if any(near)
    ]
    return [word for word, keep in zip(stems, content, strict=True) if keep] + pairs


def as_stated(question: str) -> str:
    """Return a person's question in the words in which a rule would speak to them.

    "Can I register?" becomes "you can register", whose pairs of words stand in the rule.
    """
    return " ".join(_stated(sentence.text) for sentence in sentences(question))


def _stated(sentence: str) -> str:
    words = normalised(sentence).split()
    if len(words) > 2 and words[0] in _AUXILIARIES and words[1] in _PRONOUNS:
        words = [words[1], *([] if words[0] in _DO else [words[0]]), *words[2:]]
    return " ".join(_ADDRESSED.get(word, word) for word in words)


def content_stems(text: str) -> list[str]:
    """Return the stems of the words that are no stop words."""
    return [stem(word) for word in normalised(text).split() if word not in STOPWORDS]
