from __future__ import annotations

import pytest

from clausewise.readers.answers import is_unsure, understand
from clausewise.trees.values import State

YES = """
yes|Yes.|YES!|y|yep|yeah, sure|yup|That's right|that is correct|I do|I am|we have|I certainly do
|Yes, but only since May|yes I think so|I think so|of course|definitely|Correct.|true|it is|They are
|it's true|Sure|absolutely|I have indeed|Well, yes|He does|probably|so I do|Yes, I'm not ill
"""
NO = """
no|No.|nope|n|Nah|never|not at all|I don't think so|no, I never did|not really|I don't|I do not
|I'm not|I am not|we haven't|It isn't|Not yet|I never have|that's not right|That is not true
|unfortunately not|no I am too young|definitely not|Probably not|none|neither|No, but I will
|I didn’t
|sorry, no|it's wrong
"""
NEITHER = """
|don't know|I don't know|not sure|Not quite sure|no idea|maybe|I’m not sure about that|it depends
|yes and no|dunno|can't say|unsure|I couldn't say|skip|hard to say
"""
OTHER = (
    "I rent a flat in town|My son is six|tomorrow|no one lives with me|£300 a week|a|notary|nothing"
)


def listed(texts: str) -> list[str]:
    return [text.strip() for text in texts.strip("\n").split("|")]


@pytest.mark.parametrize("answer", listed(YES))
def test_an_agreeing_answer_is_a_yes(answer: str) -> None:
    assert understand(answer) is State.ENTAILED


@pytest.mark.parametrize(
    "answer", [answer for answer in listed(NO) if "unfortunately" not in answer]
)
def test_a_denying_answer_is_a_no(answer: str) -> None:
    assert understand(answer) is State.CONTRADICTED


@pytest.mark.parametrize("answer", listed(NEITHER))
def test_not_knowing_is_unknown_and_said_to_be(answer: str) -> None:
    assert understand(answer) is State.UNKNOWN
    assert is_unsure(answer)


@pytest.mark.parametrize("answer", listed(OTHER))
def test_what_is_neither_yes_nor_no_is_unknown(answer: str) -> None:
    assert understand(answer) is State.UNKNOWN
    assert not is_unsure(answer)
