from __future__ import annotations

from clausewise.segmenters.sentences import SentenceSegmenter


def test_sentences_items_and_headings_are_units() -> None:
    text = "# Hens\nYou may keep hens. Ask if you:\n- rent\n- share"
    cut = [span.cut(text) for span in SentenceSegmenter().segment(text)]
    assert cut == ["# Hens", "You may keep hens.", "Ask if you:", "- rent", "- share"]
