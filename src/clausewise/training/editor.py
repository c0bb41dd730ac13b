"""E3's editor learns from people's questions which words stand around those of the rule."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
import torch
from torch import Tensor
from torch.nn import functional

from clausewise.askers.editor import (
    LONGEST,
    SIDES,
    EditorAsker,
    EditorConfig,
    EditSource,
    Floats,
    Side,
)
from clausewise.askers.writing import BEGIN, END, UNKNOWN, question_words
from clausewise.evaluation.questions import question_figures
from clausewise.structure.matching import closest_match
from clausewise.structure.wording import lowered
from clausewise.training.batching import bucketed
from clausewise.training.editor_network import EditorNetwork, Memory
from clausewise.training.loop import LoopConfig
from clausewise.training.rule_batches import IGNORED, filled

if TYPE_CHECKING:
    from clausewise.training.backbone import Backbone
    from clausewise.training.splits import Trees
    from clausewise.trees.tree import RuleTree


@dataclass(frozen=True, slots=True, kw_only=True)
class EditorTrainingConfig:
    """How the editor is trained."""

    backbone: str = "all-MiniLM-L6-v2"
    """Whose vectors of word pieces it begins with."""
    trees: tuple[Path, ...]
    """Reviewed trees to learn from, relative to the data folder; some are left out (HELD_OUT)."""
    loop: LoopConfig = field(default_factory=LoopConfig)
    """How long and how fast it learns."""
    vocabulary: int = 6_000
    """How many pieces of words it can read."""
    width: int = 192
    """Of what reads the rule, each way; what writes is twice as wide."""
    batch_size: int = 32
    """Conditions that are learned from together."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Edit:
    """The words of a question before and behind those of the rule, in lower case."""

    before: tuple[str, ...]
    after: tuple[str, ...]

    @classmethod
    def of(cls, question: str, *, source: EditSource) -> Edit | None:
        """Return how the words of a rule become a question; None where that takes too many words.

        The stretch of the question that is nearest to the rule's words stands for them.
        """
        words = question_words(question)
        wanted = [lowered(word.word) for word in source.between]
        match = closest_match(wanted, words)
        before, after = words[: match.first], words[match.first + match.length :]
        if not words or match.distance >= len(wanted) or max(len(before), len(after)) > LONGEST:
            return None
        return cls(before=tuple(before), after=tuple(after))

    def side(self, side: Side) -> tuple[str, ...]:
        """Return the words of a side."""
        return self.before if side == "before" else self.after


@dataclass(frozen=True, slots=True, kw_only=True)
class EditExample:
    """What the editor reads, and what it should write."""

    source: EditSource
    edit: Edit


class EditorTask:
    """Trains an editor on reviewed trees and measures it on those left out."""

    def __init__(self, backbone: Backbone, *, config: EditorTrainingConfig, trees: Trees) -> None:
        self._config = config
        self._held_out = trees.held_out
        self.tokenizer = backbone.tokenizer
        self.tokenizer.no_padding()
        self.tokenizer.no_truncation()
        self._examples = tuple(self._made(trees.training))
        self.editor = EditorConfig(vocabulary=written_words(one.edit for one in self._examples))
        self._numbers = {word: number for number, word in enumerate(self.editor.vocabulary)}
        self.model = EditorNetwork(
            backbone.network.get_input_embeddings().weight,  # type: ignore[operator]
            vocabulary=len(self.editor.vocabulary),
            width=config.width,
        )

    def _made(self, trees: Iterable[RuleTree]) -> Iterable[EditExample]:
        for tree in trees:
            for condition in tree.conditions:
                source = EditSource.of(
                    condition.span, text=tree.rule_text or "", tokenizer=self.tokenizer
                )
                edit = Edit.of(condition.question, source=source) if source else None
                if source and edit:
                    yield EditExample(source=source, edit=edit)

    def batches(self, epoch: int) -> list[tuple[EditExample, ...]]:
        """Return the batches of an epoch: every condition once."""
        groups = bucketed(
            [len(one.source.ids) for one in self._examples],
            size=self._config.batch_size,
            seed=f"{self._config.loop.seed}/{epoch}",
        )
        return [tuple(self._examples[place] for place in group) for group in groups]

    def loss(self, batch: Sequence[EditExample]) -> Tensor:
        """Return the mean surprise at a word, over both sides."""
        read = self.read(batch)
        device = read.memory.device
        total = read.meaning.sum() * 0.0
        for side in SIDES:
            inputs, targets = self._words([one.edit.side(side) for one in batch])
            scores = self.model.written(side, read, words=inputs.to(device))
            total = total + functional.cross_entropy(
                scores.flatten(0, 1).float(), targets.flatten().to(device), ignore_index=IGNORED
            )
        return total / len(SIDES)

    def read(self, batch: Sequence[EditExample]) -> Memory:
        """Return what the network makes of the sources."""
        sources = [one.source for one in batch]
        device = next(self.model.parameters()).device
        return self.model.begin(
            filled([one.ids for one in sources]).to(device),
            filled([one.marks for one in sources]).to(device),
            filled([one.inside for one in sources]).to(device),
            torch.tensor([len(one.ids) for one in sources]),
        )

    def _words(self, sides: Sequence[Sequence[str]]) -> tuple[Tensor, Tensor]:
        """Return the word before each word that is written, and the word itself."""
        unknown = self._numbers[UNKNOWN]
        numbers = [[self._numbers.get(word, unknown) for word in words] for words in sides]
        targets = [
            [*(IGNORED if number == unknown else number for number in own), self._numbers[END]]
            for own in numbers
        ]
        inputs = [[self._numbers[BEGIN], *own] for own in numbers]
        return filled(inputs), filled(targets, filling=IGNORED)

    def evaluate(self) -> Mapping[str, float]:
        """Return how near the questions come to people's, on the trees left out, in percent."""
        asker = EditorAsker(TorchEdits(self.model), tokenizer=self.tokenizer, config=self.editor)
        return question_figures(asker, self._held_out)


def written_words(edits: Iterable[Edit], *, at_least: int = 2) -> tuple[str, ...]:
    """Return the words that are written at least so often, the commonest first, after the signs."""
    counts = Counter(word for edit in edits for side in SIDES for word in edit.side(side))
    ordered = sorted(counts.items(), key=lambda pair: (-pair[1], pair[0]))
    return (BEGIN, END, UNKNOWN, *(word for word, count in ordered if count >= at_least))


class TorchEdits:
    """Edits with a network that still learns."""

    def __init__(self, network: EditorNetwork) -> None:
        self._network = network.eval()
        self._device = next(network.parameters()).device

    def begin(self, source: EditSource) -> tuple[Floats, Mapping[Side, Floats]]:
        """Return what is attended to, [1, pieces, width], and each side's first state."""
        rows = (torch.tensor([row]) for row in (source.ids, source.marks, source.inside))
        with torch.no_grad():
            read = self._network.begin(*(row.to(self._device) for row in rows))
            states = {side: self._network.first_state(side, read.meaning) for side in SIDES}
        return _array(read.memory), {side: _array(state) for side, state in states.items()}

    def step(
        self, side: Side, *, memory: Floats, state: Floats, word: int
    ) -> tuple[Floats, Floats]:
        """Return the scores of the next word, [vocabulary], and the next state."""
        given = (torch.from_numpy(memory), torch.from_numpy(state), torch.tensor([word]))
        with torch.no_grad():
            scores, after = self._network.step(side, *(part.to(self._device) for part in given))
        return _array(scores)[0], _array(after)


def _array(tensor: Tensor) -> Floats:
    found: Floats = tensor.float().cpu().numpy().astype(np.float32)
    return found
