"""A tokenizer with fewer pieces, and the backbone that goes with it.

Half of a small encoder's size is the table of its 30,000 pieces, most of which no rule text ever
needs. The commonest are kept, and all single characters: a word that lost its piece is cut into
smaller ones, so nothing becomes unknown that was known before.
"""

from __future__ import annotations

import dataclasses
import gzip
import itertools
import json
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path

import torch
from tokenizers import Tokenizer
from torch import nn

from clausewise.training.backbone import Backbone

_SPECIAL = ("[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]")
_ALPHABETS = 0x2100
"""Single characters up to here are kept: letters of Europe, punctuation, currencies."""
_AT_ONCE = 2000


def piece_counts(texts: Iterable[str], *, tokenizer: Tokenizer) -> Counter[str]:
    """Return how often each piece comes in some texts."""
    counts: Counter[str] = Counter()
    waiting: list[str] = []
    for text in texts:
        waiting.append(text)
        if len(waiting) == _AT_ONCE:
            _count(waiting, tokenizer=tokenizer, into=counts)
            waiting = []
    _count(waiting, tokenizer=tokenizer, into=counts)
    return counts


def with_ranks(counts: Counter[str], *, tokenizer: Tokenizer) -> Counter[str]:
    """Return counts that order pieces of equal count by their numbers.

    BERT numbers its pieces from the commonest on, so words that the texts happen not to hold are
    kept before those that hardly any text holds.
    """
    vocabulary = tokenizer.get_vocab()
    return Counter(
        {
            piece: counts[piece] * len(vocabulary) + len(vocabulary) - number
            for piece, number in vocabulary.items()
            if not piece.startswith("[unused")
        }
    )


def texts_in(path: Path, *, lines: int) -> Iterator[str]:
    """Yield the texts in the first lines of a file of JSON lines, packed or not."""
    opened = gzip.open if path.suffix == ".gz" else open
    with opened(path, "rt", encoding="utf-8") as file:
        for line in itertools.islice(file, lines):
            yield from _strings(json.loads(line))


def trimmed(backbone: Backbone, *, counts: Counter[str], size: int) -> Backbone:
    """Return the backbone with at most `size` pieces: the commonest, and all characters."""
    vocabulary = backbone.tokenizer.get_vocab()
    if size >= len(vocabulary):
        return backbone
    kept = _kept(vocabulary, counts=counts, size=size)
    table = backbone.network.get_input_embeddings()  # type: ignore[operator]
    rows = torch.tensor([vocabulary[piece] for piece in kept])
    smaller = nn.Embedding(len(kept), table.weight.shape[1], padding_idx=0)
    smaller.weight.data.copy_(table.weight.data[rows])
    backbone.network.set_input_embeddings(smaller)  # type: ignore[operator]
    backbone.network.config.vocab_size = len(kept)  # type: ignore[union-attr]
    return dataclasses.replace(backbone, tokenizer=_renumbered(backbone.tokenizer, kept=kept))


def _strings(value: object) -> Iterator[str]:
    match value:
        case str():
            yield value
        case list():
            for part in value:
                yield from _strings(part)
        case dict():
            for part in value.values():
                yield from _strings(part)


def _count(texts: Sequence[str], *, tokenizer: Tokenizer, into: Counter[str]) -> None:
    for encoding in tokenizer.encode_batch(list(texts), add_special_tokens=False):
        into.update(encoding.tokens)


def _kept(vocabulary: dict[str, int], *, counts: Counter[str], size: int) -> list[str]:
    kept = {piece for piece in vocabulary if piece in _SPECIAL or _is_character(piece)}
    for piece, _ in sorted(counts.items(), key=lambda pair: (-pair[1], pair[0])):
        if len(kept) >= size:
            break
        if piece in vocabulary:
            kept.add(piece)
    return sorted(kept, key=lambda piece: vocabulary[piece])


def _is_character(piece: str) -> bool:
    plain = piece.removeprefix("##")
    return len(plain) == 1 and ord(plain) < _ALPHABETS


def _renumbered(tokenizer: Tokenizer, *, kept: Sequence[str]) -> Tokenizer:
    numbers = {piece: number for number, piece in enumerate(kept)}
    document = json.loads(tokenizer.to_str())
    document["model"]["vocab"] = numbers
    for added in document["added_tokens"]:
        added["id"] = numbers[added["content"]]
    processor = document["post_processor"] or {}
    for special in processor.get("special_tokens", {}).values():
        special["ids"] = [numbers[piece] for piece in special["tokens"]]
    for side in ("sep", "cls"):
        if side in processor:
            processor[side][1] = numbers[processor[side][0]]
    return Tokenizer.from_str(json.dumps(document))
