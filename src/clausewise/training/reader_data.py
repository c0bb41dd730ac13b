"""From a configuration to the examples that a joint reader learns from, and is measured on."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from clausewise.datasets.dialogues import simulate
from clausewise.datasets.orsharc import read_samples
from clausewise.datasets.simulated import SimulatedSample
from clausewise.errors import DataError, Where
from clausewise.knowledge.base import KnowledgeBase
from clausewise.training.manifest import DataFile
from clausewise.training.reader_config import LabelsName, SampleConfig
from clausewise.training.reader_examples import Example, noisy_examples, tree_example
from clausewise.training.splits import Trees
from clausewise.trees.tree import RuleTree
from clausewise.types import RuleText


@dataclass(frozen=True, slots=True, kw_only=True)
class ReaderData:
    """Examples, and the rule texts among which theirs are to be found."""

    training: tuple[Example, ...]
    rules: tuple[RuleText, ...]
    """Of training: held-out rules take no part, not even as wrong ones."""
    held_out: tuple[Example, ...]
    all_rules: tuple[RuleText, ...]
    """Those of training and of the held-out examples."""
    files: tuple[DataFile, ...]

    @classmethod
    def read(cls, config: SampleConfig, *, labels: LabelsName, data: Path) -> ReaderData:
        """Return what the configuration describes; paths are relative to `data`."""
        if config.file is not None:
            return cls._of_file(config, data=data)
        trees = Trees.read(config.trees, data=data)
        rules = _rules_of(trees.training)
        all_rules = {**rules, **_rules_of(trees.held_out)}
        training = simulate(
            trees.training, count=config.count, seed=config.seed, config=config.dialogues
        )
        held_out = (
            simulate(
                trees.held_out, count=config.held_out, seed=config.seed, config=config.dialogues
            )
            if trees.held_out and config.held_out
            else ()
        )
        return cls(
            training=_examples(tuple(training), labels=labels, rules=rules),
            rules=tuple(rules.values()),
            held_out=_examples(tuple(held_out), labels=labels, rules=all_rules),
            all_rules=tuple(all_rules.values()),
            files=tuple(DataFile.of(data / path, used_for="training") for path in config.trees),
        )

    @classmethod
    def _of_file(cls, config: SampleConfig, *, data: Path) -> ReaderData:
        assert config.file is not None
        assert config.rules is not None
        path = data / config.file
        rules = tuple(KnowledgeBase.open(data / config.rules))
        by_id = {rule.rule_id: rule for rule in rules}
        samples = read_samples(path)
        for sample in samples:
            if sample.gold.rule_id not in by_id:
                problem = f"{sample.gold.rule_id!r} is no rule (sample {sample.utterance_id})"
                where = Where(file=str(path), field="gold_snippet_id")
                raise DataError(f"{problem}, expected an id of {config.rules}", where=where)
        return cls(
            training=noisy_examples(samples, rules=by_id),
            rules=rules,
            held_out=(),
            all_rules=rules,
            files=tuple(
                DataFile.of(file, used_for="training") for file in (path, data / config.rules)
            ),
        )


def _examples(
    samples: Sequence[SimulatedSample], *, labels: LabelsName, rules: Mapping[str, RuleText]
) -> tuple[Example, ...]:
    if labels == "tree":
        return tuple(tree_example(each, rule=rules[each.rule_text]) for each in samples)
    of_samples = {each.sample.gold.rule_id: rules[each.rule_text] for each in samples}
    return noisy_examples([each.sample for each in samples], rules=of_samples)


def _rules_of(trees: Sequence[RuleTree]) -> dict[str, RuleText]:
    """Return the rule texts of some trees, each once, by their words."""
    rules: dict[str, RuleText] = {}
    for tree in trees:
        text = tree.rule_text or ""
        rules.setdefault(text, RuleText(rule_id=tree.rule_id or tree.tree_id, text=text))
    return rules
