from __future__ import annotations

from itertools import pairwise

from hypothesis import given, settings
from hypothesis import strategies as st

from clausewise.askers.template import TemplateAsker
from clausewise.compiler.cues import CueCompiler
from clausewise.compiler.joining import Joiner
from clausewise.segmenters.clauses import ClauseSegmenter
from clausewise.trees.logic import names
from clausewise.trees.tree import RuleTree
from clausewise.trees.values import Span
from clausewise.types import RuleText
from tests.properties.test_segmentation_properties import TEXTS


@settings(max_examples=150, deadline=None)
@given(text=TEXTS.filter(str.strip))
def test_every_text_compiles_to_a_tree_that_can_be_written_and_read(text: str) -> None:
    compiler = CueCompiler(segmenter=ClauseSegmenter(), asker=TemplateAsker())
    tree = compiler.compile(RuleText(rule_id="r", text=text))
    assert RuleTree.parse(tree.dump(), rule_text=text) == tree


@settings(max_examples=150, deadline=None)
@given(text=TEXTS.filter(bool), data=st.data())
def test_any_conditions_are_all_joined_wherever_they_stand(text: str, data: st.DataObject) -> None:
    cuts = sorted(data.draw(st.sets(st.integers(0, len(text)), min_size=2, max_size=8)))
    spans = [Span(start=start, end=end) for start, end in pairwise(cuts)]
    named = [(f"k{place}", span) for place, span in enumerate(spans)]
    logic = Joiner.of(text, conditions=named).logic()
    assert sorted(names(logic)) == sorted(key for key, _ in named)
