"""How well a compiler writes the trees that people wrote: conditions, logic, questions."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from clausewise.evaluation.bleu import Pair, corpus_bleu, normalise
from clausewise.structure.negation import is_turned
from clausewise.trees.logic import And, AtLeast, Logic, Name, Not, Or, all_of, any_of
from clausewise.trees.tables import MAX_KEYS, truth_table
from clausewise.trees.tree import RuleTree
from clausewise.trees.values import Condition, Span

ENOUGH = 0.5
"""Spans match where they share this much of their joint characters."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Match:
    """A compiled condition and the reviewed one that it stands for."""

    compiled: Condition
    reviewed: Condition


@dataclass(frozen=True, slots=True, kw_only=True)
class Compared:
    """A compiled tree beside the reviewed tree of the same rule text."""

    compiled: RuleTree
    reviewed: RuleTree
    matches: tuple[Match, ...]
    same_logic: bool | None
    """Over the matched conditions; None where no condition matches."""

    @property
    def same(self) -> bool:
        """Whether all conditions match and the logic is the same."""
        counts = {len(self.matches), len(self.compiled.keys), len(self.reviewed.keys)}
        return len(counts) == 1 and self.same_logic is True


@dataclass(frozen=True, slots=True, kw_only=True)
class CompilingReport:
    """The figures of a compiler, in percent."""

    trees: int
    precision: float
    recall: float
    f1: float
    """Of the spans of conditions."""
    same_logic: float
    """Of the trees with a matched condition: those with the same logic over all matched."""
    same_tree: float
    """Of all trees: those with the same conditions and the same logic."""
    bleu_1: float
    bleu_4: float
    """Of the questions of matched conditions."""

    def __str__(self) -> str:
        return (
            f"{self.trees} trees: conditions P {self.precision} R {self.recall} F1 {self.f1}, same "
            f"logic {self.same_logic}, same tree {self.same_tree}, questions BLEU-1 {self.bleu_1} "
            f"BLEU-4 {self.bleu_4}"
        )


def compare(compiled: RuleTree, *, reviewed: RuleTree) -> Compared:
    """Return the two trees of one rule text with their conditions matched."""
    matches = _matches(compiled.conditions, reviewed.conditions)
    same = _same_logic(compiled.logic, reviewed.logic, matches=matches) if matches else None
    return Compared(compiled=compiled, reviewed=reviewed, matches=matches, same_logic=same)


def compiling_report(compared: Sequence[Compared]) -> CompilingReport:
    """Return the figures over some trees."""
    matched = sum(len(each.matches) for each in compared)
    precision = _percent(matched, sum(len(each.compiled.keys) for each in compared))
    recall = _percent(matched, sum(len(each.reviewed.keys) for each in compared))
    judged = [each.same_logic for each in compared if each.same_logic is not None]
    bleu = question_bleu(
        (match.compiled.question, match.reviewed.question)
        for each in compared
        for match in each.matches
    )
    return CompilingReport(
        trees=len(compared),
        precision=precision,
        recall=recall,
        f1=round(2 * precision * recall / max(precision + recall, 1e-9), 1),
        same_logic=_percent(sum(judged), len(judged)),
        same_tree=_percent(sum(each.same for each in compared), len(compared)),
        bleu_1=bleu[0],
        bleu_4=bleu[3],
    )


def question_bleu(pairs: Iterable[tuple[str, str]]) -> tuple[float, ...]:
    """Return BLEU-1 to BLEU-4, in percent, of (written, expected) questions."""
    normal = [Pair(candidate=normalise(one), reference=normalise(two)) for one, two in pairs]
    return tuple(round(100 * score, 1) for score in corpus_bleu(normal)) if normal else (0.0,) * 4


def overlap(left: Span, right: Span) -> float:
    """Return the share of their joint characters that both spans cover."""
    both = min(left.end, right.end) - max(left.start, right.start)
    return max(both, 0) / max(max(left.end, right.end) - min(left.start, right.start), 1)


def _matches(compiled: Sequence[Condition], reviewed: Sequence[Condition]) -> tuple[Match, ...]:
    """Match conditions one to one, the best overlap first."""
    shares = sorted(
        ((overlap(one.span, two.span), -i, -j) for i, one in enumerate(compiled)
         for j, two in enumerate(reviewed)), reverse=True
    )  # fmt: skip
    taken: dict[int, int] = {}
    for share, i, j in shares:
        if share >= ENOUGH and -i not in taken and -j not in taken.values():
            taken[-i] = -j
    return tuple(
        Match(compiled=compiled[i], reviewed=reviewed[j]) for i, j in sorted(taken.items())
    )


def _same_logic(compiled: Logic, reviewed: Logic, *, matches: Sequence[Match]) -> bool:
    """Say whether both give the same value in every case of the matched conditions.

    Where one of two questions asks for the opposite of the rule's words ("you don't own a home":
    'Do you own a home?') and the other doesn't, its key counts as negated.
    """
    new = {match.compiled.key: f"k{place}" for place, match in enumerate(matches)}
    old = {match.reviewed.key: f"k{place}" for place, match in enumerate(matches)}
    turned = {match.compiled.key for match in matches if _turned_apart(match)}
    left = _over(compiled, names=new, turned=turned)
    right = _over(reviewed, names=old, turned=set())
    keys = [f"k{place}" for place in range(len(matches))]
    if left is None or right is None or len(keys) > MAX_KEYS:
        return False
    return truth_table(left, keys=keys) == truth_table(right, keys=keys)


def _turned_apart(match: Match) -> bool:
    one, two = match.compiled, match.reviewed
    return is_turned(one.text, question=one.question) != is_turned(two.text, question=two.question)


def _over(logic: Logic, *, names: dict[str, str], turned: set[str]) -> Logic | None:
    """Return what is left of a logic over some keys, which get new names; None where nothing is."""
    match logic:
        case Name(key):
            name = Name(names[key]) if key in names else None
            return Not(name) if name and key in turned else name
        case Not(part):
            inside = _over(part, names=names, turned=turned)
            return Not(inside) if inside else None
        case And(parts) | Or(parts) | AtLeast(_, parts):
            left = [_over(part, names=names, turned=turned) for part in parts]
            return _joined(logic, [part for part in left if part is not None])


def _joined(logic: And | Or | AtLeast, parts: list[Logic]) -> Logic | None:
    if not parts:
        return None
    match logic:
        case And():
            return all_of(parts)
        case Or():
            return any_of(parts)
        case AtLeast(count):
            return AtLeast(min(count, len(parts)), tuple(parts))


def _percent(part: int, whole: int) -> float:
    return round(100 * part / max(whole, 1), 1)
