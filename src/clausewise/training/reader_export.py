"""A trained joint reader as ONNX, in int8 and in full: inference needs no torch."""

from __future__ import annotations

import tempfile
import warnings
from pathlib import Path

import torch
from onnxruntime.quantization import QuantType, quantize_dynamic
from torch import Tensor, nn

from clausewise.readers.transformer.encode import MAX_USER_PIECES
from clausewise.readers.transformer.model import FULL, QUANTISED
from clausewise.training.export import OPSET
from clausewise.training.reader_layers import Inputs, Outputs


class _Flat(nn.Module):
    """A network that takes and returns tensors alone, in order, those that it has."""

    def __init__(self, network: nn.Module) -> None:
        super().__init__()
        self.network = network

    def forward(self, *inputs: Tensor) -> tuple[Tensor, ...]:
        """Return the outputs that the network has."""
        outputs: Outputs = self.network(Inputs(*inputs))
        return tuple(output.float() for output in outputs if output is not None)


def export_reader(network: nn.Module, *, folder: Path) -> None:
    """Write a network into its folder, in int8 and in full."""
    device = next(network.parameters()).device
    folder.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(dir=folder) as scratch:
        full, small = Path(scratch) / FULL, Path(scratch) / QUANTISED
        _write(network.cpu().eval(), path=full)
        quantize_dynamic(full, small, per_channel=True, weight_type=QuantType.QInt8)
        for path in (full, small):
            path.replace(folder / path.name)
    network.to(device)


def _write(network: nn.Module, *, path: Path) -> None:
    config = network.backbone.config
    attention = config._attn_implementation  # noqa: SLF001
    # Plain matrix products instead of one fused call: those are what gets quantised.
    network.backbone.set_attn_implementation("eager")
    example = _example()
    with torch.no_grad():
        outputs: Outputs = network(example)
    names = [name for name, output in outputs._asdict().items() if output is not None]
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # the tracing exporter announces its successor
        torch.onnx.export(
            _Flat(network),
            tuple(example),
            str(path),
            input_names=list(Inputs._fields),
            output_names=names,
            dynamic_axes=_axes(names),
            opset_version=OPSET,
            dynamo=False,
        )
    network.backbone.set_attn_implementation(attention)


def _example() -> Inputs:
    ids = torch.full((2, 12), 5)
    return Inputs(
        input_ids=ids,
        attention_mask=torch.ones_like(ids),
        user_places=torch.tensor([[0, 2, *[-1] * (MAX_USER_PIECES - 2)]] * 2),
        unit_places=torch.tensor([[4, 6, 8]] * 2),
        token_units=torch.tensor([[-1, -1, -1, -1, 0, 0, 1, 1, 2, 2, 2, 2]] * 2),
    )


def _axes(outputs: list[str]) -> dict[str, dict[int, str]]:
    axes = {
        "input_ids": {0: "sequences", 1: "tokens"},
        "attention_mask": {0: "sequences", 1: "tokens"},
        "user_places": {0: "sequences"},
        "unit_places": {0: "sequences", 1: "units"},
        "token_units": {0: "sequences", 1: "tokens"},
        "decision": {0: "sequences"},
        "states": {0: "sequences", 1: "units"},
        "tokens": {0: "sequences", 1: "tokens"},
        "overlap": {0: "sequences"},
    }
    return {name: axes[name] for name in (*Inputs._fields, *outputs)}
