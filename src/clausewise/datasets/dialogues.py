"""Simulates dialogues in OR-ShARC's form from rule trees, because its training part is not at hand.

A dialogue is a way through a tree: what holds for a person is drawn, some of it is put into the
scenario in the words of the tree's statements, and the rest is asked for in the author's order.
Every turn of it is a sample. The same trees, seed and configuration give the same samples.
"""

from __future__ import annotations

import hashlib
import itertools
import random
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from clausewise.datasets.dialogue_config import DialogueConfig
from clausewise.datasets.orsharc import Gold, Sample
from clausewise.datasets.reversal import reverse
from clausewise.datasets.scenarios import Fact, ScenarioWriter
from clausewise.datasets.simulated import KnownCondition, SimulatedSample
from clausewise.datasets.walks import Path, Walk, follow, known, paths, walk_of
from clausewise.errors import DataError, Where
from clausewise.trees.tree import RuleTree
from clausewise.trees.values import Condition, State
from clausewise.types import Dialogue, Turn, WordsFrom


@dataclass(frozen=True, slots=True, kw_only=True)
class _Way:
    """One way through one tree: a dialogue in which nothing is said of one's own accord."""

    tree: RuleTree
    walk: Walk
    path: Path


@dataclass(frozen=True, slots=True, kw_only=True)
class _Scenario:
    """What the person says of their own accord, and what that does to the dialogue."""

    text: str = ""
    settled: tuple[Fact, ...] = ()
    """Facts that needn't be asked about any more."""
    restated: tuple[Fact, ...] = ()
    """Facts that are asked about all the same."""


@dataclass(frozen=True, slots=True, kw_only=True)
class _Person:
    """Somebody with a question: one whole dialogue."""

    tree: RuleTree
    question: str
    reversed: bool
    scenario: _Scenario
    asked: tuple[Fact, ...]
    """What is asked, in its order, and how it is answered."""
    value: bool
    """Of the tree's logic."""


def simulate(
    trees: Sequence[RuleTree], *, count: int, seed: int, config: DialogueConfig | None = None
) -> Iterator[SimulatedSample]:
    """Yield `count` samples of dialogues about the trees, of which there is at least one.

    Raises DataError for a tree without rule text or user's question, or with too many conditions.
    """
    if not trees:
        raise DataError("no trees to simulate dialogues from", where=Where(field="trees"))
    simulator = _Simulator(trees, seed=seed, config=config or DialogueConfig())
    return itertools.islice(simulator.samples(), count)


class _Simulator:
    def __init__(self, trees: Sequence[RuleTree], *, seed: int, config: DialogueConfig) -> None:
        self._seed = seed
        self._config = config
        self._writer = ScenarioWriter(trees, config=config)
        self._ways = _ways(trees, longest=len(config.questions))

    def samples(self) -> Iterator[SimulatedSample]:
        for number in itertools.count():
            # A generator a dialogue: none depends on how much chance the ones before it used.
            rng = random.Random(f"{self._seed}:{number}")  # noqa: S311 - no secret
            person = self._person(rng)
            for turn in self._turns_kept(person, rng=rng):
                yield self._sample(
                    person, turn=turn, identity=f"{self._seed}:{number}:{turn}", rng=rng
                )

    def _person(self, rng: random.Random) -> _Person:
        way = self._way(rng)
        tree, answers = way.tree, way.path.answers
        question, is_reversed = self._question(tree, rng=rng)
        facts = [_fact(tree, key=key, holds=holds) for key, holds in answers]
        scenario = self._scenario(tree, facts=facts, rng=rng)
        settled = {fact.condition.key: fact.holds for fact in scenario.settled}
        rest = follow(known(way.walk, settled), dict(answers))
        return _Person(
            tree=tree,
            question=question,
            reversed=is_reversed,
            scenario=scenario,
            asked=tuple(_fact(tree, key=key, holds=holds) for key, holds in rest.answers),
            value=rest.value,
        )

    def _way(self, rng: random.Random) -> _Way:
        wanted = rng.random() < self._config.yes
        by_length = self._ways[wanted] or self._ways[not wanted]
        weights = [self._config.questions[length - 1] for length in by_length]
        # Trees may have only lengths that the configuration gives no weight.
        (length,) = rng.choices(list(by_length), weights=weights if any(weights) else None)
        return rng.choice(by_length[length])

    def _question(self, tree: RuleTree, *, rng: random.Random) -> tuple[str, bool]:
        question = rng.choice(tree.questions)
        if rng.random() < self._config.reversed and (turned := reverse(question)):
            return turned, True
        return question, False

    def _scenario(self, tree: RuleTree, *, facts: Sequence[Fact], rng: random.Random) -> _Scenario:
        weights = self._config.scenario
        kinds: Mapping[Callable[[], _Scenario], float] = {
            _Scenario: weights.none,
            lambda: self._settling(tree, facts=facts, rng=rng): weights.settling,
            lambda: self._restated(tree, facts=facts, rng=rng): weights.restated,
            lambda: _Scenario(text=self._writer.irrelevant(tree=tree, rng=rng)): weights.irrelevant,
            lambda: _Scenario(text=self._writer.chatter(tree=tree, rng=rng)): weights.chatter,
        }
        (kind,) = rng.choices(tuple(kinds), weights=tuple(kinds.values()))
        return kind()

    def _settling(self, tree: RuleTree, *, facts: Sequence[Fact], rng: random.Random) -> _Scenario:
        chosen = self._some(facts, rng=rng)
        text = self._writer.stating(chosen, tree=tree, rng=rng)
        return _Scenario(text=text, settled=chosen)

    def _restated(self, tree: RuleTree, *, facts: Sequence[Fact], rng: random.Random) -> _Scenario:
        chosen = self._some(facts, rng=rng)
        text = self._writer.stating(chosen, tree=tree, rng=rng)
        return _Scenario(text=text, restated=chosen)

    def _some(self, facts: Sequence[Fact], *, rng: random.Random) -> tuple[Fact, ...]:
        """Return some of the facts that can be stated, in their order."""
        possible = [index for index, fact in enumerate(facts) if fact.statements]
        weights = self._config.facts
        (count,) = rng.choices(range(1, len(weights) + 1), weights=weights)
        chosen = rng.sample(possible, k=min(count, len(possible)))
        return tuple(facts[index] for index in sorted(chosen))

    def _turns_kept(self, person: _Person, *, rng: random.Random) -> Iterator[int]:
        """Yield the numbers of answered questions after which a sample is taken."""
        restated = {fact.condition.key for fact in person.scenario.restated}
        for turn in range(len(person.asked) + 1):
            restated -= {fact.condition.key for fact in person.asked[:turn]}
            is_last = turn == len(person.asked)
            # Before its question has been answered, a restated fact would be evidence.
            if not restated and (is_last or rng.random() < self._config.keep_question):
                yield turn

    def _sample(
        self, person: _Person, *, turn: int, identity: str, rng: random.Random
    ) -> SimulatedSample:
        asked = person.asked[turn].condition if turn < len(person.asked) else None
        return SimulatedSample(
            sample=Sample(
                utterance_id=hashlib.sha1(identity.encode(), usedforsecurity=False).hexdigest(),
                tree_id=person.tree.tree_id or None,
                dialogue=Dialogue(
                    question=person.question,
                    scenario=person.scenario.text,
                    turns=tuple(self._turn(fact, rng=rng) for fact in person.asked[:turn]),
                ),
                gold=_gold(person, asked=asked),
            ),
            rule_text=person.tree.rule_text or "",
            conditions=_known_conditions(person, turn=turn),
            asked=asked,
            reversed=person.reversed,
        )

    def _turn(self, fact: Fact, *, rng: random.Random) -> Turn:
        condition = fact.condition
        question = condition.question
        if condition.paraphrases and rng.random() < self._config.paraphrased:
            question = rng.choice(condition.paraphrases)
        return Turn(question=question, answer=_yes_or_no(fact.holds))


def _ways(
    trees: Sequence[RuleTree], *, longest: int
) -> Mapping[bool, Mapping[int, Sequence[_Way]]]:
    """Return all ways through the trees by where they lead and how many questions they take.

    Those that take none count as one question, those over `longest` as `longest`.
    """
    ways: dict[bool, dict[int, list[_Way]]] = {True: {}, False: {}}
    for tree in trees:
        if not tree.questions or tree.rule_text is None:
            where = Where(field=f"tree {tree.tree_id or tree.rule_id!r}")
            raise DataError("needs a rule text and a user's question to simulate", where=where)
        walk = walk_of(tree)
        for path in paths(walk):
            length = min(max(len(path.answers), 1), longest)
            way = _Way(tree=tree, walk=walk, path=path)
            ways[path.value].setdefault(length, []).append(way)
    return ways


def _fact(tree: RuleTree, *, key: str, holds: bool) -> Fact:
    return Fact(condition=tree.condition(key), holds=holds)


def _gold(person: _Person, *, asked: Condition | None) -> Gold:
    return Gold(
        answer=asked.question if asked else _yes_or_no(person.value is not person.reversed),
        rule_id=person.tree.rule_id or person.tree.tree_id,
        evidence=tuple(
            Turn(question=fact.condition.question, answer=_yes_or_no(fact.holds))
            for fact in person.scenario.settled
        ),
    )


def _known_conditions(person: _Person, *, turn: int) -> tuple[KnownCondition, ...]:
    said = {fact.condition.key: (fact, WordsFrom.SCENARIO) for fact in person.scenario.settled}
    said |= {fact.condition.key: (fact, WordsFrom.ANSWER) for fact in person.asked[:turn]}
    found = []
    for condition in person.tree.conditions:
        fact, said_in = said.get(condition.key, (None, None))
        state = State.of(fact.holds) if fact else State.UNKNOWN
        found.append(KnownCondition(condition=condition, state=state, said_in=said_in))
    return tuple(found)


def _yes_or_no(value: bool) -> str:
    return "Yes" if value else "No"
