"""Turning a clause with a subject and a verb into the question that asks whether it holds."""

from __future__ import annotations

import re
from dataclasses import dataclass

from clausewise.askers.verbs import (
    ADVERBS,
    BASES,
    BE,
    DUTIES,
    MODALS,
    base_of_past,
    base_of_present,
    is_adverb,
    is_participle,
)

_CONTRACTED = (
    (r"\b(can)['’]t\b", r"\1 not"),
    (r"\bwon['’]t\b", "will not"),
    (r"\bshan['’]t\b", "shall not"),
    (r"\b(\w+)n['’]t\b", r"\1 not"),
    (r"\bcannot\b", "can not"),
    (r"\b(you|they|we)['’]re\b", r"\1 are"),
    (r"\b(you|they|we|i)['’]ve\b", r"\1 have"),
    (r"\b(you|they|we|i|he|she|it)['’]ll\b", r"\1 will"),
    (r"\b(he|she|it|there)['’]s (been|had|got)\b", r"\1 has \2"),
    (r"\b(he|she|it|there)['’]s\b", r"\1 is"),
    (r"\bi['’]m\b", "I am"),
    (r"\b(you|they|we|i|he|she)['’]d\b", r"\1 would"),
)
_IRREGULAR_PLURALS = frozenset({"people", "children", "women", "men"})
_REQUIRED = re.compile(
    r"(?:must|shall|should|(?:will )?needs? to|ha(?:ve|s) to|(?:are|is) required to)(?: also)? ",
    re.IGNORECASE,
)
_PERSON = (
    r"(?:(?:the|an?|any|every|each|all|some|no)\s+)?(?:applicant|claimant|student|employee|worker"
    r"|tenant|person|individual|resident|member|citizen|veteran|borrower|candidate|learner"
    r"|taxpayer|colleague|householder|participant)s?"
)
_PEOPLE = (
    rf"(?:{_PERSON}|drivers?|customers?|owners?|parents?|families|people|persons|staff"
    r"|anyone|anybody|someone|somebody|those|everyone)"
)
_HEAD = re.compile(
    rf"{_PEOPLE}\s+(?=(?:with|without|under|over|aged|living|working|getting|receiving|claiming|on|in"
    r"|not|entitled|registered|employed)\b)",
    re.IGNORECASE,
)
_RELATIVE = re.compile(
    rf"(?:{_PEOPLE}\s+)?(?:who|that)(?:['’](?P<short>ve|re|s))?\s+", re.IGNORECASE
)
_THIRD = re.compile(
    rf"(?:(?:they|he or she|she or he|he|she)(?=(?:['’]\w+)?\s)"
    rf"|{_PERSON}(?=\s)(?!\s+(?:of|or|and|in|on|at|for|to|from|by|living|you|they|we)\b))",
    re.IGNORECASE,
)
_BY_YOU = (
    (r"\b(?:his or her|their|his|her|my)\b(?!\s+or\b)", "your"), (r"\b(?:theirs|mine)\b", "yours"),
    (r"\b(?:themselves|himself|herself|themself|myself)\b", "yourself"),
)  # fmt: skip


_NEGATIVE = re.compile(r"(?:not|never|no longer|neither)\b")
_NEGATED = re.compile(r"^(?:no|none|neither|nobody|nothing)\b|\bnever$", re.IGNORECASE)


@dataclass(frozen=True, slots=True, kw_only=True)
class _Clause:
    """A clause parted at its finite verb."""

    subject: str
    verb: str
    rest: str


def expanded(text: str) -> str:
    """Return the text with its verbs written out: 'you've' is 'you have'."""
    for pattern, replacement in _CONTRACTED:
        text = re.sub(pattern, replacement, text, flags=re.IGNORECASE)
    return text


def addressed(text: str) -> str:
    """Return the clause about an applicant, a claimant or 'they' as one about 'you'."""
    relative = _RELATIVE.match(text)
    if relative:
        short = {"ve": "have ", "re": "are ", "s": "is "}.get(relative["short"] or "", "")
        rest = text[relative.end() :]
        if short == "is " and _is_perfect(rest):
            short = "have "
        text = "you " + short + rest
    elif head := _HEAD.match(text):
        return text[head.end() :]
    elif third := _THIRD.match(text):
        text = "you" + text[third.end() :]
    elif not re.match(r"(?:i|my)\b", text, re.IGNORECASE):
        return text
    for pattern, replacement in _BY_YOU:
        text = re.sub(pattern, replacement, text, flags=re.IGNORECASE)
    return re.sub(r"^i\b", "you", text, flags=re.IGNORECASE)


def question_of(clause: str) -> str | None:
    """Return the question for a clause with a subject and a verb, None where no verb is found."""
    parted = _parted(clause)
    if parted is None:
        return None
    subject, verb, rest = parted.subject, parted.verb.lower(), parted.rest
    if subject == "you":
        verb = agreeing(verb)
    if required := _REQUIRED.match(f"{verb} {rest} "):
        return _of_requirement(subject, f"{verb} {rest}"[required.end() :])
    has_none = subject != "you" and rest.startswith("no ")
    if has_none or _NEGATIVE.match(rest) or _NEGATED.search(subject):
        return f"Is it true that {subject} {verb} {rest}?".replace(" can not ", " cannot ")
    return _inverted(subject, verb, rest) or _with_do(subject, verb, rest)


def _inverted(subject: str, verb: str, rest: str) -> str | None:
    if verb in BE:
        return f"{_be(verb, subject=subject)} {subject} {rest}?"
    if verb in MODALS or (verb in {"do", "does", "did"} and _starts_with_verb(rest)):
        return f"{verb} {subject} {rest}?"
    if verb in {"have", "has", "had"} and _is_perfect(rest):
        return f"{'had' if verb == 'had' else _have(subject)} {subject} {rest}?"
    return None


def _of_requirement(subject: str, rest: str) -> str:
    """Ask whether it is met: whether 'it must have gears' has gears."""
    first, _, others = rest.partition(" ")
    word = first.lower()
    if word == "not":
        return f"Is it true that {subject} {_prohibited(subject, others)}?"
    if word == "be":
        return f"{_be('are', subject=subject)} {subject} {others}?"
    if word == "have" and _is_perfect(others):
        return f"{_have(subject)} {subject} {others}?"
    if subject == "you" and word in DUTIES:
        return f"Have you {DUTIES[word]} {others}?"
    return f"{_do(subject)} {subject} {rest}?"


def _prohibited(subject: str, rest: str) -> str:
    if rest.startswith("have ") and _is_perfect(rest[5:]):
        return f"{_have(subject).lower()} not {rest[5:]}"
    if rest.startswith("be "):
        return f"{_be('are', subject=subject).lower()} not {rest[3:]}"
    return f"{_do(subject).lower()} not {rest}"


def _with_do(subject: str, verb: str, rest: str) -> str:
    past = base_of_past(verb)
    if past and verb not in BASES:
        return f"Did {subject} {past} {rest}?"
    base = base_of_present(verb) or verb
    return f"{_do(subject)} {subject} {base} {rest}?"


def _parted(clause: str) -> _Clause | None:
    words = clause.split()
    start = 1 if words and words[0].lower() in _PRONOUNS else 2
    if start == 1:
        while start < len(words) - 1 and is_adverb(words[start].lower()):
            start += 1
        if start >= len(words):
            return None
        return _cut(words, start)
    places = [place for place in range(start, min(len(words), 14)) if _is_finite(words, place)]
    firm = [place for place in places if not words[place].lower().endswith("ed")]
    return _cut(words, (firm or places)[0]) if places else None


_PRONOUNS = frozenset(
    {
        "nobody",
        "nothing",
        "everyone",
        "everybody",
        "you",
        "they",
        "he",
        "she",
        "it",
        "we",
        "i",
        "there",
        "this",
        "these",
    }
)


def _cut(words: list[str], place: int) -> _Clause:
    subject = words[:place]
    adverbs: list[str] = []
    while len(subject) > 1 and is_adverb(subject[-1].lower()):
        adverbs.insert(0, subject.pop())
    verb = words[place]
    rest = [*words[place + 1 :]]
    if verb.lower() in BE | MODALS or verb.lower() in {"have", "has"}:
        rest = [*adverbs, *rest]
        adverbs = []
    return _Clause(subject=" ".join([*subject, *adverbs]), verb=verb, rest=" ".join(rest))


_OTHER_CLAUSE_LISTED = """
    who that which to and or of the a an your for you they we he she it (if when as
"""
_BEFORE_OTHER_VERBS = frozenset(_OTHER_CLAUSE_LISTED.split())
"""After these a verb is that of another clause, or no verb."""


def _is_finite(words: list[str], place: int) -> bool:
    word, before = words[place].lower(), words[place - 1].lower()
    if before in _BEFORE_OTHER_VERBS:
        return False
    if word in BE or word in MODALS or word in {"has", "have", "had", "does", "do", "did"}:
        return True
    if base_of_present(word) and place + 1 < len(words) and not before.endswith("s"):
        return True
    plural = before in _IRREGULAR_PLURALS or (
        before.endswith("s") and not before.endswith(("ss", "'s", "’s"))
    )
    return (plural and word in BASES) or (word.endswith("ed") and base_of_past(word) in BASES)


def _starts_with_verb(rest: str) -> bool:
    first = rest.partition(" ")[0].lower()
    return first in BASES or first in {"not", "be"} or first in ADVERBS


def _is_perfect(rest: str) -> bool:
    words = [word.lower().strip(",") for word in rest.split()[:4]]
    while words and (is_adverb(words[0]) or words[0] == "not"):
        words.pop(0)
    return bool(words) and is_participle(words[0])


def _plural(subject: str) -> bool:
    first, last = subject.split(maxsplit=1)[0].lower(), subject.rsplit(maxsplit=1)[-1].lower()
    if (
        first in {"you", "they", "we", "these", "those", "both", "all"}
        or last in _IRREGULAR_PLURALS
    ):
        return True
    head = re.split(r"\s+(?:of|for|in|on|with|from|to|at|who|that|which)\s+", subject)[0].split()[
        -1
    ]
    return head.lower().endswith("s") and not head.lower().endswith(("ss", "us", "'s", "’s"))


def _be(verb: str, *, subject: str) -> str:
    if subject == "there":
        return verb.capitalize()
    if verb in {"was", "were"}:
        return "Were" if _plural(subject) else "Was"
    return "Are" if _plural(subject) else "Is"


def _have(subject: str) -> str:
    return "Have" if _plural(subject) else "Has"


def _do(subject: str) -> str:
    return "Do" if _plural(subject) else "Does"


def agreeing(word: str) -> str:
    """Return the form of 'be', 'have' or 'do' that goes with 'you'."""
    return {"is": "are", "am": "are", "was": "were", "has": "have", "does": "do"}.get(word, word)
