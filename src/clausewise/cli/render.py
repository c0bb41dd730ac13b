"""How replies look: as text for people, as plain values for JSON."""

from __future__ import annotations

from collections.abc import Iterator
from typing import assert_never

from clausewise.trees.evaluate import evaluate
from clausewise.trees.explain import flips, states_after
from clausewise.trees.values import Condition, Span, State
from clausewise.types import (
    Abstention,
    Answer,
    Inquiry,
    JudgedRule,
    Judgement,
    Reply,
    RuleText,
    UserWords,
    WhyAbstained,
)

MARKS = {State.ENTAILED: "✓", State.CONTRADICTED: "✗", State.UNKNOWN: "?"}


def reply_lines(reply: Reply) -> Iterator[str]:
    """Return the lines that a person reads."""
    match reply:
        case Answer():
            yield "Yes." if reply.verdict else "No."
            yield from proof_lines(reply)
        case Inquiry():
            left = reply.questions_left
            yield f"{reply.question}  ({'last question' if left == 1 else f'at most {left} left'})"
        case Abstention(why=WhyAbstained.NOT_COVERED):
            yield "Nothing in the rules covers this."
            if reply.closest:
                yield f"  Closest: {'; '.join(name(rule) for rule in reply.closest)}"
        case Abstention():
            yield "I can't tell without knowing more; not knowing is not a No."
            yield f"  Rule: {name(reply.closest[0])}"
            for condition in reply.open_conditions:
                yield f'  ? "{condition.text}"'
        case unexpected:
            assert_never(unexpected)


def proof_lines(answer: Answer) -> Iterator[str]:
    """Return the rule, the conditions that decide, and the words behind each."""
    yield f"  Rule: {name(answer.rule)}"
    for settled in answer.because:
        yield f'  {MARKS[settled.state]} "{settled.condition.text}"'
        yield f"      {words(settled.words)}"


def why_lines(reply: Reply) -> Iterator[str]:
    """Return why a question is asked, or what an answer rests on and what would change it."""
    match reply:
        case Inquiry():
            yield f'Because of "{reply.condition.text}" ({name(reply.rule)}): {reply.why}.'
        case Answer():
            yield from proof_lines(reply)
            yield from _flip_lines(reply)
        case Abstention():
            yield from reply_lines(reply)
        case unexpected:
            assert_never(unexpected)


def _flip_lines(answer: Answer) -> Iterator[str]:
    judged = answer.reading
    if evaluate(judged.tree.logic, judged.states) is State.UNKNOWN:
        return
    other = "No" if answer.verdict else "Yes"
    for change in flips(judged.tree.logic, states=judged.states)[:3]:
        after = states_after(judged.tree.logic, states=judged.states, change=change)
        if after is None:
            continue
        texts = " and ".join(_changed(judged, key=key, state=after[key]) for key in change)
        yield f"  It would be {other} with: {texts}"


def _changed(judged: JudgedRule, *, key: str, state: State) -> str:
    negation = "not " if state is State.CONTRADICTED else ""
    return f'{negation}"{judged.tree.condition(key).text}"'


def state_lines(judged: JudgedRule) -> Iterator[str]:
    """Return every condition of the rule that is read, with its state."""
    yield f"Rule: {name(judged.rule)}" + ("" if judged.reviewed else "  (read by machine)")
    for judgement in judged.judgements:
        condition = judged.tree.condition(judgement.key)
        said = f"  ({words(judgement.words)})" if judgement.words else ""
        yield f'  {MARKS[judgement.state]} {judgement.key}: "{condition.text}"{said}'


def words(said: UserWords) -> str:
    """Return the person's own words as a person reads them."""
    if said.question is not None:
        return f'you answered "{said.text}" to "{said.question}"'
    return f'you said "{said.text}"'


def name(rule: RuleText) -> str:
    """Return what a person calls the rule."""
    return f"{rule.title or first_line(rule)} [{rule.rule_id}]"


def first_line(rule: RuleText) -> str:
    """Return the first line of a rule without title, shortened."""
    line = rule.text.strip().splitlines()[0].lstrip("# ")
    return line if len(line) <= 60 else f"{line[:57].rstrip()}..."


def reply_json(reply: Reply) -> dict[str, object]:
    """Return the reply as plain values."""
    match reply:
        case Answer():
            return {
                "kind": "answer",
                "answer": "Yes" if reply.verdict else "No",
                "rule_id": reply.rule.rule_id,
                "title": reply.rule.title,
                "clause": reply.clause,
                "span": _span(reply.span),
                "because": [
                    {
                        **_condition(item.condition),
                        "state": item.state.value,
                        "words": _words(item.words),
                    }
                    for item in reply.because
                ],
                "conditions": _conditions(reply.reading),
            }
        case Inquiry():
            return {
                "kind": "inquiry",
                "question": reply.question,
                "rule_id": reply.rule.rule_id,
                "title": reply.rule.title,
                "condition": _condition(reply.condition),
                "why": reply.why,
                "questions_left": reply.questions_left,
                "conditions": _conditions(reply.reading),
            }
        case Abstention():
            return {
                "kind": "abstention",
                "why": reply.why.value,
                "closest": [
                    {"rule_id": rule.rule_id, "title": name(rule)} for rule in reply.closest
                ],
                "open_conditions": [_condition(item) for item in reply.open_conditions],
            }
        case unexpected:
            assert_never(unexpected)


def _span(span: Span) -> list[int]:
    return [span.start, span.end]


def _condition(condition: Condition) -> dict[str, object]:
    return {"key": condition.key, "text": condition.text, "span": _span(condition.span)}


def _words(said: UserWords | None) -> dict[str, object] | None:
    if said is None:
        return None
    return {"said_in": said.said_in.value, "text": said.text, "question": said.question}


def _conditions(judged: JudgedRule) -> list[dict[str, object]]:
    return [_judged(judged, judgement) for judgement in judged.judgements]


def _judged(judged: JudgedRule, judgement: Judgement) -> dict[str, object]:
    condition = judged.tree.condition(judgement.key)
    return {
        **_condition(condition),
        "state": judgement.state.value,
        "words": _words(judgement.words),
    }
