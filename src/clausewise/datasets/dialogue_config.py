"""How simulated dialogues are mixed.

The defaults make them look like OR-ShARC's development set: every share that `statistics` counts
is within five points of it, on the trees that the project trains on.
"""

from __future__ import annotations

from dataclasses import dataclass, field, fields

from clausewise.errors import ConfigError, Where


@dataclass(frozen=True, slots=True, kw_only=True)
class ScenarioWeights:
    """How often a dialogue's scenario is of which kind, relative to one another."""

    none: float = 0.13
    """The person says nothing of their own accord."""
    settling: float = 0.39
    """It settles conditions, which are then not asked about: the gold evidence."""
    restated: float = 0.34
    """It settles conditions that have been asked about all the same."""
    irrelevant: float = 0.2
    """It was written for another rule."""
    chatter: float = 0.1
    """It says what the question is about, and nothing that helps."""

    def __post_init__(self) -> None:
        weights = {each.name: getattr(self, each.name) for each in fields(self)}
        for name, weight in weights.items():
            if weight < 0:
                raise ConfigError(f"expected at least 0, not {weight}", where=Where(field=name))
        if not any(weights.values()):
            raise ConfigError("expected one weight above 0", where=Where(field="none"))


@dataclass(frozen=True, slots=True, kw_only=True)
class DialogueConfig:
    """The mixing weights of a simulation."""

    scenario: ScenarioWeights = field(default_factory=ScenarioWeights)
    facts: tuple[float, ...] = (0.56, 0.3, 0.14)
    """How often a scenario states one, two, three, ... facts, relative to one another."""
    questions: tuple[float, ...] = (0.43, 0.29, 0.17, 0.08, 0.03)
    """How often a dialogue would take one, two, three, ... questions if the scenario said nothing,
    relative to one another; the last weight is for all longer ones, too. Among the ways through
    the trees that take as many, each is as likely as another."""
    yes: float = 0.53
    """How often the logic comes out true, where the tree allows both."""
    keep_question: float = 0.35
    """How often a turn that ends in a question becomes a sample; one that ends in an answer
    always does."""
    reversed: float = 0.05
    """How often a question that can be turned round is."""
    paraphrased: float = 0.1
    """How often a question in the history has another wording, where the tree has one."""
    introduced: float = 0.22
    """How often a scenario begins by saying what it is about."""
    closed: float = 0.1
    """How often a scenario ends with a sentence that says nothing."""
    stray: float = 0.17
    """How often a scenario holds a fact that belongs to another rule."""
    joined: float = 0.3
    """How often two sentences are joined with 'and', where that reads well."""
    careless: float = 0.03
    """How often a scenario is typed without capitals and full stop."""

    def __post_init__(self) -> None:
        for name in _SHARES:
            share = getattr(self, name)
            if not 0 <= share <= 1:
                problem = f"{share} is no share, expected 0 to 1"
                raise ConfigError(problem, where=Where(field=name))
        for name, weights in (("facts", self.facts), ("questions", self.questions)):
            if not weights or min(weights) < 0 or not sum(weights):
                problem = "expected weights of at least 0, one of them above"
                raise ConfigError(problem, where=Where(field=name))


_SHARES = (
    "yes",
    "keep_question",
    "reversed",
    "paraphrased",
    "introduced",
    "closed",
    "stray",
    "joined",
    "careless",
)
