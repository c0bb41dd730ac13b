"""The one table from a name in a configuration to the class that does the work."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import assert_never

from clausewise.askers.fluency import CheckedAsker
from clausewise.askers.rewrite import RewriteAsker
from clausewise.askers.template import TemplateAsker
from clausewise.compiler.cues import CueCompiler
from clausewise.compiler.neural import NeuralCompiler
from clausewise.config import EngineConfig, JudgeName, ReaderName, RetrieverName
from clausewise.encoder.pairs import OnnxPairs
from clausewise.encoder.places import shipped_model
from clausewise.encoder.rules import RuleEncoder
from clausewise.engine import Engine
from clausewise.knowledge.reviewed import Reviewed, match_trees
from clausewise.protocols import Judge, Reader, Retriever
from clausewise.readers.compiled import CompiledReader
from clausewise.readers.lexical import LexicalJudge
from clausewise.readers.neural import NeuralJudge
from clausewise.readers.pattern import PatternReader
from clausewise.retrievers.bm25 import Bm25
from clausewise.retrievers.conversational import Conversational
from clausewise.retrievers.coverage import LexicalCoverage
from clausewise.retrievers.fused import Member, ReciprocalRank, WeightedSum
from clausewise.retrievers.pinned import Pinned, tree_texts
from clausewise.retrievers.tfidf import Tfidf
from clausewise.segmenters.clauses import ClauseSegmenter
from clausewise.trees.tree import RuleTree
from clausewise.types import RuleText


def build_engine(
    rules: Sequence[RuleText], *, trees: Sequence[RuleTree], config: EngineConfig
) -> Engine:
    """Return the engine that the configuration describes, over these rules and reviewed trees."""
    reviewed = match_trees(trees, rules=rules)
    return Engine(
        retriever=_retriever(config.retriever, rules=rules, reviewed=reviewed),
        coverage=LexicalCoverage(rules, extra_texts=tree_texts(rules, trees=reviewed)),
        reader=build_reader(config.reader, reviewed=reviewed, judge=config.judge),
        top_k=config.top_k,
        minimum_coverage=config.minimum_coverage,
    )


def build_retriever(
    name: RetrieverName, *, rules: Sequence[RuleText], trees: Sequence[RuleTree]
) -> Retriever:
    """Return the retriever of that name; reviewed trees help it where there are any."""
    return _retriever(name, rules=rules, reviewed=match_trees(trees, rules=rules))


def build_reader(name: ReaderName, *, reviewed: Reviewed, judge: JudgeName = "lexical") -> Reader:
    """Return the reader of that name; the judge is that of `compiled` alone."""
    compiler = CueCompiler(segmenter=ClauseSegmenter(), asker=TemplateAsker())
    match name:
        case "pattern":
            return PatternReader(compiler=compiler)
        case "lexical":
            return CompiledReader(judge=LexicalJudge(), compiler=compiler)
        case "compiled":
            return CompiledReader(judge=build_judge(judge), compiler=compiler, reviewed=reviewed)
        case unexpected:
            assert_never(unexpected)


def build_judge(name: JudgeName) -> Judge:
    """Return the judge of that name; without the shipped model, the one that needs none."""
    folder = shipped_model("judge") if name == "neural" else None
    if folder is None:
        return LexicalJudge()
    return NeuralJudge(answers=LexicalJudge(), model=OnnxPairs.load(folder))


def _retriever(name: RetrieverName, *, rules: Sequence[RuleText], reviewed: Reviewed) -> Retriever:
    texts = tree_texts(rules, trees=reviewed)
    plain = _plain_retriever(name, rules=rules, extra_texts=texts)
    return Pinned(plain, rules=rules, trees=reviewed) if reviewed else plain


def _plain_retriever(
    name: RetrieverName, *, rules: Sequence[RuleText], extra_texts: Mapping[str, Sequence[str]]
) -> Retriever:
    match name:
        case "tfidf":
            return Tfidf.build(rules, extra_texts=extra_texts)
        case "bm25":
            return Bm25.build(rules, extra_texts=extra_texts)
        case "conversational":
            return Conversational(Bm25.build(rules, extra_texts=extra_texts))
        case "fused":
            return WeightedSum(_members(rules, extra_texts=extra_texts), rules=rules)
        case "fused-rank":
            return ReciprocalRank(_members(rules, extra_texts=extra_texts), rules=rules)
        case unexpected:
            assert_never(unexpected)


def _members(
    rules: Sequence[RuleText], *, extra_texts: Mapping[str, Sequence[str]]
) -> tuple[Member, ...]:
    return (
        Member(retriever=Bm25.build(rules, extra_texts=extra_texts)),
        Member(retriever=Tfidf.build(rules, extra_texts=extra_texts), weight=0.25),
    )


def load_compiler(folder: Path, *, asker: Path | None = None) -> NeuralCompiler:
    """Return the trained compiler in a folder; it asks with the asker in another, if given."""
    encoder = RuleEncoder.load(folder)
    template = TemplateAsker()
    if asker is None:
        return NeuralCompiler.load(folder, encoder=encoder, asker=template)
    rewrite = RewriteAsker.load(asker, encoder=encoder)
    checked = CheckedAsker(first=rewrite, fallback=template)
    return NeuralCompiler.load(folder, encoder=encoder, asker=checked)
