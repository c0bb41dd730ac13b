"""A backbone's tokenizer behind the few things that packing needs of it."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING

from clausewise.encoder.session import content_of, open_tokenizer
from clausewise.errors import ConfigError, Where

if TYPE_CHECKING:
    from tokenizers import Tokenizer

_START, _END, _FILLING = ("[CLS]", "<s>"), ("[SEP]", "</s>"), ("[PAD]", "<pad>")
REMEMBERED = 65_536
"""How many texts keep their tokens: turns and units come again and again."""


@dataclass(frozen=True, slots=True, kw_only=True)
class TextTokens:
    """The tokens of a text, without any special one."""

    ids: tuple[int, ...] = ()
    offsets: tuple[tuple[int, int], ...] = ()
    """Which characters [start, end) of the text each token stands for."""

    def __len__(self) -> int:
        """Return how many tokens there are."""
        return len(self.ids)

    def cut(self, length: int) -> TextTokens:
        """Return the first tokens, at most `length`."""
        return TextTokens(ids=self.ids[:length], offsets=self.offsets[:length])


class PieceTokenizer:
    """Tokenizes parts of a sequence, and knows the signs that stand between them.

    BERT's signs are called [CLS] and [SEP], RoBERTa's <s> and </s>; either will do.
    """

    def __init__(self, tokenizer: Tokenizer) -> None:
        tokenizer.no_padding()
        tokenizer.no_truncation()
        self._tokenizer = tokenizer
        self.start = _sign(tokenizer, names=_START)
        self.end = _sign(tokenizer, names=_END)
        self.filling = _sign(tokenizer, names=_FILLING)
        self._remembered = lru_cache(maxsize=REMEMBERED)(self._tokens)

    @classmethod
    def load(cls, folder: Path) -> PieceTokenizer:
        """Return the tokenizer in a model folder."""
        return cls(open_tokenizer(content_of(folder / "tokenizer.json")))

    def tokens(self, text: str) -> TextTokens:
        """Return the tokens of a text, with the characters that they stand for."""
        return self._remembered(text)

    def _tokens(self, text: str) -> TextTokens:
        encoding = self._tokenizer.encode(text, add_special_tokens=False)
        return TextTokens(ids=tuple(encoding.ids), offsets=tuple(encoding.offsets))


def _sign(tokenizer: Tokenizer, *, names: Iterable[str]) -> int:
    for name in names:
        number: int | None = tokenizer.token_to_id(name)
        if number is not None:
            return number
    message = f"has none of the tokens {', '.join(names)}, expected one of BERT or RoBERTa"
    raise ConfigError(message, where=Where(field="tokenizer"))
