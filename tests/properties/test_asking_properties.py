from __future__ import annotations

from hypothesis import given, settings
from hypothesis import strategies as st

from clausewise.askers.template import TemplateAsker
from clausewise.segmenters.clauses import ClauseSegmenter
from clausewise.trees.values import Span
from clausewise.types import RuleText
from tests.properties.test_segmentation_properties import TEXTS


@settings(max_examples=200, deadline=None)
@given(text=TEXTS, data=st.data())
def test_any_span_gets_one_clean_line_that_ends_in_one_question_mark(
    text: str, data: st.DataObject
) -> None:
    start = data.draw(st.integers(0, len(text)))
    span = Span(start=start, end=data.draw(st.integers(start, len(text))))
    _check(TemplateAsker().ask(span, rule=RuleText(rule_id="r", text=text)))


@settings(max_examples=150, deadline=None)
@given(text=TEXTS)
def test_every_condition_that_is_found_can_be_asked(text: str) -> None:
    for span in ClauseSegmenter().segment(text):
        _check(TemplateAsker().ask(span, rule=RuleText(rule_id="r", text=text)))


def _check(question: str) -> None:
    assert len(question.splitlines()) == 1
    assert "  " not in question
    assert question == question.strip()
    assert len(question) > 1
    assert question.endswith("?")
    assert not question.endswith("??")
