"""The span finder learns which words of the retrieved rule texts to ask about (MUDERN's way)."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field

import torch
from torch import Tensor, nn
from torch.nn import functional

from clausewise.askers.span import found_span
from clausewise.readers.transformer.encode import Packed, Packer
from clausewise.readers.transformer.extraction import token_f1
from clausewise.readers.transformer.tokens import PieceTokenizer
from clausewise.segmenters.sentences import SentenceSegmenter
from clausewise.training.backbone import PAD_MULTIPLE, Backbone
from clausewise.training.batching import bucketed, by_length
from clausewise.training.loop import LoopConfig
from clausewise.training.reader_config import HitsConfig, LabelsName, SampleConfig
from clausewise.training.reader_examples import Example
from clausewise.training.rule_batches import filled
from clausewise.training.span_examples import SpanExample, span_example
from clausewise.types import Dialogue, FoundSpan, RuleText

RetrievedFor = Callable[[Example], Sequence[RuleText]]
"""The rule texts that are retrieved for an example's dialogue, best first."""
_NEVER = -1e9


@dataclass(frozen=True, slots=True, kw_only=True)
class SpanConfig:
    """How the span finder is trained."""

    samples: SampleConfig
    """What it learns from: of these, the ones that end in a question."""
    backbone: str = "all-MiniLM-L6-v2"
    """The pre-trained weights: a folder, a name inside an installed package, or one of the hub."""
    labels: LabelsName = "tree"
    """Where the right spans come from: the trees, or the words nearest to the question."""
    hits: HitsConfig = field(default_factory=HitsConfig)
    """The rule texts that are read; the right one is added where it is missing."""
    loop: LoopConfig = field(default_factory=LoopConfig)
    """How long and how fast it learns."""
    batch_size: int = 32
    """Dialogues that are learned from together."""
    max_tokens: int = 512
    """The longest sequence."""


class SpanNetwork(nn.Module):
    """Gives every token a score that the span starts at it, and one that it ends there."""

    def __init__(self, backbone: nn.Module, *, size: int) -> None:
        super().__init__()
        self.backbone = backbone
        self.dropout = nn.Dropout(0.1)
        self.out = nn.Linear(size, 2)

    def forward(self, input_ids: Tensor, attention_mask: Tensor) -> Tensor:
        """Return the scores, [sequences, tokens, 2]."""
        hidden = self.backbone(input_ids=input_ids, attention_mask=attention_mask)
        scores: Tensor = self.out(self.dropout(hidden.last_hidden_state))
        return scores


class SpanTask:
    """Trains a span finder on some examples and measures it on others."""

    def __init__(
        self,
        backbone: Backbone,
        *,
        config: SpanConfig,
        training: Sequence[Example],
        held_out: Sequence[Example],
        retrieved: RetrievedFor,
    ) -> None:
        self._config = config
        self.model = SpanNetwork(backbone.network, size=backbone.hidden_size)
        self.packer = sentence_packer(PieceTokenizer(backbone.tokenizer), config.max_tokens)
        made = (
            span_example(one, packer=self.packer, rules=retrieved(one))
            for one in training
            if one.asked is not None
        )
        self._examples = [one for one in made if one is not None]
        self.held_out = tuple(one for one in held_out if one.asked is not None)
        self._hits = [retrieved(one) for one in self.held_out]

    def batches(self, epoch: int) -> list[tuple[SpanExample, ...]]:
        """Return the batches of an epoch: every example once."""
        groups = bucketed(
            [len(one.packed.ids) for one in self._examples],
            size=self._config.batch_size,
            seed=f"{self._config.loop.seed}/{epoch}",
        )
        return [tuple(self._examples[place] for place in group) for group in groups]

    def loss(self, batch: Sequence[SpanExample]) -> Tensor:
        """Return the mean surprise at the right start and the right end among rule tokens."""
        packed = [one.packed for one in batch]
        scores = span_scores(self.model, packed, filling=self.packer.tokenizer.filling).float()
        known = filled(
            [[int(first < last) for first, last in one.offsets] for one in packed],
            multiple=PAD_MULTIPLE,
        ).to(scores.device)
        scores = scores.masked_fill(known.unsqueeze(-1) == 0, _NEVER)
        targets = torch.tensor([(one.first, one.last) for one in batch], device=scores.device)
        starts = functional.cross_entropy(scores[..., 0], targets[:, 0])
        return (starts + functional.cross_entropy(scores[..., 1], targets[:, 1])) / 2

    def evaluate(self) -> Mapping[str, float]:
        """Return how well spans are found in the examples that only measure, in percent."""
        if not self.held_out:
            return {}
        dialogues = [one.dialogue for one in self.held_out]

        def found(rules: Sequence[Sequence[RuleText]]) -> list[FoundSpan]:
            return find_spans(self.model, packer=self.packer, dialogues=dialogues, rules=rules)

        given = found([[one.rule] for one in self.held_out])
        return span_figures(given, found(self._hits), right=self.held_out)


def span_figures(
    given: Sequence[FoundSpan], retrieved: Sequence[FoundSpan], *, right: Sequence[Example]
) -> Mapping[str, float]:
    """Return the figures of spans found in the right rule texts, and in retrieved ones."""
    pairs = list(zip(given, right, strict=True))
    return {
        "span F1, right rule given": _percent(_alike(one, each) for one, each in pairs),
        "same span, right rule given": _percent(one.span == each.asked for one, each in pairs),
        "span F1, retrieved": _percent(map(_alike, retrieved, right)),
        "right rule, retrieved": _percent(
            one.rule.text == each.rule.text for one, each in zip(retrieved, right, strict=True)
        ),
    }


def sentence_packer(tokenizer: PieceTokenizer, max_tokens: int) -> Packer:
    """Return what packs rule texts sentence by sentence, as the span finder reads them."""
    return Packer(tokenizer, segmenter=SentenceSegmenter(), max_tokens=max_tokens)


def find_spans(
    model: SpanNetwork,
    *,
    packer: Packer,
    dialogues: Sequence[Dialogue],
    rules: Sequence[Sequence[RuleText]],
    size: int = 64,
) -> list[FoundSpan]:
    """Return the span for each dialogue in its rule texts, many at once."""
    model.eval()
    packed = [
        packer.pack(dialogue, rules=own) for dialogue, own in zip(dialogues, rules, strict=True)
    ]
    found: dict[int, FoundSpan] = {}
    for group in by_length([len(one.ids) for one in packed], size=size):
        own = [packed[place] for place in group]
        with torch.no_grad():
            scored = span_scores(model, own, filling=packer.tokenizer.filling)
        scores = scored.float().cpu().numpy()
        for row, place in enumerate(group):
            found[place] = found_span(scores[row], packed[place], rules=rules[place])
    return [found[place] for place in range(len(packed))]


def span_scores(model: SpanNetwork, packed: Sequence[Packed], *, filling: int) -> Tensor:
    """Return the scores of some sequences, [sequences, tokens, 2]; those of filling are void."""
    device = next(model.parameters()).device
    ids = filled([one.ids for one in packed], filling=filling, multiple=PAD_MULTIPLE)
    mask = filled([[1] * len(one.ids) for one in packed], multiple=PAD_MULTIPLE)
    scores: Tensor = model(ids.to(device), mask.to(device))
    return scores


def _alike(found: FoundSpan, right: Example) -> float:
    wanted = right.asked.cut(right.rule.text) if right.asked else ""
    return token_f1(found.span.cut(found.rule.text), wanted)


def _percent(values: Iterable[float]) -> float:
    listed = list(values)
    return round(100 * sum(listed) / max(1, len(listed)), 2)
