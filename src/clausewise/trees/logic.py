"""The logic of a rule tree, as data: parsed and printed by our own small code, never evaluated.

    logic     = all { "or" all }
    all       = part { "and" part }
    part      = "not" part | "(" logic ")" | "atleast" "(" count { "," logic } ")" | key

`and` binds closer than `or`, `not` closer than both. Every tree is bounded in depth and size when
it is built, so nothing that walks one can exhaust the stack: the text of a logic may have
MAX_LENGTH characters and nest MAX_NESTING deep, which is a flat `a or b or ...` of thousands.
"""

from __future__ import annotations

import difflib
import re
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, ClassVar

from clausewise.errors import LogicError, Where

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable

MAX_LENGTH = 20_000
"""The most characters that the text of a logic may have."""
MAX_NESTING = 50
"""How deep parentheses and `not` may nest in the text of a logic."""
MAX_DEPTH = 4 * MAX_NESTING
"""How deep a logic may nest that is built by a program; no text within MAX_NESTING exceeds it."""
MAX_SIZE = MAX_LENGTH
"""How many names and operators a logic may have that is built by a program."""

RESERVED = ("and", "or", "not", "atleast")
"""The words that can't be keys."""
_KEY = re.compile(r"[A-Za-z_][A-Za-z0-9_]*")
_TOKEN = re.compile(r"[A-Za-z_][A-Za-z0-9_]*|[0-9]+|[(),]|\S", re.ASCII)


def is_key(text: str) -> bool:
    """Say whether `text` can name a condition: letters, digits and _, no word of the logic."""
    return _KEY.fullmatch(text) is not None and text.lower() not in RESERVED


@dataclass(frozen=True, slots=True)
class Name:
    """True where the condition with this key holds."""

    key: str
    depth: ClassVar[int] = 1
    size: ClassVar[int] = 1

    def __post_init__(self) -> None:
        if not is_key(self.key):
            message = f"{self.key!r} can't be a key: expected letters, digits and _, as in a or b2"
            raise LogicError(message)


@dataclass(frozen=True, slots=True)
class Not:
    """True where its part is false."""

    part: Logic
    depth: int = field(init=False, repr=False, compare=False)
    size: int = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        _measure(self, (self.part,))


@dataclass(frozen=True, slots=True)
class And:
    """True where all of its parts are; parts that are themselves `and` are merged into it."""

    parts: tuple[Logic, ...]
    depth: int = field(init=False, repr=False, compare=False)
    size: int = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        merged = (part.parts if isinstance(part, And) else (part,) for part in self.parts)
        object.__setattr__(self, "parts", tuple(inner for group in merged for inner in group))
        _need_two(self.parts, word="and")
        _measure(self, self.parts)


@dataclass(frozen=True, slots=True)
class Or:
    """True where one of its parts is; parts that are themselves `or` are merged into it."""

    parts: tuple[Logic, ...]
    depth: int = field(init=False, repr=False, compare=False)
    size: int = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        merged = (part.parts if isinstance(part, Or) else (part,) for part in self.parts)
        object.__setattr__(self, "parts", tuple(inner for group in merged for inner in group))
        _need_two(self.parts, word="or")
        _measure(self, self.parts)


@dataclass(frozen=True, slots=True)
class AtLeast:
    """True where `count` of its parts are, or more."""

    count: int
    parts: tuple[Logic, ...]
    depth: int = field(init=False, repr=False, compare=False)
    size: int = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "parts", tuple(self.parts))
        if not 1 <= self.count <= len(self.parts):
            parts = f"{len(self.parts)} part{'s' * (len(self.parts) != 1)}"
            message = f"atleast({self.count}, ...) over {parts}: expected a count from 1 to them"
            raise LogicError(message)
        _measure(self, self.parts)


Logic = Name | Not | And | Or | AtLeast
"""A logic; equal content is an equal value."""


def _need_two(parts: tuple[Logic, ...], *, word: str) -> None:
    if len(parts) < 2:
        message = f"{word!r} over {len(parts)} part(s): expected at least two"
        raise LogicError(message)


def _measure(node: Not | And | Or | AtLeast, parts: tuple[Logic, ...]) -> None:
    depth, size = 1 + max(part.depth for part in parts), 1 + sum(part.size for part in parts)
    if depth > MAX_DEPTH or size > MAX_SIZE:
        message = (
            f"logic of depth {depth} and size {size}: at most {MAX_DEPTH} and {MAX_SIZE} are taken"
        )
        raise LogicError(message)
    object.__setattr__(node, "depth", depth)
    object.__setattr__(node, "size", size)


def all_of(parts: Iterable[Logic]) -> Logic:
    """Return the logic that needs all of the parts, of which there is at least one."""
    several = tuple(parts)
    return several[0] if len(several) == 1 else And(several)


def any_of(parts: Iterable[Logic]) -> Logic:
    """Return the logic that needs one of the parts, of which there is at least one."""
    several = tuple(parts)
    return several[0] if len(several) == 1 else Or(several)


def parts_of(logic: Logic) -> tuple[Logic, ...]:
    """Return the parts that a logic joins; a name has none."""
    match logic:
        case Name():
            return ()
        case Not(part):
            return (part,)
        case And(parts) | Or(parts) | AtLeast(_, parts):
            return parts


def names(logic: Logic) -> tuple[str, ...]:
    """Return the keys that the logic names, in order of first appearance."""
    return tuple(dict.fromkeys(occurrences(logic)))


def occurrences(logic: Logic) -> list[str]:
    """Return every key as often as the logic names it, in order."""
    found: list[str] = []
    waiting: list[Logic] = [logic]
    while waiting:
        node = waiting.pop()
        if isinstance(node, Name):
            found.append(node.key)
        waiting.extend(reversed(parts_of(node)))
    return found


def is_read_once(logic: Logic) -> bool:
    """Say whether every key occurs once: then no two parts of the logic can depend on another."""
    keys = occurrences(logic)
    return len(set(keys)) == len(keys)


def format_logic(logic: Logic) -> str:
    """Return the logic as text, with no more parentheses than it needs to be read back."""
    return _format(logic, binding=0)


def _format(logic: Logic, *, binding: int) -> str:
    match logic:
        case Name(key):
            return key
        case AtLeast(count, parts):
            inside = ", ".join(_format(part, binding=0) for part in parts)
            return f"atleast({count}, {inside})"
        case Not(part):
            return f"not {_format(part, binding=3)}"
        case And(parts):
            return _joined(parts, word="and", own=2, binding=binding)
        case Or(parts):
            return _joined(parts, word="or", own=1, binding=binding)


def _joined(parts: tuple[Logic, ...], *, word: str, own: int, binding: int) -> str:
    text = f" {word} ".join(_format(part, binding=own) for part in parts)
    return f"({text})" if own < binding else text


def parse_logic(text: str, *, keys: Collection[str] | None = None) -> Logic:
    """Return the logic that `text` spells.

    Raises LogicError with the column where it goes wrong: where it doesn't parse, is too long, is
    nested too deep, or names a key that is not among `keys` (where they are given).
    """
    if len(text) > MAX_LENGTH:
        problem = f"the logic has {len(text)} characters; expected at most {MAX_LENGTH}"
        raise LogicError(problem, where=Where(column=MAX_LENGTH + 1))
    return _Parser(text, keys=keys).parse()


@dataclass(frozen=True, slots=True, kw_only=True)
class _Token:
    text: str
    column: int


class _Parser:
    """Recursive descent over the tokens; `_nested` bounds the recursion."""

    def __init__(self, text: str, *, keys: Collection[str] | None) -> None:
        self._source = text
        self._keys = keys
        self._tokens = [
            _Token(text=match.group(), column=match.start() + 1) for match in _TOKEN.finditer(text)
        ]
        self._tokens.append(_Token(text="", column=len(text) + 1))
        self._position = 0
        self._nested = 0

    def parse(self) -> Logic:
        logic = self._any()
        if self._here.text:
            raise self._error("expected 'and', 'or' or the end")
        return logic

    @property
    def _here(self) -> _Token:
        return self._tokens[self._position]

    def _takes(self, word: str) -> bool:
        if self._here.text != word:
            return False
        self._position += 1
        return True

    def _expect(self, word: str) -> None:
        if not self._takes(word):
            raise self._error(f"expected {word!r}")

    def _any(self) -> Logic:
        parts = [self._all()]
        while self._takes("or"):
            parts.append(self._all())
        return any_of(parts)

    def _all(self) -> Logic:
        parts = [self._part()]
        while self._takes("and"):
            parts.append(self._part())
        return all_of(parts)

    def _part(self) -> Logic:
        self._nested += 1
        if self._nested > MAX_NESTING:
            raise self._error(f"nested more than {MAX_NESTING} deep; expected a simpler logic")
        part = self._single()
        self._nested -= 1
        return part

    def _single(self) -> Logic:
        if self._takes("not"):
            return Not(self._part())
        if self._takes("("):
            inside = self._any()
            self._expect(")")
            return inside
        if self._takes("atleast"):
            return self._at_least()
        return self._name()

    def _at_least(self) -> Logic:
        self._expect("(")
        count = self._here
        if not count.text.isdecimal():
            raise self._error("expected how many, as in atleast(2, a, b, c)")
        self._position += 1
        parts = []
        while self._takes(","):
            parts.append(self._any())
        self._expect(")")
        if not 1 <= int(count.text[:6]) <= len(parts):
            expected = f"expected a count from 1 to the number of parts, {len(parts)}"
            raise self._error(expected, token=count)
        return AtLeast(int(count.text), tuple(parts))

    def _name(self) -> Logic:
        token = self._here
        if not is_key(token.text):
            raise self._error("expected a key, 'not', 'atleast' or '('")
        if self._keys is not None and token.text not in self._keys:
            raise self._error(self._unknown(token.text), token=token)
        self._position += 1
        return Name(token.text)

    def _unknown(self, word: str) -> str:
        known = sorted(self._keys or ())
        close = difflib.get_close_matches(word, known, n=1)
        hint = f" (did you mean {close[0]!r}?)" if close else ""
        return f"no condition has this key; expected one of {', '.join(known)}{hint}"

    def _error(self, expected: str, *, token: _Token | None = None) -> LogicError:
        token = token or self._here
        found = repr(token.text) if token.text else "the end"
        if token.text not in RESERVED and token.text.lower() in RESERVED:
            expected = f"expected {token.text.lower()!r} in small letters"
        problem = f"{found} at column {token.column} of {_shown(self._source)}: {expected}"
        return LogicError(problem, where=Where(column=token.column))


def _shown(text: str) -> str:
    return repr(text if len(text) <= 80 else f"{text[:77]}...")
