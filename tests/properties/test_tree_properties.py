from __future__ import annotations

import dataclasses

from hypothesis import given, settings
from hypothesis import strategies as st

from clausewise.errors import TreeError
from clausewise.trees.logic import names
from clausewise.trees.read import from_json, parse_tree
from clausewise.trees.tree import Case, Outcome, RuleTree
from clausewise.trees.values import Condition, Span
from clausewise.trees.write import to_json
from tests.properties.logics import logics

YAML = "yes|No|null|~|1-03|12|- a|a: b|a #b|'|\"|\\|*|&a|!x|%|@|>|{|]|,|?|---|...|=|<<|0x1F|1e3"
ODD = ["\n", " ", "  ", "\t", "\r", "\x07", "\x85", "\u200b", "\u2028", "\ufeff", "é", "🙂", "|"]
WORDS = st.sampled_from([*YAML.split("|"), *ODD])
TEXTS = st.lists(WORDS | st.text(max_size=6), max_size=6).map("".join)
FILLED = TEXTS.filter(lambda text: bool(text.strip()))
LISTS = st.lists(FILLED, max_size=3).map(tuple)


@st.composite
def cases(draw: st.DrawFn, *, keys: tuple[str, ...]) -> Case:
    expect = draw(st.sampled_from(["Yes", "No", "abstain", *(f"ask {key}" for key in keys)]))
    if draw(st.booleans()):
        answers = draw(st.dictionaries(TEXTS, TEXTS, max_size=3))
        return Case(
            expect=expect,
            question=draw(FILLED),
            scenario=draw(TEXTS),
            answers=tuple(answers.items()),
        )
    given_keys = draw(st.lists(st.sampled_from(keys), unique=True))
    return Case(expect=expect, given=tuple((key, draw(st.booleans())) for key in given_keys))


@st.composite
def spans(draw: st.DrawFn, *, text: str) -> Span:
    """Return a span with words in it."""
    filled = [place for place, char in enumerate(text) if char.strip()]
    inside = draw(st.sampled_from(filled))
    start = draw(st.integers(0, inside))
    return Span(start=start, end=draw(st.integers(inside + 1, len(text))))


@st.composite
def trees(draw: st.DrawFn) -> RuleTree:
    text = draw(FILLED)
    logic = draw(logics(keys=5, leaves=6))

    def condition(key: str) -> Condition:
        span = draw(spans(text=text))
        return Condition(
            key=key,
            span=span,
            text=span.cut(text),
            question=draw(FILLED),
            paraphrases=draw(LISTS),
            yes=draw(LISTS),
            no=draw(LISTS),
        )

    span = draw(spans(text=text))
    keys = names(logic)
    return RuleTree(
        rule_id=draw(TEXTS),
        tree_id=draw(TEXTS),
        rule_text=draw(st.sampled_from([text, None])),
        topic=draw(TEXTS),
        questions=draw(LISTS),
        outcome=draw(st.sampled_from([Outcome(span=span, text=span.cut(text)), None])),
        conditions=tuple(condition(key) for key in keys),
        logic=logic,
        tests=tuple(draw(st.lists(cases(keys=keys), max_size=2))),
    )


@settings(max_examples=60, deadline=None)
@given(tree=trees())
def test_a_dumped_tree_reads_back_to_an_equal_one(tree: RuleTree) -> None:
    assert RuleTree.parse(tree.dump()) == tree


@settings(max_examples=40, deadline=None)
@given(tree=trees())
def test_a_tree_in_json_reads_back_to_an_equal_one(tree: RuleTree) -> None:
    assert from_json(to_json(tree)) == tree


@settings(max_examples=40, deadline=None)
@given(tree=trees(), place=st.integers(0, 10_000), junk=WORDS)
def test_a_damaged_document_is_read_or_refused_with_a_line_that_exists(
    tree: RuleTree, place: int, junk: str
) -> None:
    source = tree.dump()
    place %= len(source) + 1
    damaged = source[:place] + junk + source[place:]
    error = _refusal(damaged)
    if error is not None:
        assert error.where.file == "f"
        assert error.where.line is None or 1 <= error.where.line <= len(damaged.splitlines()) + 1
        assert "\n" not in str(error)


def _refusal(source: str) -> TreeError | None:
    try:
        parse_tree(source, file="f")
    except TreeError as error:
        return error
    return None


@settings(max_examples=25, deadline=None)
@given(tree=trees(), text=TEXTS)
def test_a_bound_tree_has_spans_that_cut_its_words_out(tree: RuleTree, text: str) -> None:
    try:
        bound = dataclasses.replace(tree, rule_text=None).bind(text)
    except TreeError:
        return
    for condition in bound.conditions:
        assert condition.span.cut(text) == condition.text
