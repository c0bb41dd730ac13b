"""What a trained joint reader says of a whole file of samples, many at once, as JSON lines."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from clausewise.datasets.orsharc import Sample, read_samples
from clausewise.errors import DataError, Where
from clausewise.files import write_whole
from clausewise.knowledge.base import KnowledgeBase
from clausewise.progress import Progress, silent
from clausewise.protocols import SpanFinder
from clausewise.readers.transformer.encode import Packer
from clausewise.readers.transformer.finding import Findings, findings
from clausewise.training.reader_run import segmenter_of
from clausewise.training.reader_torch import TorchReaderModel
from clausewise.types import Hit, RuleText

Given = Mapping[str, Sequence[str]]
"""The ids of the rule texts that are read, best first, by the id of the sample."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ReadSample:
    """What a joint reader says of one sample: a line of the file."""

    utterance_id: str
    rules: tuple[RuleText, ...]
    """Those that were read."""
    findings: Findings

    def to_json(self) -> Mapping[str, object]:
        """Return the line's object."""
        span = self.findings.span
        return {
            "utterance_id": self.utterance_id,
            "decision": self.findings.decision.value,
            "span": None
            if span is None
            else {
                "rule_id": span.rule.rule_id,
                "start": span.span.start,
                "end": span.span.end,
            },
            "states": [
                {
                    "rule_id": self.rules[unit.rule].rule_id,
                    "start": unit.span.start,
                    "end": unit.span.end,
                    "state": unit.state.value,
                    "probability": round(unit.probability, 4),
                }
                for unit in self.findings.units
            ],
        }


def predict_file(
    folder: Path,
    *,
    samples: Path,
    rules: Path,
    out: Path,
    hits: Given | None = None,
    spans: SpanFinder | None = None,
    segmenter: Path | None = None,
    batch_size: int = 64,
    progress: Progress = silent,
) -> int:
    """Write what the reader in `folder` says of every sample to `out`; return how many there are.

    `hits` tells which rule texts of `rules` it reads; without, it is given the right one (closed
    book). Where a system doesn't find its own span, `spans` does, for every sample.
    """
    read = read_samples(samples)
    by_id = {rule.rule_id: rule for rule in KnowledgeBase.open(rules)}
    given = [given_rules(sample, rules=by_id, hits=hits) for sample in read]
    model = TorchReaderModel.load(folder)
    found = predict(
        model, read, rules=given, segmenter=segmenter, batch_size=batch_size, progress=progress
    )
    lines = (
        json.dumps(each.to_json(), ensure_ascii=False) + "\n"
        for each in (
            _with_span(one, sample, spans) for one, sample in zip(found, read, strict=True)
        )
    )
    write_whole(out, lines)
    return len(found)


def predict(
    model: TorchReaderModel,
    samples: Sequence[Sample],
    *,
    rules: Sequence[Sequence[RuleText]],
    segmenter: Path | None = None,
    batch_size: int = 64,
    progress: Progress = silent,
) -> list[ReadSample]:
    """Return what a reader says of some samples; `rules` are those that are read, best first."""
    config = model.config
    packer = Packer(
        model.tokenizer,
        segmenter=segmenter_of(config.segmenter, folder=segmenter),
        max_tokens=config.max_tokens,
        layout=config.layout,
    )
    read = [tuple(texts) if config.reads_many else tuple(texts[:1]) for texts in rules]
    packs = [
        packer.pack(sample.dialogue, rules=texts)
        for sample, texts in zip(samples, read, strict=True)
    ]
    scores = model.run_all(packs, size=batch_size, progress=progress)
    return [
        ReadSample(
            utterance_id=sample.utterance_id,
            rules=texts[: packed.rules],
            findings=findings(said, packed, dialogue=sample.dialogue, rules=texts),
        )
        for sample, texts, packed, said in zip(samples, read, packs, scores, strict=True)
    ]


def _with_span(one: ReadSample, sample: Sample, spans: SpanFinder | None) -> ReadSample:
    """Return what was read with the span that the finder finds, if the system finds none."""
    if spans is None or one.findings.span is not None:
        return one
    hits = [Hit(rule=rule, score=1.0) for rule in one.rules]
    span = spans.find(sample.dialogue, hits=hits)
    said = one.findings
    return ReadSample(
        utterance_id=one.utterance_id,
        rules=one.rules,
        findings=Findings(
            decision=said.decision, probability=said.probability, units=said.units, span=span
        ),
    )


def given_rules(
    sample: Sample, *, rules: Mapping[str, RuleText], hits: Given | None
) -> tuple[RuleText, ...]:
    """Return the rule texts that are read for a sample: the hits, or without any the right one."""
    ids = [sample.gold.rule_id] if hits is None else hits.get(sample.utterance_id, ())
    if not ids:
        where = Where(field=f"sample {sample.utterance_id}")
        raise DataError("no rule text is given, expected at least one", where=where)
    for rule_id in ids:
        if rule_id not in rules:
            where = Where(field=f"sample {sample.utterance_id}")
            raise DataError(f"{rule_id!r} is no rule, expected an id of the rules", where=where)
    return tuple(rules[rule_id] for rule_id in ids)
