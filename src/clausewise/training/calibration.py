"""Fitting how sure a compiler may say it is, on rules that it did not learn from."""

from __future__ import annotations

import difflib
import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from clausewise.compiler.confidence import Calibration, Scale
from clausewise.compiler.neural import CompiledRule, NeuralCompiler
from clausewise.evaluation.compiling import Compared, compare
from clausewise.text import normalised
from clausewise.trees.tree import RuleTree
from clausewise.types import RuleText

_EDGE = 1e-6
_STEPS = 50
_ALIKE = 0.8
_SHORTEST = 1e-9
Floats = NDArray[np.float64]
_RIDGE = 1e-2
"""Keeps the slope finite where right and wrong are parted without a fault."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Claim:
    """What a compiler said of a part, and whether it was right."""

    probability: float
    right: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class Claims:
    """Claims by the kind of part."""

    conditions: list[Claim]
    logic: list[Claim]
    questions: list[Claim]
    """Right where the question has about the words of the person's."""

    def add(self, draft: CompiledRule, *, compared: Compared) -> None:
        """Add what was said of one tree."""
        sure, keys = draft.confidence, draft.tree.keys
        matched = {match.compiled.key: match.reviewed.question for match in compared.matches}
        for key, chance in zip(keys, sure.conditions, strict=True):
            self.conditions.append(Claim(probability=chance, right=key in matched))
        for item, chance in zip(draft.tree.conditions, sure.questions, strict=True):
            if item.key in matched:
                right = _alike(item.question, matched[item.key])
                self.questions.append(Claim(probability=chance, right=right))
        if compared.same_logic is not None:
            self.logic.append(Claim(probability=sure.logic, right=compared.same_logic))


def _alike(one: str, other: str) -> bool:
    words = normalised(one).split(), normalised(other).split()
    return difflib.SequenceMatcher(None, *words).ratio() >= _ALIKE


def calibrated(
    compiler: NeuralCompiler, *, trees: Sequence[RuleTree], review_below: float
) -> Calibration:
    """Return the calibration that fits how often an uncalibrated compiler is right on trees."""
    said = claims(compiler, trees=trees)
    return Calibration(
        conditions=fitted(said.conditions),
        logic=fitted(said.logic),
        questions=fitted(said.questions),
        review_below=review_below,
    )


def claims(compiler: NeuralCompiler, *, trees: Sequence[RuleTree]) -> Claims:
    """Return what a compiler says of the parts of some rules' trees."""
    found = Claims(conditions=[], logic=[], questions=[])
    for tree in trees:
        rule = RuleText(rule_id=tree.rule_id or "rule", text=tree.rule_text or "")
        draft = compiler.draft(rule)
        compared = compare(draft.tree, reviewed=tree)
        found.add(draft, compared=compared)
    return found


def fitted(said: Sequence[Claim]) -> Scale:
    """Return the scale under which the claims are likeliest.

    Newton's method with halved steps: whole ones run off where nearly all claims are sure of
    themselves and many of them wrong.
    """
    if len({claim.right for claim in said}) < 2:
        return Scale()
    scores = np.array([_score(claim.probability) for claim in said])
    right = np.array([float(claim.right) for claim in said])
    inputs = np.stack([scores, np.ones_like(scores)], axis=1)
    weights = np.array([1.0, 0.0])
    for _ in range(_STEPS):
        chances = _chances(inputs, weights)
        slope = inputs.T @ (chances - right) + _RIDGE * weights
        bend = (inputs.T * (chances * (1 - chances))) @ inputs + _RIDGE * np.eye(2)
        step = np.linalg.solve(bend, slope)
        while np.abs(step).max() > _SHORTEST and (
            _surprise(inputs, weights - step, right=right) > _surprise(inputs, weights, right=right)
        ):
            step = step / 2
        weights = weights - step
    return Scale(slope=round(float(weights[0]), 4), shift=round(float(weights[1]), 4))


def _chances(inputs: Floats, weights: Floats) -> Floats:
    chances: Floats = 1 / (1 + np.exp(-np.clip(inputs @ weights, -30, 30)))
    return chances


def _surprise(inputs: Floats, weights: Floats, *, right: Floats) -> float:
    chances = _chances(inputs, weights)
    wrong = -np.log(np.where(right > 0, chances, 1 - chances) + 1e-12).sum()
    return float(wrong + _RIDGE / 2 * (weights @ weights))


def calibration_error(said: Sequence[Claim], *, bins: int = 10) -> float:
    """Return the expected calibration error in percent, over bins of equal width."""
    error = 0.0
    for number in range(bins):
        inside = [claim for claim in said if min(int(claim.probability * bins), bins - 1) == number]
        if inside:
            mean = sum(claim.probability for claim in inside) / len(inside)
            rate = sum(claim.right for claim in inside) / len(inside)
            error += abs(mean - rate) * len(inside) / len(said)
    return round(100 * error, 1)


def _score(probability: float) -> float:
    inside = min(max(probability, _EDGE), 1 - _EDGE)
    return math.log(inside / (1 - inside))
