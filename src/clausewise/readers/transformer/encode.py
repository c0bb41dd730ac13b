"""Packs a dialogue and the retrieved rule texts into the one sequence that a joint reader sees.

In MUDERN (Gao et al. 2021, section 4.2.2) a start token stands before the question, the scenario,
every answered follow-up question and every discourse unit; its vector stands for the piece. Rule
texts come in rank order and whole, as many as fit.
"""

from __future__ import annotations

import enum
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache

from clausewise.protocols import Segmenter
from clausewise.readers.transformer.tokens import PieceTokenizer, TextTokens
from clausewise.trees.values import Span
from clausewise.types import Decision, Dialogue, RuleText, Turn

MAX_TURNS = 14
"""Of a longer dialogue only the last turns are read: OR-ShARC's longest has eleven."""
MAX_USER_PIECES = MAX_TURNS + 2
"""The question, the scenario, and the turns."""
NOWHERE = Span(start=0, end=0)
NO_PIECE = -1
"""The place, or the number, of a piece that isn't there."""
_USER_SHARE = 0.75
"""How much of the sequence a dialogue may take; its longest parts are cut to that."""


class Layout(enum.Enum):
    """In what order and between what signs the parts of a sequence stand."""

    PIECES = "pieces"
    """[CLS] question [CLS] scenario [CLS] turn ... [CLS] unit ... [SEP] (MUDERN, DISCERN, EMT)."""
    JOINED = "joined"
    """[CLS] question [SEP] scenario [SEP] turn [SEP] ... rule text [SEP] ... (MP-RoBERTa)."""
    RULE_INSIDE = "rule inside"
    """[CLS] decisions [SEP] question [SEP] rule text [SEP] scenario [SEP] turn [SEP] ... (E3)."""


class Part(enum.Enum):
    """What a piece of the sequence is."""

    QUESTION = "question"
    SCENARIO = "scenario"
    TURN = "turn"
    UNIT = "unit"


@dataclass(frozen=True, slots=True, kw_only=True)
class Piece:
    """The tokens [start, end) of a sequence: a part of the dialogue, or a unit of a rule text."""

    part: Part
    start: int
    """The place of its start token; of its first token in layouts without."""
    end: int
    rule: int = -1
    """Of a unit: which of the rule texts it is from, counted from 0."""
    span: Span = NOWHERE
    """Of a unit: where it stands in its rule text."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Packed:
    """A dialogue and rule texts as one sequence of tokens."""

    ids: tuple[int, ...]
    offsets: tuple[tuple[int, int], ...]
    """For a token of a rule text its characters there; (0, 0) for all others."""
    pieces: tuple[Piece, ...]
    """In the order of the sequence."""
    rules: int
    """How many of the rule texts are in it: always the first ones, at least one."""

    @property
    def user(self) -> tuple[Piece, ...]:
        """The parts of the dialogue."""
        return tuple(piece for piece in self.pieces if piece.part is not Part.UNIT)

    @property
    def units(self) -> tuple[Piece, ...]:
        """The units of the rule texts."""
        return tuple(piece for piece in self.pieces if piece.part is Part.UNIT)

    @property
    def token_units(self) -> tuple[int, ...]:
        """For every token the number of its unit, or NO_PIECE."""
        units = [NO_PIECE] * len(self.ids)
        for number, unit in enumerate(self.units):
            units[unit.start : unit.end] = [number] * (unit.end - unit.start)
        return tuple(units)


@dataclass(frozen=True, slots=True, kw_only=True)
class _Unit:
    span: Span
    tokens: TextTokens


@dataclass(frozen=True, slots=True, kw_only=True)
class _Said:
    part: Part
    tokens: TextTokens


class Packer:
    """Packs dialogues and rule texts; the units of a rule text are found once."""

    def __init__(
        self,
        tokenizer: PieceTokenizer,
        *,
        segmenter: Segmenter,
        max_tokens: int,
        layout: Layout = Layout.PIECES,
    ) -> None:
        self.tokenizer = tokenizer
        self.layout = layout
        self._segmenter = segmenter
        self._max_tokens = max_tokens
        self._decisions = tokenizer.tokens(" ".join(each.value.lower() for each in Decision))
        self._remembered = lru_cache(maxsize=None)(self._units)

    def pack(self, dialogue: Dialogue, *, rules: Sequence[RuleText]) -> Packed:
        """Return the sequence of a dialogue and as many of the rule texts, best first, as fit."""
        said = self._cut(self._said(dialogue))
        room = self._max_tokens - self._signs - sum(len(one.tokens) + 1 for one in said)
        texts = self._fitting([self._remembered(rule.text) for rule in rules], room=room)
        sequence = _Sequence()
        match self.layout:
            case Layout.PIECES:
                self._add_pieces(sequence, said=said, texts=texts)
            case Layout.JOINED:
                sequence.sign(self.tokenizer.start)
                self._add_said(sequence, said)
                self._add_texts(sequence, texts)
            case Layout.RULE_INSIDE:
                sequence.sign(self.tokenizer.start)
                sequence.sign(*self._decisions.ids, self.tokenizer.end)
                self._add_said(sequence, said[:1])
                self._add_texts(sequence, texts)
                self._add_said(sequence, said[1:])
        return sequence.packed(rules=len(texts))

    def pack_with(
        self, dialogue: Dialogue, *, rules: Sequence[RuleText], gold: RuleText
    ) -> tuple[Packed, tuple[RuleText, ...]]:
        """Return the sequence and its rule texts, the gold one among them, as for training.

        Where it isn't among those that fit, it goes before them, right after the history.
        """
        packed = self.pack(dialogue, rules=rules) if rules else None
        if packed and any(rule.text == gold.text for rule in rules[: packed.rules]):
            return packed, tuple(rules[: packed.rules])
        rules = (gold, *(rule for rule in rules if rule.text != gold.text))
        packed = self.pack(dialogue, rules=rules)
        return packed, tuple(rules[: packed.rules])

    @property
    def _signs(self) -> int:
        """How many signs stand in every sequence, besides one for each part and rule text."""
        return 2 + len(self._decisions) if self.layout is Layout.RULE_INSIDE else 1

    def _said(self, dialogue: Dialogue) -> list[_Said]:
        tokens = self.tokenizer.tokens
        return [
            _Said(part=Part.QUESTION, tokens=tokens(dialogue.question)),
            _Said(part=Part.SCENARIO, tokens=tokens(dialogue.scenario)),
            *(
                _Said(part=Part.TURN, tokens=tokens(_wording(turn)))
                for turn in dialogue.turns[-MAX_TURNS:]
            ),
        ]

    def _cut(self, said: list[_Said]) -> list[_Said]:
        """Return the parts with the longest ones cut, so that room is left for a rule text."""
        room = int(self._max_tokens * _USER_SHARE) - len(said)
        longest = max(len(one.tokens) for one in said)
        while longest > 0 and sum(min(len(one.tokens), longest) for one in said) > room:
            longest -= 1
        return [_Said(part=one.part, tokens=one.tokens.cut(longest)) for one in said]

    def _units(self, text: str) -> tuple[_Unit, ...]:
        # A text in which nothing is found is one unit: a reader must see something of it.
        spans = self._segmenter.segment(text) or (Span(start=0, end=len(text)),)
        return tuple(
            _Unit(span=span, tokens=_moved(self.tokenizer.tokens(span.cut(text)), by=span.start))
            for span in spans
        )

    def _fitting(self, texts: Sequence[tuple[_Unit, ...]], *, room: int) -> list[tuple[_Unit, ...]]:
        """Return the first texts that fit, whole; of the very first in any case what fits."""
        fitting: list[tuple[_Unit, ...]] = []
        for units in texts:
            length = self._length(units)
            if length > room:
                break
            fitting.append(units)
            room -= length
        return fitting or [tuple(self._shortened(texts[0], room=room))]

    def _length(self, units: Sequence[_Unit]) -> int:
        signs = len(units) if self.layout is Layout.PIECES else 1
        return signs + sum(len(unit.tokens) for unit in units)

    def _shortened(self, units: Sequence[_Unit], *, room: int) -> Iterator[_Unit]:
        sign = 1 if self.layout is Layout.PIECES else 0
        room -= 1 - sign
        for place, unit in enumerate(units):
            if place > 0 and sign + len(unit.tokens) > room:
                return
            tokens = unit.tokens.cut(max(0, room - sign))
            yield _Unit(span=unit.span, tokens=tokens)
            room -= sign + len(tokens)

    def _add_pieces(
        self, sequence: _Sequence, *, said: Sequence[_Said], texts: Sequence[tuple[_Unit, ...]]
    ) -> None:
        start = (self.tokenizer.start,)
        for one in said:
            sequence.add(one.part, one.tokens, opening=start)
        for number, units in enumerate(texts):
            for unit in units:
                sequence.add(Part.UNIT, unit.tokens, opening=start, rule=number, span=unit.span)
        sequence.sign(self.tokenizer.end)

    def _add_said(self, sequence: _Sequence, said: Sequence[_Said]) -> None:
        for one in said:
            sequence.add(one.part, one.tokens)
            sequence.sign(self.tokenizer.end)

    def _add_texts(self, sequence: _Sequence, texts: Sequence[tuple[_Unit, ...]]) -> None:
        for number, units in enumerate(texts):
            for unit in units:
                sequence.add(Part.UNIT, unit.tokens, rule=number, span=unit.span)
            sequence.sign(self.tokenizer.end)


class _Sequence:
    """A sequence that grows."""

    def __init__(self) -> None:
        self._ids: list[int] = []
        self._offsets: list[tuple[int, int]] = []
        self._pieces: list[Piece] = []

    def sign(self, *ids: int) -> None:
        """Add tokens that belong to no piece."""
        self._ids += ids
        self._offsets += [(0, 0)] * len(ids)

    def add(
        self,
        part: Part,
        tokens: TextTokens,
        *,
        opening: tuple[int, ...] = (),
        rule: int = -1,
        span: Span = NOWHERE,
    ) -> None:
        """Add a piece; only those of rule texts keep their characters."""
        start = len(self._ids)
        self.sign(*opening)
        self._ids += tokens.ids
        self._offsets += tokens.offsets if part is Part.UNIT else [(0, 0)] * len(tokens)
        self._pieces.append(Piece(part=part, start=start, end=len(self._ids), rule=rule, span=span))

    def packed(self, *, rules: int) -> Packed:
        """Return the sequence as it is now."""
        return Packed(
            ids=tuple(self._ids),
            offsets=tuple(self._offsets),
            pieces=tuple(self._pieces),
            rules=rules,
        )


def _wording(turn: Turn) -> str:
    return f"{turn.question} {turn.answer}"


def _moved(tokens: TextTokens, *, by: int) -> TextTokens:
    return TextTokens(
        ids=tokens.ids, offsets=tuple((start + by, end + by) for start, end in tokens.offsets)
    )
