"""The one table from a name in a configuration to the class that does the work."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from clausewise.askers.template import TemplateAsker
from clausewise.compiler.cues import CueCompiler
from clausewise.config import EngineConfig, ReaderName, RetrieverName
from clausewise.engine import Engine
from clausewise.protocols import Coverage, Reader, Retriever
from clausewise.readers.compiled import CompiledReader
from clausewise.readers.lexical import LexicalJudge
from clausewise.readers.pattern import PatternReader
from clausewise.segmenters.clauses import ClauseSegmenter
from clausewise.trees.tree import RuleTree
from clausewise.types import RuleText

Reviewed = Mapping[str, tuple[RuleTree, ...]]
"""The trees that people wrote or corrected, by the hash of the rule text."""


def build_reader(name: ReaderName, *, reviewed: Reviewed) -> Reader:
    """Return the reader of that name."""
    compiler = CueCompiler(segmenter=ClauseSegmenter(), asker=TemplateAsker())
    match name:
        case "pattern":
            return PatternReader(compiler=compiler)
        case "lexical":
            return CompiledReader(judge=LexicalJudge(), compiler=compiler)
        case "compiled":
            return CompiledReader(judge=LexicalJudge(), compiler=compiler, reviewed=reviewed)
