from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import pytest

from clausewise.askers.template import TemplateAsker
from clausewise.compiler.confidence import Calibration
from clausewise.compiler.joiner import Joined
from clausewise.compiler.neural import NeuralCompiler
from clausewise.compiler.signs import LogicSigns
from clausewise.encoder.rules import EncodedRule
from clausewise.errors import RuleTextError
from clausewise.structure.polarity import Polarity
from clausewise.structure.wording import Wording
from clausewise.trees.logic import format_logic
from clausewise.trees.values import Span
from clausewise.types import RuleText

TEXT = "You can get help if you don't own a home or you rent a flat, unless you're a student."


@dataclass(frozen=True, slots=True, kw_only=True)
class MarksParts:
    """Tags given parts of a text as conditions, and its first words as the outcome."""

    parts: tuple[str, ...]
    outcome: str = ""
    sure: float = 6.0

    def encode(self, text: str) -> EncodedRule:
        wording = Wording.of(text)
        tags = np.zeros((len(wording.words), 6), np.float32)
        tags[:, :3] = -self.sure
        tags[:, 3] = self.sure / 2
        for part in self.parts:
            first, last = _place(wording, part)
            tags[first, 0] = tags[last - 1, 1] = 2 * self.sure
            tags[first:last, 2] = self.sure
        if self.outcome in text and self.outcome:
            first, last = _place(wording, self.outcome)
            tags[first, 4] = tags[first + 1 : last, 5] = self.sure
        vectors = np.zeros((len(wording.words), 4), np.float32)
        summary = np.zeros(4, np.float32)
        return EncodedRule(
            wording=wording, vectors=vectors, summary=summary, tags=tags, complete=True
        )


def _place(wording: Wording, part: str) -> tuple[int, int]:
    start = wording.text.index(part)
    place = wording.place(Span(start=start, end=start + len(part)))
    assert place
    return place


@dataclass(frozen=True, slots=True, kw_only=True)
class Says:
    """Joins as it is told."""

    negated: tuple[float, ...]
    by_or: tuple[float, ...]

    def join(
        self, encoded: EncodedRule, *, places: list[tuple[int, int]], signs: LogicSigns
    ) -> Joined:
        del encoded, places, signs
        return Joined(
            negated=np.array(self.negated, np.float32), by_or=np.array(self.by_or, np.float32)
        )


def _compiler(*parts: str, negated: tuple[float, ...], by_or: tuple[float, ...]) -> NeuralCompiler:
    return NeuralCompiler(
        encoder=MarksParts(parts=parts, outcome="You can get help"),
        joiner=Says(negated=negated, by_or=by_or),
        asker=TemplateAsker(),
        calibration=Calibration(),
    )


RULE = RuleText(rule_id="r", text=TEXT, title="Help > Housing")


def test_conditions_are_the_words_that_were_tagged() -> None:
    compiler = _compiler("you rent a flat", "you're a student", negated=(0, 1), by_or=(0.1,))

    tree = compiler.compile(RULE)

    assert [item.text for item in tree.conditions] == ["you rent a flat", "you're a student"]
    assert format_logic(tree.logic) == "a and not b"
    assert tree.outcome is not None
    assert tree.outcome.text == "You can get help"
    assert tree.topic == "Housing"


def test_a_question_that_asks_for_the_opposite_turns_its_condition() -> None:
    compiler = _compiler("you don't own a home", "you rent a flat", negated=(0, 0), by_or=(0.9,))

    tree = compiler.compile(RULE)

    asked = tree.conditions[0].question
    expected = "a or b" if "n't" in asked or " not " in asked else "not a or b"
    assert format_logic(tree.logic) == expected


def test_what_the_text_joins_by_or_under_a_negation_is_joined_by_and_without_it() -> None:
    compiler = _compiler("you rent a flat", "you're a student", negated=(1, 1), by_or=(0.999,))

    assert format_logic(compiler.compile(RULE).logic) == "not (a or b)"


def test_a_sure_tree_is_not_for_review_and_an_unsure_one_is() -> None:
    sure = _compiler("you rent a flat", "you're a student", negated=(0, 1), by_or=(0.01,))
    unsure = _compiler("you rent a flat", "you're a student", negated=(0, 1), by_or=(0.51,))

    assert sure.draft(RULE).confidence.logic > unsure.draft(RULE).confidence.logic
    assert unsure.draft(RULE).review or unsure.draft(RULE).confidence.weakest >= 0.5


def test_an_outcome_that_grants_is_told() -> None:
    compiler = _compiler("you rent a flat", negated=(0,), by_or=())

    assert compiler.draft(RULE).polarity is Polarity.PERMITS


def test_a_text_without_conditions_still_has_one() -> None:
    compiler = NeuralCompiler(
        encoder=MarksParts(parts=()), joiner=Says(negated=(0,), by_or=()), asker=TemplateAsker()
    )

    assert len(compiler.compile(RULE).conditions) == 1


def test_a_text_without_a_word_is_refused() -> None:
    compiler = _compiler(negated=(), by_or=())

    with pytest.raises(RuleTextError, match="no word"):
        compiler.compile(RuleText(rule_id="empty", text="  "))


def test_cue_words_outweigh_a_network_that_is_not_sure() -> None:
    compiler = _compiler("you rent a flat", "you're a student", negated=(0.4, 0.4), by_or=(0.4,))

    assert format_logic(compiler.compile(RULE).logic) == "a and not b"


def test_the_items_of_a_list_are_all_demanded_or_none() -> None:
    text = "You can't have it if you:\n\n* live abroad\n* own a home\n* are a student"
    compiler = _compiler(
        "live abroad", "own a home", "are a student", negated=(0.9, 0.001, 0.9), by_or=(0.9,) * 3
    )

    tree = compiler.compile(RuleText(rule_id="r", text=text))

    assert format_logic(tree.logic) == "not (a or b or c)"


def test_a_number_of_conditions_is_read_from_the_words_before_their_list() -> None:
    text = "Bring at least two of:\n\n* a passport\n* a driving licence\n* a birth certificate"
    parts = ("a passport", "a driving licence", "a birth certificate")
    compiler = _compiler(*parts, negated=(0, 0, 0), by_or=(0.5,) * 3)

    tree = compiler.compile(RuleText(rule_id="r", text=text))

    assert format_logic(tree.logic) == "atleast(2, a, b, c)"
