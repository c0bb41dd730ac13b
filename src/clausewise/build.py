"""The one table from a name in a configuration to the class that does the work."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import assert_never

from clausewise.askers.fluency import CheckedAsker
from clausewise.askers.rewrite import RewriteAsker
from clausewise.askers.span import NeuralSpanFinder, OnnxSpans, SpanModelConfig
from clausewise.askers.template import TemplateAsker
from clausewise.compiler.cues import CueCompiler
from clausewise.compiler.kept import KeepingCompiler
from clausewise.compiler.neural import NeuralCompiler
from clausewise.config import (
    CompilerName,
    EngineConfig,
    JudgeName,
    RetrieverName,
    SegmenterName,
)
from clausewise.encoder.onnx import OnnxEncoder
from clausewise.encoder.pairs import OnnxPairs
from clausewise.encoder.places import shipped_model, tree_cache, vector_cache
from clausewise.encoder.rules import RuleEncoder
from clausewise.encoder.units import OnnxUnits
from clausewise.engine import Engine
from clausewise.errors import ConfigError, Where
from clausewise.knowledge.reviewed import Reviewed, match_trees
from clausewise.progress import Progress
from clausewise.protocols import (
    Asker,
    Compiler,
    Coverage,
    Judge,
    Reader,
    Retriever,
    Segmenter,
    SpanFinder,
)
from clausewise.readers.compiled import CompiledReader
from clausewise.readers.lexical import LexicalJudge
from clausewise.readers.neural import NeuralJudge
from clausewise.readers.pattern import PatternReader
from clausewise.readers.transformer.config import SystemName
from clausewise.readers.transformer.encode import Packer
from clausewise.readers.transformer.model import FULL, QUANTISED, OnnxReaderModel
from clausewise.readers.transformer.reader import JointReader
from clausewise.readers.transformer.tokens import PieceTokenizer
from clausewise.retrievers.bm25 import Bm25
from clausewise.retrievers.calibrated import CalibratedCoverage, CoverageWeights
from clausewise.retrievers.conversational import Conversational
from clausewise.retrievers.coverage import LexicalCoverage
from clausewise.retrievers.dense import Dense
from clausewise.retrievers.dprpp import DprPlusPlus
from clausewise.retrievers.fused import Member, ReciprocalRank, WeightedSum
from clausewise.retrievers.hybrid import Hybrid
from clausewise.retrievers.pinned import Pinned, tree_texts
from clausewise.retrievers.tfidf import Tfidf
from clausewise.segmenters.clauses import ClauseSegmenter
from clausewise.segmenters.neural import NeuralSegmenter
from clausewise.segmenters.sentences import SentenceSegmenter
from clausewise.trees.tree import RuleTree
from clausewise.types import RuleText

_WITH_VECTORS = ("dense", "dpr++", "conversational")


def build_engine(
    rules: Sequence[RuleText],
    *,
    trees: Sequence[RuleTree],
    config: EngineConfig,
    compiled: Sequence[RuleTree] = (),
    compiling: Progress | None = None,
) -> Engine:
    """Return the engine that the configuration describes, over these rules and reviewed trees.

    `compiled` are trees that a compiler made before. Rules without any tree are compiled when they
    are first read; with `compiling`, which watches it, all of them now.
    """
    reviewed = match_trees(trees, rules=rules)
    trees_of = Trees(reviewed=reviewed, compiled=match_trees(compiled, rules=rules))
    index = Index(rules, reviewed=reviewed)
    return Engine(
        retriever=index.retriever(config.retriever),
        coverage=index.coverage(config.retriever),
        reader=_reader(config, rules=rules, trees=trees_of, compiling=compiling),
        top_k=config.top_k,
        minimum_coverage=config.minimum_coverage,
    )


def build_retriever(
    name: RetrieverName, *, rules: Sequence[RuleText], trees: Sequence[RuleTree]
) -> Retriever:
    """Return the retriever of that name; reviewed trees help it where there are any."""
    return Index(rules, reviewed=match_trees(trees, rules=rules)).retriever(name)


@dataclass(frozen=True, slots=True, kw_only=True)
class Trees:
    """The trees of a body of rules, by the content hash of their rule text."""

    reviewed: Reviewed
    compiled: Reviewed


def _reader(
    config: EngineConfig, *, rules: Sequence[RuleText], trees: Trees, compiling: Progress | None
) -> Reader:
    compiler = build_compiler("cues")
    match config.reader:
        case "pattern":
            return PatternReader(compiler=compiler)
        case "lexical":
            return CompiledReader(judge=LexicalJudge(), compiler=compiler)
        case "compiled":
            return CompiledReader(
                judge=build_judge(config.judge),
                compiler=_compiler(config.compiler, rules=rules, trees=trees, compiling=compiling),
                reviewed=trees.reviewed,
                compiled={of: found[0] for of, found in trees.compiled.items()},
            )
        case "mudern" | "mp" | "discern" | "emt" | "e3" as system:
            return _joint_reader(system, config=config)
        case unexpected:
            assert_never(unexpected)


def _compiler(
    name: CompilerName, *, rules: Sequence[RuleText], trees: Trees, compiling: Progress | None
) -> Compiler:
    """Return the compiler of the rules without a tree, having compiled them where that is asked."""
    compiler = build_compiler(name)
    if compiling is not None and isinstance(compiler, KeepingCompiler):
        known = {**trees.compiled, **trees.reviewed}
        compiler.prepare(
            [rule for rule in rules if rule.content_hash not in known], progress=compiling
        )
    return compiler


def _joint_reader(system: SystemName, *, config: EngineConfig) -> JointReader:
    if config.reader_model is None:
        message = f"{system!r} needs a trained model, expected its folder (--reader-model)"
        raise ConfigError(message, where=Where(field="reader_model"))
    spans = None if config.span_model is None else load_span_finder(config.span_model)
    reader = load_reader(config.reader_model, spans=spans)
    if reader.model.config.system != system:
        message = f"is a reader {reader.model.config.system!r}, expected {system!r}"
        raise ConfigError(message, where=Where(file=str(config.reader_model)))
    return reader


def load_reader(
    folder: Path, *, spans: SpanFinder | None = None, quantised: bool = True
) -> JointReader:
    """Return the trained joint reader in a folder; `spans` finds what to ask about for some."""
    model = OnnxReaderModel.load(folder, quantised=quantised)
    packer = Packer(
        model.tokenizer,
        segmenter=build_segmenter(model.config.segmenter),
        max_tokens=model.config.max_tokens,
        layout=model.config.layout,
    )
    return JointReader(
        model=model, packer=packer, asker=build_asker(), template=TemplateAsker(), spans=spans
    )


def build_judge(name: JudgeName) -> Judge:
    """Return the judge of that name; without the shipped model, the one that needs none."""
    folder = shipped_model("judge") if name == "neural" else None
    if folder is None:
        return LexicalJudge()
    model = OnnxPairs.load(folder)
    return NeuralJudge(answers=LexicalJudge(), model=model, asks_about=model.config.asks_about)


def build_compiler(name: CompilerName) -> Compiler:
    """Return the compiler of that name; without the shipped model, the one that needs none.

    The shipped one is loaded when the first rule needs it, and its trees are kept on disk.
    """
    folder = shipped_model("compiler") if name == "neural" else None
    if folder is None:
        return CueCompiler(segmenter=build_segmenter("clauses"), asker=TemplateAsker())
    asker = shipped_model("asker")
    models = [folder] if asker is None else [folder, asker]
    return KeepingCompiler(
        load=lambda: load_compiler(folder, asker=asker), folder=lambda: tree_cache(models)
    )


def build_segmenter(name: SegmenterName) -> Segmenter:
    """Return the segmenter of that name; `neural` needs the model that ships."""
    match name:
        case "clauses":
            return ClauseSegmenter()
        case "sentences":
            return SentenceSegmenter()
        case "neural":
            folder = shipped_model("segmenter")
            if folder is None:
                message = "needs the model that ships in models/segmenter, which is not there"
                raise ConfigError(message, where=Where(field="segmenter"))
            return load_segmenter(folder)
        case unexpected:
            assert_never(unexpected)


def load_segmenter(folder: Path) -> NeuralSegmenter:
    """Return the trained segmenter in a folder."""
    tagger = OnnxUnits.load(folder)
    return NeuralSegmenter(tagger=tagger, threshold=tagger.config.threshold)


def load_span_finder(folder: Path, *, quantised: bool = True) -> NeuralSpanFinder:
    """Return the trained span finder in a folder."""
    config = SpanModelConfig.read(folder)
    packer = Packer(
        PieceTokenizer.load(folder), segmenter=SentenceSegmenter(), max_tokens=config.max_tokens
    )
    network = OnnxSpans.load(folder / (QUANTISED if quantised else FULL))
    return NeuralSpanFinder(network=network, packer=packer)


class Index:
    """What retrievers and coverage find rules by; made once for both, and only when needed."""

    def __init__(self, rules: Sequence[RuleText], *, reviewed: Reviewed) -> None:
        self._rules = rules
        self._reviewed = reviewed
        self._texts = tree_texts(rules, trees=reviewed)
        self._model = shipped_model("retriever")

    def retriever(self, name: RetrieverName) -> Retriever:
        """Return the retriever of that name; reviewed trees help it where there are any."""
        plain = self._plain(name)
        if not self._reviewed:
            return plain
        return Pinned(plain, rules=self._rules, trees=self._reviewed)

    def coverage(self, name: RetrieverName) -> Coverage:
        """Return what tells whether the hits of that retriever cover a question."""
        if name not in _WITH_VECTORS or self._model is None:
            return LexicalCoverage(self._rules, extra_texts=self._texts)
        weights = CoverageWeights.read(self._model, encoder=self._encoder.name)
        return CalibratedCoverage(dense=self._dense, weights=weights, extra_texts=self._texts)

    def _plain(self, name: RetrieverName) -> Retriever:  # noqa: PLR0911 - a table
        match name:
            case "tfidf":
                return self._tfidf
            case "bm25":
                return self._bm25
            case "fused":
                return WeightedSum(self._members, rules=self._rules)
            case "fused-rank":
                return ReciprocalRank(self._members, rules=self._rules)
            case "dense":
                return self._dense
            case "dpr++":
                return DprPlusPlus(tfidf=self._tfidf, dense=self._dense)
            case "conversational" if self._model is not None:
                return Hybrid(words=self._bm25, dense=self._dense)
            case "conversational" | "conversational-lexical":
                return Conversational(self._bm25)
            case unexpected:
                assert_never(unexpected)

    @cached_property
    def _tfidf(self) -> Tfidf:
        return Tfidf.build(self._rules, extra_texts=self._texts)

    @cached_property
    def _bm25(self) -> Bm25:
        return Bm25.build(self._rules, extra_texts=self._texts)

    @cached_property
    def _members(self) -> tuple[Member, ...]:
        return (Member(retriever=self._bm25), Member(retriever=self._tfidf, weight=0.25))

    @cached_property
    def _encoder(self) -> OnnxEncoder:
        if self._model is None:
            message = "needs the model that ships in models/retriever, which is not there"
            raise ConfigError(message, where=Where(field="retriever"))
        return OnnxEncoder.load(self._model)

    @cached_property
    def _dense(self) -> Dense:
        cache = vector_cache(rule.rule_id for rule in self._rules)
        return Dense.build(self._rules, encoder=self._encoder, cache=cache)


def build_asker() -> Asker:
    """Return the asker that ships; without its models, the template that needs none."""
    compiler, asker = shipped_model("compiler"), shipped_model("asker")
    if compiler is None or asker is None:
        return TemplateAsker()
    return load_asker(asker, encoder=RuleEncoder.load(compiler))


def load_asker(folder: Path, *, encoder: RuleEncoder) -> CheckedAsker:
    """Return the trained asker in a folder, over the encoder that it was trained with."""
    template = TemplateAsker()
    rewrite = RewriteAsker.load(folder, encoder=encoder, template=template)
    return CheckedAsker(first=rewrite, fallback=template)


def load_compiler(folder: Path, *, asker: Path | None = None) -> NeuralCompiler:
    """Return the trained compiler in a folder; it asks with the asker in another, if given."""
    encoder = RuleEncoder.load(folder)
    asks = TemplateAsker() if asker is None else load_asker(asker, encoder=encoder)
    return NeuralCompiler.load(folder, encoder=encoder, asker=asks)
