"""Writes what people say of their own accord, from the statements that trees hold.

Facts are stated in any order, joined as people join sentences, with things beside the point in
between: a judge that is trained on clean sentences alone trusts every sentence.
"""

from __future__ import annotations

import random
import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache

from clausewise.datasets.dialogue_config import DialogueConfig
from clausewise.text import content_words
from clausewise.trees.tree import RuleTree
from clausewise.trees.values import Condition

_OPENINGS = (
    "I have a question about {}.",
    "I'd like to know about {}.",
    "I'm asking about {}.",
    "This is about {}.",
    "I'm trying to find out about {}.",
    "I want to know more about {}.",
)
_CLOSINGS = (
    "I'm not sure how this works.",
    "Thanks for your help.",
    "I couldn't find this on the website.",
    "A friend told me to ask.",
    "I don't know who else to ask.",
    "I've never had to deal with this before.",
    "I hope you can help me.",
    "Please let me know where I stand.",
    "It's all a bit confusing to me.",
    "I've been going back and forth on this for days.",
)
_UNCAPITALISED_LISTED = """
    A All An Both He It It's My Neither No None Nobody Nothing Our She Some That The There
    There's They This We We're We've Yes
"""
_UNCAPITALISED = frozenset(_UNCAPITALISED_LISTED.split())
"""First words that are written small inside a sentence; names are not, and can't be told apart."""

_AGE = re.compile(
    r"\bage[ds]?\b|\b(?:over|under|least|turn(?:ed|s)?)\s+\d\d\b|\b\d\d or \w+\b|\bold\b",
    flags=re.IGNORECASE,
)
"""A condition about somebody's age, which hardly two texts word alike."""
_ATTEMPTS = 50


@dataclass(frozen=True, slots=True, kw_only=True)
class Fact:
    """A condition that the scenario states to hold, or not to."""

    condition: Condition
    holds: bool

    @property
    def statements(self) -> tuple[str, ...]:
        """The sentences that state it."""
        return self.condition.yes if self.holds else self.condition.no


@dataclass(frozen=True, slots=True, kw_only=True)
class _About:
    """A condition and the words that say what it is about."""

    condition: Condition
    words: frozenset[str]


class ScenarioWriter:
    """Writes scenarios; facts that are beside the point come from its trees."""

    def __init__(self, trees: Sequence[RuleTree], *, config: DialogueConfig) -> None:
        self._config = config
        self._strangers = [
            stranger
            for tree in trees
            if (stranger := tuple(map(_about, filter(_has_both, tree.conditions))))
        ]

    def stating(self, facts: Sequence[Fact], *, tree: RuleTree, rng: random.Random) -> str:
        """Return a scenario that states the facts, and perhaps one of another rule."""
        sentences = [rng.choice(fact.statements) for fact in facts]
        if rng.random() < self._config.stray:
            sentences += self._stray(1, tree=tree, rng=rng)
        return self.written(sentences, tree=tree, rng=rng)

    def irrelevant(self, *, tree: RuleTree, rng: random.Random) -> str:
        """Return a scenario of somebody who has another rule in mind."""
        weights = self._config.facts
        (count,) = rng.choices(range(1, len(weights) + 1), weights=weights)
        return self.written(self._stray(count, tree=tree, rng=rng), tree=None, rng=rng)

    def chatter(self, *, tree: RuleTree, rng: random.Random) -> str:
        """Return a scenario without a fact."""
        closings = rng.sample(_CLOSINGS, k=rng.choice((0, 1, 2)))
        return " ".join([rng.choice(_OPENINGS).format(tree.topic), *closings])

    def _stray(self, count: int, *, tree: RuleTree, rng: random.Random) -> list[str]:
        """Return statements of one tree, about conditions that share no word with those of `tree`.

        A fact that touches the same matter might settle a condition, or contradict an answer.
        """
        own = frozenset[str]().union(*(_about(condition).words for condition in tree.conditions))
        for _ in range(_ATTEMPTS if self._strangers else 0):
            stranger = rng.choice(self._strangers)
            if apart := [each.condition for each in stranger if own.isdisjoint(each.words)]:
                chosen = rng.sample(apart, k=min(count, len(apart)))
                return [_said_of(condition, rng=rng) for condition in chosen]
        return []

    def written(
        self, sentences: Sequence[str], *, tree: RuleTree | None, rng: random.Random
    ) -> str:
        """Return a scenario of these sentences, in any order; with a tree, it may say its topic."""
        config, sentences = self._config, list(sentences)
        rng.shuffle(sentences)
        if len(sentences) > 1 and rng.random() < config.joined:
            sentences = _joined(sentences)
        if tree is not None and rng.random() < config.introduced:
            sentences.insert(0, rng.choice(_OPENINGS).format(tree.topic))
        if rng.random() < config.closed:
            sentences.append(rng.choice(_CLOSINGS))
        text = " ".join(sentences)
        return text.lower().rstrip(".") if rng.random() < config.careless else text


@lru_cache(maxsize=65536)
def _about(condition: Condition) -> _About:
    text = f"{condition.text} {condition.question}"
    words = frozenset(content_words(text))
    return _About(condition=condition, words=words | {"age"} if _AGE.search(text) else words)


def _has_both(condition: Condition) -> bool:
    return bool(condition.yes and condition.no)


def _said_of(condition: Condition, *, rng: random.Random) -> str:
    """Return a statement about a condition, true or not."""
    return rng.choice(rng.choice((condition.yes, condition.no)))


def _joined(sentences: list[str]) -> list[str]:
    """Return the sentences with the first two made one, where the second can be written small."""
    first, second, *others = sentences
    word, _, rest = second.partition(" ")
    is_first_person = re.match(r"I\b", word) is not None
    if not first.endswith(".") or (word not in _UNCAPITALISED and not is_first_person):
        return sentences
    small = word.lower() if word in _UNCAPITALISED else word
    return [f"{first[:-1]}, and {small} {rest}", *others]
