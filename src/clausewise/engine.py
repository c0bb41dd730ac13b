"""The whole path of a question: retrieve, read, decide, then ask, answer or abstain."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import assert_never

from clausewise.decide import Open, Settled, Stuck, decide
from clausewise.protocols import Coverage, Reader, Retriever
from clausewise.types import (
    Abstention,
    Answer,
    Dialogue,
    Hit,
    Inquiry,
    Reply,
    WhyAbstained,
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Engine:
    """Answers dialogues: pure, so the same dialogue gets the same reply, always."""

    retriever: Retriever
    coverage: Coverage
    reader: Reader
    top_k: int
    """How many rule texts the reader gets."""
    minimum_coverage: float
    """Below this probability that the rules cover the question, the engine abstains."""

    def reply(self, dialogue: Dialogue) -> Reply:
        """Return the answer, the next question, or an abstention."""
        hits = self.retriever.retrieve(dialogue, top_k=self.top_k)
        if not hits or self.coverage.covers(dialogue, hits=hits) < self.minimum_coverage:
            return Abstention(
                why=WhyAbstained.NOT_COVERED, closest=tuple(hit.rule for hit in hits[:3])
            )
        return self.reply_to(dialogue, hits=hits)

    def reply_to(self, dialogue: Dialogue, *, hits: Sequence[Hit]) -> Reply:
        """Return the reply that the given rule texts, at least one, lead to."""
        reading = self.reader.read(dialogue, hits=hits)
        judged = reading.rule
        outcome = decide(reading, dialogue=dialogue)
        match outcome:
            case Settled():
                return Answer(
                    verdict=outcome.verdict,
                    rule=judged.rule,
                    span=outcome.span,
                    because=outcome.because,
                    reading=judged,
                )
            case Open():
                return Inquiry(
                    question=outcome.condition.question,
                    rule=judged.rule,
                    condition=outcome.condition,
                    why=outcome.why,
                    questions_left=outcome.questions_left,
                    reading=judged,
                )
            case Stuck():
                return Abstention(
                    why=WhyAbstained.NOT_KNOWN,
                    closest=(judged.rule,),
                    open_conditions=outcome.conditions,
                    reading=judged,
                )
            case unexpected:
                assert_never(unexpected)
