"""The compiler that learned from people's trees.

A network tags the words of conditions, another says which must not hold and how every two are
joined; the likeliest logic over all of that is the tree's. Every part carries a confidence, and a
tree with a weak part is marked for review.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Protocol, runtime_checkable

import numpy as np

from clausewise.compiler.confidence import Calibration, Confidence
from clausewise.compiler.cues import key_of
from clausewise.compiler.joiner import Joined, JoinNetwork, OnnxJoiner
from clausewise.compiler.joining import Joiner
from clausewise.compiler.literals import counts
from clausewise.compiler.mending import mended
from clausewise.compiler.nesting import Nested, nested
from clausewise.compiler.outcome import found_outcome, remaining_outcome
from clausewise.compiler.segments import best_segments, likeliest_segment
from clausewise.compiler.signs import LogicSigns
from clausewise.compiler.spans import Found
from clausewise.encoder.rules import EncodedRule, EncodesRules
from clausewise.errors import RuleTextError, Where
from clausewise.protocols import Asker
from clausewise.structure.negation import is_turned
from clausewise.structure.polarity import Polarity, polarity_of
from clausewise.trees.tree import Outcome, RuleTree
from clausewise.trees.values import Condition, Span
from clausewise.types import RuleText


class Drafted(Protocol):
    """A question and how sure its writer is of it."""

    @property
    def question(self) -> str:
        """The question."""
        ...

    @property
    def probability(self) -> float:
        """That a person would ask so, as far as the writer can tell."""
        ...


@runtime_checkable
class DraftsQuestions(Protocol):
    """An asker that says how sure it is."""

    def draft(self, span: Span, *, rule: RuleText) -> Drafted:
        """Return a question whose Yes means that the condition at `span` holds."""
        ...


@dataclass(frozen=True, slots=True, kw_only=True)
class _Plain:
    question: str
    probability: float = 0.5


@dataclass(frozen=True, slots=True, kw_only=True)
class CompiledRule:
    """A tree that a machine wrote, and how sure it is."""

    tree: RuleTree
    confidence: Confidence
    polarity: Polarity
    """What meeting the conditions brings."""
    review: bool
    """Whether a person should look at it before it is relied on."""


@dataclass(frozen=True, slots=True, kw_only=True)
class NeuralCompiler:
    """Compiles with trained networks; the asker writes the questions."""

    encoder: EncodesRules
    joiner: JoinNetwork
    asker: Asker
    calibration: Calibration = field(default_factory=Calibration)

    @classmethod
    def load(cls, folder: Path, *, encoder: EncodesRules, asker: Asker) -> NeuralCompiler:
        """Return the compiler in a folder; `encoder` is the one that is kept there too."""
        return cls(
            encoder=encoder,
            joiner=OnnxJoiner.load(folder),
            asker=asker,
            calibration=Calibration.read(folder),
        )

    def compile(self, rule: RuleText) -> RuleTree:
        """Return the tree of the rule; its spans cut the rule's text."""
        return self.draft(rule).tree

    def draft(self, rule: RuleText) -> CompiledRule:
        """Return the tree with the confidence of its parts; the text must hold a word."""
        encoded = self.encoder.encode(rule.text)
        if not encoded.wording.words:
            message = "holds no word, expected the text of a rule"
            raise RuleTextError(message, where=Where(field=rule.rule_id))
        found = _found(encoded)
        spans = [encoded.wording.span(one.first, one.last) for one in found]
        asked = [self._asked(span, rule=rule) for span in spans]
        conditions = _conditions(spans, asked=asked, text=rule.text)
        logic = self._logic(found, conditions=conditions, encoded=encoded)
        outcome, sureness = _outcome(encoded, conditions=conditions)
        tree = RuleTree(
            rule_id=rule.rule_id,
            conditions=conditions,
            logic=logic.logic,
            rule_text=rule.text,
            topic=rule.title.rpartition(" > ")[2],
            outcome=outcome,
        )
        confidence = Confidence(
            conditions=tuple(self.calibration.conditions(one.probability) for one in found),
            questions=tuple(self.calibration.questions(one.probability) for one in asked),
            logic=self.calibration.logic(logic.probability),
            outcome=sureness,
            complete=encoded.complete,
        )
        return CompiledRule(
            tree=tree,
            confidence=confidence,
            polarity=polarity_of(outcome.text if outcome else rule.text),
            review=confidence.weakest < self.calibration.review_below,
        )

    def _asked(self, span: Span, *, rule: RuleText) -> Drafted:
        if isinstance(self.asker, DraftsQuestions):
            return self.asker.draft(span, rule=rule)
        return _Plain(question=self.asker.ask(span, rule=rule))

    def _logic(
        self, found: Sequence[Found], *, conditions: Sequence[Condition], encoded: EncodedRule
    ) -> Nested:
        text = encoded.wording.text
        signs = LogicSigns.of([item.span for item in conditions], text=text)
        places = [(one.first, one.last) for one in found]
        joined = self.joiner.join(encoded, places=places, signs=signs).with_cues(signs)
        negated = [bool(chance > 0.5) for chance in joined.negated]
        turned = [is_turned(item.text, question=item.question) for item in conditions]
        best = nested(
            [item.key for item in conditions],
            negated=[no != opposite for no, opposite in zip(negated, turned, strict=True)],
            chance_of_or=_matrix(joined, signs=signs, negated=negated),
        )
        sure = np.maximum(joined.negated, 1 - joined.negated).prod()
        by_cues = Joiner.of(text, conditions=[(item.key, item.span) for item in conditions]).logic()
        if counts(by_cues):  # "two of these": what joins every two of them can't say it
            return Nested(logic=by_cues, probability=float(sure))
        return Nested(logic=best.logic, probability=best.probability * float(sure))


def _conditions(
    spans: Sequence[Span], *, asked: Sequence[Drafted], text: str
) -> tuple[Condition, ...]:
    return tuple(
        Condition(key=key_of(place), span=span, text=span.cut(text), question=drafted.question)
        for place, (span, drafted) in enumerate(zip(spans, asked, strict=True))
    )


def _found(encoded: EncodedRule) -> tuple[Found, ...]:
    scores = encoded.tags[:, :3]
    found = best_segments(scores) or (likeliest_segment(scores),)
    return mended(found, wording=encoded.wording)


def _matrix(
    joined: Joined, *, signs: LogicSigns, negated: Sequence[bool]
) -> np.ndarray[tuple[int, int], np.dtype[np.float64]]:
    """Return for every two conditions how likely `or` joins them where `not` is at keys only.

    The network speaks of the text's own words: 'you can't if a or b' is `not a and not b`.
    """
    chances = np.full((len(negated), len(negated)), 0.5)
    for (left, right), chance in zip(signs.pairs, joined.by_or.tolist(), strict=True):
        meant = 1 - chance if negated[left] and negated[right] else chance
        chances[left, right] = chances[right, left] = meant
    return chances


def _outcome(
    encoded: EncodedRule, *, conditions: Sequence[Condition]
) -> tuple[Outcome | None, float | None]:
    text = encoded.wording.text
    tagged = found_outcome(encoded)
    if tagged:
        span = encoded.wording.span(tagged.first, tagged.last)
        return Outcome(span=span, text=span.cut(text)), tagged.probability
    left: Span | None = remaining_outcome(text, conditions=[item.span for item in conditions])
    return (Outcome(span=left, text=left.cut(text)), 0.5) if left else (None, None)
