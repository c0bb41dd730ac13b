"""A trained encoder as an int8 ONNX model, with what that costs.

Weights become 8-bit integers, a quarter of the size and about twice as fast on a CPU; activations
are scaled input by input while the model runs. It is not free, so what it costs is measured: on the
vectors (cosine to torch), and on recall where there are samples.
"""

from __future__ import annotations

import tempfile
import warnings
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
import torch
from onnxruntime.quantization import QuantType, quantize_dynamic

from clausewise.encoder.onnx import EncoderConfig, OnnxEncoder
from clausewise.knowledge.base import KnowledgeBase
from clausewise.training.backbone import Backbone, load_backbone
from clausewise.training.encoder import DualEncoder, TorchEncoder
from clausewise.training.manifest import FILE_NAME, Manifest, today
from clausewise.training.run import with_scores

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from clausewise.training.retriever import Development

OPSET = 17


@dataclass(frozen=True, slots=True, kw_only=True)
class ExportReport:
    """What quantisation cost."""

    megabytes: float
    """Of the model's folder."""
    mean_cosine: float
    """Between the vectors of torch and of the exported model, over the probes."""
    lowest_cosine: float
    torch_scores: Mapping[str, float]
    """Recall of the torch model; empty without samples."""
    onnx_scores: Mapping[str, float]


def export_encoder(
    source: Path | str,
    *,
    to: Path,
    probes: Path,
    development: Development | None = None,
    quantised: bool = True,
) -> ExportReport:
    """Write the encoder in a folder, or of a name, as ONNX and return what that cost.

    The vectors are compared on the rules at `probes`, recall on `development`.
    """
    backbone = load_backbone(str(source))
    model = DualEncoder(backbone).eval()
    max_tokens = _max_tokens(backbone)
    to.mkdir(parents=True, exist_ok=True)
    write_onnx(model, path=to / "model.onnx", quantised=quantised)
    backbone.tokenizer.no_padding()
    backbone.tokenizer.save(str(to / "tokenizer.json"))
    EncoderConfig(dimensions=backbone.hidden_size, max_tokens=max_tokens).write(to)
    before = TorchEncoder(model, tokenizer=backbone.tokenizer, max_tokens=max_tokens)
    texts = [rule.text for rule in KnowledgeBase.open(probes)]
    report = _compared(before, OnnxEncoder.load(to), probes=texts, development=development, at=to)
    note = f"{'int8' if quantised else 'float'} ONNX, mean cosine to torch {report.mean_cosine}"
    origin = _origin(str(source))
    with_scores(origin, scores=report.onnx_scores or origin.scores, note=note).write(to)
    return report


def _origin(source: str) -> Manifest:
    """Return what a model's folder says of itself; of a bare backbone, that it is one."""
    if (Path(source) / FILE_NAME).is_file():
        return Manifest.read(Path(source))
    return Manifest(
        model="retriever",
        backbone=source,
        licence="that of the backbone",
        command=f"clausewise export {source}",
        date=today(),
        data=(),
        scores={},
    )


def write_onnx(model: DualEncoder, *, path: Path, quantised: bool) -> None:
    """Write the model to a file; its output is the mean of the hidden states."""
    with tempfile.TemporaryDirectory() as scratch:
        floats = Path(scratch) / "floats.onnx"
        _write_floats(model, path=floats if quantised else path)
        if quantised:
            quantize_dynamic(floats, path, per_channel=True, weight_type=QuantType.QInt8)


def _write_floats(model: DualEncoder, *, path: Path) -> None:
    ids = torch.ones((2, 8), dtype=torch.long)
    axes = {0: "texts", 1: "tokens"}
    attention = model.network.config._attn_implementation  # noqa: SLF001
    # Plain matrix products instead of one fused call: those are what gets quantised.
    model.network.set_attn_implementation("eager")
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # the tracing exporter announces its successor
        torch.onnx.export(
            model,
            (ids, torch.ones_like(ids)),
            str(path),
            input_names=["input_ids", "attention_mask"],
            output_names=["embedding"],
            dynamic_axes={"input_ids": axes, "attention_mask": axes, "embedding": {0: "texts"}},
            opset_version=OPSET,
            dynamo=False,
        )
    model.network.set_attn_implementation(attention)


def _compared(
    before: TorchEncoder,
    after: OnnxEncoder,
    *,
    probes: Sequence[str],
    development: Development | None,
    at: Path,
) -> ExportReport:
    cosines = (before.encode(probes) * after.encode(probes)).sum(axis=1)
    megabytes = sum(file.stat().st_size for file in at.iterdir()) / 1e6
    return ExportReport(
        megabytes=round(megabytes, 1),
        mean_cosine=round(float(np.mean(cosines)), 4),
        lowest_cosine=round(float(np.min(cosines)), 4),
        torch_scores=_scores(before, development),
        onnx_scores=_scores(after, development),
    )


def _scores(
    encoder: TorchEncoder | OnnxEncoder, development: Development | None
) -> Mapping[str, float]:
    return development.scores(encoder) if development else {}


def _max_tokens(backbone: Backbone) -> int:
    truncation = backbone.tokenizer.truncation
    return int(truncation["max_length"]) if truncation else 256
