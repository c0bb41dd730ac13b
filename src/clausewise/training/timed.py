"""The papers' systems with random weights, to be timed: what they would cost once trained.

A network takes as long whatever its weights are; only how long a question gets depends on them, so
questions are written to a fixed length.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import get_args

import torch
from tokenizers import Tokenizer
from transformers import (
    AutoModel,
    BartConfig,
    BartForConditionalGeneration,
    BertConfig,
    PretrainedConfig,
    RobertaConfig,
)

from clausewise.askers.editor import EditorAsker, EditorConfig
from clausewise.askers.span import SpanModelConfig
from clausewise.askers.writing import BEGIN, END, UNKNOWN
from clausewise.build import load_span_finder
from clausewise.config import SegmenterName
from clausewise.evaluation.speed.turns import TimedSystem, TimedTurn
from clausewise.protocols import Asker, Segmenter, SpanFinder
from clausewise.readers.transformer.config import ReaderModelConfig, SystemName
from clausewise.readers.transformer.encode import Packer
from clausewise.readers.transformer.finding import findings
from clausewise.readers.transformer.model import QUANTISED, OnnxReaderModel
from clausewise.readers.transformer.reader import ReaderModel
from clausewise.readers.transformer.tokens import PieceTokenizer
from clausewise.training.backbone import Backbone
from clausewise.training.editor import TorchEdits
from clausewise.training.editor_network import EditorNetwork
from clausewise.training.editor_run import save_editor
from clausewise.training.reader_export import export_reader
from clausewise.training.reader_network import network_of
from clausewise.training.reader_torch import TorchReaderModel
from clausewise.training.seq2seq import source_of
from clausewise.training.span import SpanNetwork, sentence_packer
from clausewise.training.span_run import export_spans
from clausewise.training.span_torch import TorchSpanFinder
from clausewise.trees.values import Span
from clausewise.types import FoundSpan, RuleText

SYSTEMS: tuple[SystemName, ...] = get_args(SystemName)
TORCH, INT8 = "torch fp32", "ONNX int8"
_OWN_SPANS = ("emt", "e3")
_QUESTION_TOKENS = 16
"""Of a follow-up question; OR-ShARC's have 13 words on average."""
_BEAMS = 4
_WRITTEN_WORDS = 300
"""How many words an editor knows, about as many as a trained one."""


def default_shape(tokenizer: Tokenizer) -> PretrainedConfig:
    """Return the shape of the default backbone, all-MiniLM-L6-v2."""
    return BertConfig(
        vocab_size=tokenizer.get_vocab_size(),
        hidden_size=384,
        num_hidden_layers=6,
        num_attention_heads=12,
        intermediate_size=1536,
        max_position_embeddings=512,
    )


def roberta_base_shape() -> PretrainedConfig:
    """Return the shape of RoBERTa-base, the papers' backbone."""
    return RobertaConfig(
        vocab_size=50_265, max_position_embeddings=514, type_vocab_size=1, pad_token_id=1
    )


def bart_base_shape() -> PretrainedConfig:
    """Return the shape of BART-base, the papers' rewriter."""
    return BartConfig(
        vocab_size=50_265,
        d_model=768,
        encoder_layers=6,
        decoder_layers=6,
        encoder_attention_heads=12,
        decoder_attention_heads=12,
        encoder_ffn_dim=3072,
        decoder_ffn_dim=3072,
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class Bench:
    """What all the timed systems share."""

    tokenizer: Tokenizer
    segmenter: Segmenter
    segmenter_name: SegmenterName
    asker: Asker
    """Writes the questions of the systems with the default backbone."""
    folder: Path
    """Where exported networks are written."""
    max_tokens: int = 512

    def systems(
        self, names: Sequence[SystemName], *, shape: PretrainedConfig | None = None
    ) -> Iterator[TimedSystem]:
        """Yield these systems with a backbone of this shape, in torch and as ONNX in int8."""
        shape = shape or default_shape(self.tokenizer)
        finder = self._span_network(shape)
        spans, exported = self._span_finders(finder)
        for name in names:
            config = ReaderModelConfig(
                system=name, segmenter=self.segmenter_name, max_tokens=self.max_tokens
            )
            network = network_of(self._backbone(shape).network, config=config).eval()
            pieces = PieceTokenizer(self.tokenizer)
            reader = TorchReaderModel(network, config=config, tokenizer=pieces)
            folder = self.folder / name
            reader.save(folder)
            self.tokenizer.save(str(folder / "tokenizer.json"))
            export_reader(network, folder=folder)
            small = OnnxReaderModel.load(folder)
            own = name in _OWN_SPANS
            for form, model, found in ((TORCH, reader, spans), (INT8, small, exported)):
                asker, asker_mb = self._asker(name, form)
                sizes = (
                    _weights_mb(network) if form == TORCH else _file_mb(folder / QUANTISED),
                    0.0 if own else self._finder_mb(finder, form),
                    asker_mb,
                )
                yield self._timed(
                    name, form, model, asker=asker, spans=None if own else found, size=sum(sizes)
                )

    def as_in_the_paper(self) -> TimedSystem:
        """Return MUDERN with RoBERTa-base and BART-base, in torch."""
        shape = roberta_base_shape()
        config = ReaderModelConfig(segmenter=self.segmenter_name, max_tokens=self.max_tokens)
        network = network_of(self._backbone(shape).network, config=config).eval()
        pieces = PieceTokenizer(self.tokenizer)
        reader = TorchReaderModel(network, config=config, tokenizer=pieces)
        finder = self._span_network(shape)
        rewriter = BartForConditionalGeneration(bart_base_shape()).eval()
        return self._timed(
            "mudern as in the paper",
            TORCH,
            reader,
            asker=_Rewriter(rewriter, tokenizer=pieces),
            spans=TorchSpanFinder(finder, packer=sentence_packer(pieces, self.max_tokens)),
            size=sum(map(_weights_mb, (network, finder, rewriter))),
        )

    def _timed(
        self,
        name: str,
        form: str,
        model: ReaderModel,
        *,
        asker: Asker,
        spans: SpanFinder | None,
        size: float,
    ) -> TimedSystem:
        packer = Packer(
            PieceTokenizer(self.tokenizer),
            segmenter=self.segmenter,
            max_tokens=self.max_tokens,
            layout=model.config.layout,
        )

        def decide(turn: TimedTurn) -> FoundSpan | None:
            hits = turn.hits if model.config.reads_many else turn.hits[:1]
            rules = [hit.rule for hit in hits]
            packed = packer.pack(turn.dialogue, rules=rules)
            said = model.run(packed)
            return findings(said, packed, dialogue=turn.dialogue, rules=rules).span

        def ask(turn: TimedTurn, span: FoundSpan | None) -> str:
            hits = turn.hits if model.config.reads_many else turn.hits[:1]
            found = span if spans is None else spans.find(turn.dialogue, hits=hits)
            assert found is not None
            return asker.ask(found.span, rule=found.rule)

        def cut(turn: TimedTurn) -> None:
            for hit in turn.hits:
                self.segmenter.segment(hit.rule.text)  # which it remembers

        return TimedSystem(name=name, form=form, size_mb=size, decide=decide, ask=ask, prepare=cut)

    def _backbone(self, shape: PretrainedConfig) -> Backbone:
        network = AutoModel.from_config(shape, add_pooling_layer=False)
        return Backbone(
            network=network,
            tokenizer=self.tokenizer,
            hidden_size=shape.hidden_size,
            layers=shape.num_hidden_layers,
        )

    def _span_network(self, shape: PretrainedConfig) -> SpanNetwork:
        network = SpanNetwork(self._backbone(shape).network, size=shape.hidden_size)
        network.eval()
        return network

    def _span_finders(self, network: SpanNetwork) -> tuple[SpanFinder, SpanFinder]:
        """Return a span finder in torch, and as ONNX in int8."""
        packer = sentence_packer(PieceTokenizer(self.tokenizer), self.max_tokens)
        folder = self.folder / "span"
        folder.mkdir(parents=True, exist_ok=True)
        SpanModelConfig(max_tokens=self.max_tokens).write(folder)
        self.tokenizer.save(str(folder / "tokenizer.json"))
        export_spans(network, folder=folder)
        return TorchSpanFinder(network, packer=packer), load_span_finder(folder)

    def _finder_mb(self, network: SpanNetwork, form: str) -> float:
        return _weights_mb(network) if form == TORCH else _file_mb(self.folder / "span" / QUANTISED)

    def _asker(self, system: SystemName, form: str) -> tuple[Asker, float]:
        """Return who asks for a system and how large that is; the shared one counts for nothing."""
        if system != "e3":
            return self.asker, 0.0
        words = tuple(f"word{number}" for number in range(_WRITTEN_WORDS))
        config = EditorConfig(vocabulary=(BEGIN, END, UNKNOWN, *words))
        pieces = torch.randn(self.tokenizer.get_vocab_size(), 384)
        network = EditorNetwork(pieces, vocabulary=len(config.vocabulary), width=192)
        for side in network.sides.values():
            side.bias.data[1] = -1e4  # never the end before the longest that may be
        if form == TORCH:
            edits = TorchEdits(network)
            asker = EditorAsker(edits, tokenizer=self.tokenizer, config=config)
            return asker, _weights_mb(network)
        folder = self.folder / "editor"
        save_editor(network, tokenizer=self.tokenizer, config=config, folder=folder)
        return EditorAsker.load(folder), sum(map(_file_mb, folder.glob("*.onnx")))


class _Rewriter:
    """Writes a question with a sequence model, four beams wide, to a fixed length."""

    def __init__(self, model: BartForConditionalGeneration, *, tokenizer: PieceTokenizer) -> None:
        self._model = model
        self._tokenizer = tokenizer

    def ask(self, span: Span, *, rule: RuleText) -> str:
        """Return what random weights write: as long as a question, and as slowly."""
        ids = torch.tensor([self._tokenizer.tokens(source_of(span, rule.text)).ids[:256]])
        with torch.no_grad():
            written = self._model.generate(
                input_ids=ids,
                attention_mask=torch.ones_like(ids),
                num_beams=_BEAMS,
                min_new_tokens=_QUESTION_TOKENS,
                max_new_tokens=_QUESTION_TOKENS,
            )
        return str(written[0].tolist())


def _weights_mb(network: torch.nn.Module) -> float:
    size: float = sum(one.numel() * one.element_size() for one in network.parameters()) / 1e6
    return size


def _file_mb(path: Path) -> float:
    return path.stat().st_size / 1e6
