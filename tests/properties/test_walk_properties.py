from __future__ import annotations

import itertools

from hypothesis import given, settings
from hypothesis import strategies as st

from clausewise.datasets.walks import Ask, Walk, follow, known, walk_of
from clausewise.trees.evaluate import evaluate
from clausewise.trees.logic import And, Logic, Name, Not, Or, names
from clausewise.trees.tree import RuleTree
from clausewise.trees.values import State
from tests.datasets.trees import condition

LOGICS = st.recursive(
    st.sampled_from("abcde").map(Name),
    lambda inner: st.one_of(
        inner.map(Not),
        st.lists(inner, min_size=2, max_size=3).map(lambda parts: And(tuple(parts))),
        st.lists(inner, min_size=2, max_size=3).map(lambda parts: Or(tuple(parts))),
    ),
    max_leaves=8,
)


def tree_of(logic: Logic) -> RuleTree:
    keys = sorted(names(logic))
    return RuleTree(
        rule_id="",
        conditions=tuple(condition(key, key, rule_text="abcde") for key in keys),
        logic=logic,
    )


def keys_of(walk: Walk) -> set[str]:
    return {walk.key} | keys_of(walk.yes) | keys_of(walk.no) if isinstance(walk, Ask) else set()


@given(LOGICS, st.sets(st.sampled_from("abcde")))
@settings(max_examples=60, deadline=None)
def test_a_walk_reaches_the_value_of_the_logic(logic: Logic, told: set[str]) -> None:
    tree = tree_of(logic)
    for values in itertools.product([True, False], repeat=len(tree.keys)):
        truths = dict(zip(tree.keys, values, strict=True))
        left = known(walk_of(tree), {key: truths[key] for key in told & truths.keys()})
        path = follow(left, truths)
        states = {key: State.of(value) for key, value in truths.items()}
        assert State.of(path.value) is evaluate(logic, states)
        assert not told & dict(path.answers).keys()


@given(LOGICS)
@settings(max_examples=60, deadline=None)
def test_a_walk_stops_as_soon_as_the_value_is_certain(logic: Logic) -> None:
    tree = tree_of(logic)
    waiting: list[tuple[Walk, dict[str, State]]] = [(walk_of(tree), {})]
    while waiting:
        walk, states = waiting.pop()
        assert (evaluate(logic, states) is State.UNKNOWN) == isinstance(walk, Ask)
        if isinstance(walk, Ask):
            waiting.append((walk.yes, {**states, walk.key: State.ENTAILED}))
            waiting.append((walk.no, {**states, walk.key: State.CONTRADICTED}))


@given(LOGICS)
@settings(max_examples=60, deadline=None)
def test_a_walk_asks_only_what_the_value_depends_on(logic: Logic) -> None:
    tree = tree_of(logic)
    asked = keys_of(walk_of(tree))
    for key in set(tree.keys) - asked:
        for values in itertools.product([True, False], repeat=len(tree.keys)):
            states = {k: State.of(v) for k, v in zip(tree.keys, values, strict=True)}
            assert evaluate(logic, states) is evaluate(logic, {**states, key: ~states[key]})
