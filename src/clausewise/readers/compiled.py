"""The reader of compiled rules: reviewed trees where there are any, drafts for the rest.

A rule is compiled once; at question time only its conditions are judged. Which judge and which
compiler do the work is a matter of configuration: with the lexical judge and the cue compiler this
is the `lexical` baseline.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from clausewise.protocols import Compiler, Judge
from clausewise.readers.asked import with_questions_asked
from clausewise.readers.direction import facing
from clausewise.text import content_words, same_wording
from clausewise.trees.tree import RuleTree
from clausewise.types import Dialogue, Hit, JudgedRule, Reading, RuleText


@dataclass(frozen=True, slots=True, kw_only=True)
class CompiledReader:
    """Judges each condition of the best hit's tree."""

    judge: Judge
    compiler: Compiler
    """Compiles the rules that nobody has reviewed yet."""
    reviewed: Mapping[str, tuple[RuleTree, ...]] = field(default_factory=dict)
    """The trees that people wrote or corrected, by the hash of the rule text: they outrank."""
    compiled: Mapping[str, RuleTree] = field(default_factory=dict)
    """Trees that a compiler made before, by the hash of the rule text."""
    _drafts: dict[str, RuleTree] = field(default_factory=dict, compare=False, repr=False)

    def read(self, dialogue: Dialogue, *, hits: Sequence[Hit]) -> Reading:
        """Return the best hit's tree with every condition judged."""
        rule = hits[0].rule
        reviewed = self.reviewed.get(rule.content_hash, ())
        if reviewed:
            tree = closest_tree(reviewed, dialogue=dialogue)
        else:
            tree = with_questions_asked(self._draft(rule), turns=dialogue.turns, text=rule.text)
            tree = facing(tree, question=dialogue.question)
        judgements = self.judge.judge(tree.conditions, dialogue=dialogue)
        return Reading(
            rule=JudgedRule(rule=rule, tree=tree, judgements=judgements, reviewed=bool(reviewed))
        )

    def _draft(self, rule: RuleText) -> RuleTree:
        tree = self.compiled.get(rule.content_hash) or self._drafts.get(rule.content_hash)
        if tree is None:
            tree = self._drafts[rule.content_hash] = self.compiler.compile(rule)
        return tree


def closest_tree(trees: Sequence[RuleTree], *, dialogue: Dialogue) -> RuleTree:
    """Return the tree that the dialogue is about, of several over one rule text.

    A rule text may settle more than one question; each has its own tree. Follow-up questions that
    were asked tell first, then the words that the question shares with the tree's own questions.
    """
    if len(trees) == 1:
        return trees[0]
    asked = [turn.question for turn in dialogue.turns]
    words = frozenset(content_words(dialogue.question))

    def closeness(tree: RuleTree) -> tuple[int, float]:
        own = [
            question for item in tree.conditions for question in (item.question, *item.paraphrases)
        ]
        turns = sum(any(same_wording(question, other) for other in own) for question in asked)
        shared = max(
            (_overlap(words, frozenset(content_words(question))) for question in tree.questions),
            default=0.0,
        )
        return turns, shared

    return max(trees, key=closeness)


def _overlap(left: frozenset[str], right: frozenset[str]) -> float:
    union = left | right
    return len(left & right) / len(union) if union else 0.0
