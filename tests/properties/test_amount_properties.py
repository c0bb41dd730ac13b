from __future__ import annotations

from hypothesis import given, settings
from hypothesis import strategies as st

from clausewise.readers.amounts import amounts, limit
from clausewise.readers.comparing import compare
from clausewise.trees.values import State

WORDS = """
    over under at least £ 5 12 2,000 1999 k % million three half a an week weeks month year old i'm
    my wife is since in may 3 january between and or more people miles kg , . hours per from to
    birthday first early twenties ago last no
"""
TEXTS = st.one_of(
    st.lists(st.sampled_from(WORDS.split()), max_size=12).map(" ".join), st.text(max_size=60)
)


@settings(deadline=None)
@given(question=TEXTS, said=st.lists(TEXTS, max_size=3))
def test_any_words_can_be_compared(question: str, said: list[str]) -> None:
    amounts(question)
    limit(question)
    compared = compare(question, said=said)
    assert compared is None or all(place < len(said) for place in compared.places)


@settings(deadline=None)
@given(value=st.integers(1, 99), bound=st.integers(1, 99))
def test_opposite_limits_get_opposite_answers(value: int, bound: int) -> None:
    said = [f"I'm {value}."]
    over = compare(f"Are you {bound} or over?", said=said)
    under = compare(f"Are you under {bound}?", said=said)
    assert over is not None
    assert under is not None
    assert over.state is State.of(value >= bound)
    assert under.state is ~over.state
