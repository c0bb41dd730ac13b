"""Reading, from the cue words of a rule text, how its conditions are joined.

A list counts by what introduces it ('all of', 'any of', 'you can't if'), a sentence by the words
between its conditions, a text by its sentences. The result is a draft that a person corrects.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from clausewise.structure.cues import CUE, EXAMPLES, Cue
from clausewise.structure.layout import Block, blocks
from clausewise.text import Piece, sentences
from clausewise.trees.logic import AtLeast, Logic, Name, Not, all_of, any_of, names
from clausewise.trees.values import Span

_NOT = r"(?:not|n['’]t)(?: \w+){0,2}?"
_DENIES = re.compile(
    rf"\b(?:can|may|will|must|shall|should|could|would)\s?{_NOT} (?!need|have to)\w+|\bcannot\b"
    rf"|\b(?:ca|wo)n['’]t\b|(?:\b(?:are|is|be|do|does|was|were)|['’](?:re|s))\s?{_NOT}"
    r" (?:eligible|entitled|allowed|able|qualify|apply|get|count|available|include|covered|cover"
    r"|an?|permitted|considered|classed)"
    r"|\b(?:ineligible|excluded|disqualified|prohibited|refused|barred)\b"
    r"|^(?:no|none|nobody|neither)\s+\w|\bno (?:\w+ ){1,4}?(?:may|can|shall|will)\b"
    r"|\bexceptions? (?:is|are)\b",
    re.IGNORECASE,
)
_ANY = re.compile(
    r"\b(?:any|one|either)(?: or more)?(?: of)?\b|\bat least one\b|\bone or more\b", re.IGNORECASE
)
_ALL = re.compile(r"\b(?:all|both|each|every)\b", re.IGNORECASE)
_NONE = re.compile(r"\b(?:none|neither|not any)\b", re.IGNORECASE)
_DUTY = re.compile(
    r"\b(?:must|needs?|ha(?:ve|s) to|required|requirements?|shall|should|conditions|criteria)\b",
    re.I,
)
_COUNTS = {"two": 2, "three": 3, "four": 4, "five": 5, "six": 6}
_SOME = re.compile(
    rf"\b(?:at least|any|a minimum of) (?P<count>\d|{'|'.join(_COUNTS)})(?: or more)?"
    r"(?: of| the following|:|\s*$)",
    re.IGNORECASE,
)
_ALSO = re.compile(
    r"\W*(?:you|they|\w+s) (?:can|may|might|could|will)(?: \w+)? also\b|\W*(?:alternatively|or)\b",
    re.IGNORECASE,
)
_CONTINUES = re.compile(
    r"\b(?:and|who|that)(?: (?:you|they|he|she|it|also))*(?:['’]\w+)?\W*$", re.I
)
"""The end of a line whose list goes on with what it began: '... if you are 16 and you:'."""
_PURPOSE = re.compile(r"\bto \w+(?: \w+)?\W*$", re.IGNORECASE)
_WAIVES = re.compile(
    r"\W*(?:but |however,? )?(?:(?:this|these|that|it|the \w+)(?: \w+){0,2} "
    r"(?:do|does|did)(?: not|n['’]t) apply|the only exceptions?|exceptions? (?:is|are))\b",
    re.IGNORECASE,
)
"""How a sentence begins that takes back what the ones before it demand."""
_DEMANDS = re.compile(
    r"\b(?:must|(?:need|have|has|required) to|be (?:charged|fined|taxed))\b", re.IGNORECASE
)
_FREES = re.compile(
    r"\b(?:do|does|will|would|wo)\s?(?:not|n['’]t) (?:\w+ )?(?:need|have) to\b|\bexempt\b",
    re.IGNORECASE,
)
_OR = re.compile(r"\bor\b", re.IGNORECASE)
_AND = re.compile(r"\b(?:and|but)\b|;", re.IGNORECASE)


@dataclass(frozen=True, slots=True, kw_only=True)
class Element:
    """A condition or a list of them in a sentence, and the words before it."""

    logic: Logic
    before: str
    """From the condition before it, or from the start of the sentence."""
    opening: str = ""
    """The first words of its own."""


@dataclass(frozen=True, slots=True, kw_only=True)
class _Part:
    """What one block or sentence asks."""

    logic: Logic
    also: bool
    """Whether it is another way to the outcome, not one more thing to meet."""
    waives: bool = False
    """Whether it takes back what the sentences before it demand."""
    demands: bool = False
    """Whether its outcome is a duty."""
    frees: bool = False
    """Whether its outcome is that a duty does not exist."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Joiner:
    """Joins the conditions of one rule text, given in order by their keys."""

    text: str
    layout: tuple[Block, ...]
    named: tuple[tuple[str, Span], ...]

    @classmethod
    def of(cls, text: str, *, conditions: Sequence[tuple[str, Span]]) -> Joiner:
        """Return the joiner of a text's conditions."""
        return cls(text=text, layout=blocks(text), named=tuple(conditions))

    def logic(self) -> Logic:
        """Return the logic over all of the conditions, of which there is at least one."""
        roots = [place for place, block in enumerate(self.layout) if block.parent is None]
        parts = [part for place in roots for part in self._parts(place)]
        found = {key for part in parts for key in names(part.logic)}
        lost = [Name(key) for key, _ in self.named if key not in found]
        return all_of([*([_joined_parts(parts)] if parts else []), *lost])

    def _parts(self, place: int) -> Iterator[_Part]:
        block = self.layout[place]
        listed = self._list(place)
        pieces = sentences(block.span.cut(self.text))
        for number, piece in enumerate(pieces):
            start = block.span.start + piece.start
            span = Span(start=start, end=self._reach(block, number=number, pieces=pieces))
            elements = self._elements(span)
            last = number == len(pieces) - 1
            if last and listed is not None:
                elements.append(self._list_element(listed, sentence=span))
            if elements:
                yield _part(elements, sentence=piece.text)

    def _reach(self, block: Block, *, number: int, pieces: Sequence[Piece]) -> int:
        """Return where the next sentence begins: a condition may run over a full stop."""
        if number + 1 == len(pieces):
            return block.span.end
        return block.span.start + pieces[number + 1].start

    def _elements(self, sentence: Span) -> list[Element]:
        found: list[Element] = []
        end = sentence.start
        for key, span in self.named:
            if sentence.start <= span.start < sentence.end:
                before = self.text[min(end, span.start) : span.start]
                found.append(Element(logic=Name(key), before=before, opening=span.cut(self.text)))
                end = max(end, span.end)
        return found

    def _list_element(self, listed: Logic, *, sentence: Span) -> Element:
        inside = [span.end for _, span in self.named if sentence.start <= span.start < sentence.end]
        start = max(inside, default=sentence.start)
        return Element(logic=listed, before=self.text[min(start, sentence.end) : sentence.end])

    def _list(self, place: int) -> Logic | None:
        children = [other for other, block in enumerate(self.layout) if block.parent == place]
        items = [
            (other, _joined_parts(parts))
            for other in children
            if (parts := list(self._parts(other)))
        ]
        if not items:
            return None
        lead = sentences(self.layout[place].span.cut(self.text))[-1].text
        between = [self._tail(other) for other, _ in items[:-1]]
        return _of_list([logic for _, logic in items], lead=lead, between=between)

    def _tail(self, place: int) -> str:
        """Return the words behind the last condition of an item: there stands its 'or'."""
        block = self.layout[place]
        ends = [
            span.end for _, span in self.named if block.span.start <= span.start < block.span.end
        ]
        start = max(ends, default=block.span.start)
        return self.text[min(start, block.span.end) : block.span.end]


def _part(elements: list[Element], *, sentence: str) -> _Part:
    waives = bool(_WAIVES.match(sentence))
    return _Part(
        logic=_of_sentence(elements, sentence=sentence, waives=waives),
        also=bool(_ALSO.match(sentence)),
        waives=waives,
        demands=bool(_DEMANDS.search(sentence)) and not _FREES.search(sentence),
        frees=bool(_FREES.search(sentence)) and not _DENIES.search(sentence),
    )


def _joined_parts(parts: Sequence[_Part]) -> Logic:
    """Join sentences: each adds to what must be met, save those that open another way."""
    ways: list[list[Logic]] = [[]]
    for place, part in enumerate(parts):
        if part.waives and ways[-1]:
            ways[-1] = [any_of([all_of(ways[-1]), part.logic])]
            continue
        if part.also and ways[-1]:
            ways.append([])
        freed = part.frees and any(other.demands for other in parts[:place])
        ways[-1].append(Not(part.logic) if freed else part.logic)
    return any_of(all_of(way) for way in ways)


def _of_list(items: list[Logic], *, lead: str, between: list[str]) -> Logic:
    if len(items) == 1:
        return items[0]
    if some := _SOME.search(lead):
        count = _COUNTS.get(some["count"].lower()) or int(some["count"])
        if 1 <= count <= len(items):
            return AtLeast(count, tuple(items))
    if _NONE.search(lead):
        return any_of(items) if _DENIES.search(lead) else Not(any_of(items))
    return any_of(items) if _is_choice(lead, between=between) else all_of(items)


def _is_choice(lead: str, *, between: list[str]) -> bool:
    tails = [tail for tail in between if re.search(r"\b(?:and|or)\W*$", tail, re.IGNORECASE)]
    if tails:
        return bool(_OR.search(tails[-1]))
    if _ANY.search(lead):
        return True
    if _ALL.search(lead):
        return False
    if _CONTINUES.search(lead):
        return False
    cues = [match.end() for match in CUE.finditer(lead)]
    clause = lead[max(cues, default=0) :]
    duty = _DUTY.search(clause) and not _PURPOSE.search(clause)
    return bool(_DENIES.search(clause) or _unless(lead) or EXAMPLES.search(lead) or not duty)


def _unless(text: str) -> bool:
    found = list(CUE.finditer(text))
    return bool(found) and found[-1].lastgroup == Cue.UNLESS.name


def _of_sentence(elements: list[Element], *, sentence: str, waives: bool) -> Logic:
    """Return what the sentence asks: a denied outcome turns its conditions round."""
    outcome = _outcome(elements, sentence=sentence)
    groups = _groups(elements, outcome=outcome)
    denied = bool(_DENIES.search(outcome)) and not waives
    met = [logic for unless, logic in groups if unless == denied]
    unmet = [Not(logic) for unless, logic in groups if unless != denied]
    if denied and met and unmet:
        return any_of([*unmet, *met])
    return all_of([*met, *unmet])


def _outcome(elements: list[Element], *, sentence: str) -> str:
    """Return the sentence without the words of its conditions and what leads them in."""
    rest = sentence
    for element in elements:
        cues = list(CUE.finditer(element.before))
        if cues:
            rest = rest.replace(element.before[cues[-1].end() :], " ", 1)
        if element.opening:
            rest = rest.replace(element.opening, " … ", 1)
    return re.sub(r"\([^()]*\)", " ", rest)


def _groups(elements: list[Element], *, outcome: str) -> list[tuple[bool, Logic]]:
    """Return runs of conditions under one cue, with whether the cue is an exception's."""
    groups: list[tuple[bool, list[Element]]] = []
    for element in elements:
        cue = _cue(element)
        if groups and (cue is None or groups[-1][0] == (cue is Cue.UNLESS)):
            groups[-1][1].append(element)
        else:
            groups.append((cue is Cue.UNLESS, [element]))
    enumerates = _enumerates(elements, outcome=outcome)
    return [(unless, _of_run(run, enumerates=enumerates)) for unless, run in groups]


def _enumerates(elements: list[Element], *, outcome: str) -> bool:
    """Say whether the sentence only names kinds: 'the fund covers boats, nets and ropes'."""
    short = all(len(element.opening.split()) <= 6 for element in elements)
    cued = any(_cue(element) for element in elements)
    return len(elements) > 2 and short and not cued and not _DUTY.search(outcome)


def _cue(element: Element) -> Cue | None:
    found = [*CUE.finditer(element.before)] or [
        match for match in CUE.finditer(element.opening) if match.start() == 0
    ]
    return Cue[found[-1].lastgroup or "IF"] if found else None


def _of_run(run: list[Element], *, enumerates: bool) -> Logic:
    """Join conditions by the words between them; in prose 'or' binds closer than 'and'.

    'The spouse or child of a member' is 'a or b, and c' far more often than 'a, or b and c'.
    """
    groups: list[list[Logic]] = [[run[0].logic]]
    for element, either in zip(run[1:], _alternatives(run), strict=True):
        if not (either or enumerates):
            groups.append([])
        groups[-1].append(element.logic)
    return all_of(any_of(group) for group in groups)


def _alternatives(run: list[Element]) -> list[bool]:
    """Say for each element but the first whether `or` joins it; a comma means what follows it."""
    found: list[bool] = []
    following = False
    for element in reversed(run[1:]):
        stated = _is_or(element.before)
        comma = "," in element.before and not re.search(r"\w", element.before)
        following = stated if stated is not None else comma and following
        found.append(following)
    return found[::-1]


def _is_or(before: str) -> bool | None:
    if _OR.search(before):
        return True
    return False if _AND.search(before) or CUE.search(before) else None
