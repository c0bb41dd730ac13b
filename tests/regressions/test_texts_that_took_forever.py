"""Thirty spaces or full stops in a row once hung the segmenter, a long list the compiler."""

from __future__ import annotations

import time

import pytest

from clausewise.askers.template import TemplateAsker
from clausewise.compiler.cues import CueCompiler
from clausewise.segmenters.clauses import ClauseSegmenter
from clausewise.types import RuleText

TEXTS = {
    "spaces": "You can stay" + " " * 300 + "if you pay",
    "spaces without a clause": "One column" + " " * 300 + "another column",
    "tabs": "You can stay if you\t" + "\t" * 300 + "pay",
    "full stops": "You must give your name " + "." * 300 + "and your age",
    "dashes": "You can stay if you pay " + "-" * 300 + " x",
    "commas": "You can stay if you are a" + ", " * 300 + "b",
    "a long word": "You can stay if you are " + "x" * 3000,
    "a long list": "You must:\n" + "".join(f"* own boat {number}\n" for number in range(500)),
}


@pytest.mark.parametrize("text", TEXTS.values(), ids=TEXTS)
def test_a_rule_text_is_compiled_within_seconds(text: str) -> None:
    compiler = CueCompiler(segmenter=ClauseSegmenter(), asker=TemplateAsker())
    began = time.process_time()
    compiler.compile(RuleText(rule_id="x", text=text))
    assert time.process_time() - began < 5
