"""The trained networks of compiler and asker as int8 ONNX graphs."""

from __future__ import annotations

import tempfile
import warnings
from pathlib import Path

import torch
from onnxruntime.quantization import QuantType, quantize_dynamic
from torch import Tensor, nn

from clausewise.askers.copying import SIGNS
from clausewise.compiler.signs import PAIR_SIGNS, SPAN_SIGNS
from clausewise.training.export import OPSET
from clausewise.training.question_network import Memory, QuestionNetwork, WriterState
from clausewise.training.rule_network import RuleNetwork

_WORDS, _PIECES = 7, 9
"""Sizes of the examples that graphs are traced with; the graphs take any."""


class _Encode(nn.Module):
    def __init__(self, network: RuleNetwork) -> None:
        super().__init__()
        self.network = network

    def forward(
        self, input_ids: Tensor, marks: Tensor, firsts: Tensor, word_marks: Tensor
    ) -> tuple[Tensor, Tensor, Tensor]:
        states = self.network(input_ids, torch.ones_like(input_ids), marks, firsts, word_marks)
        return states.vectors, states.summary, states.tags


class _Join(nn.Module):
    def __init__(self, network: RuleNetwork) -> None:
        super().__init__()
        self.network = network

    def forward(self, *inputs: Tensor) -> tuple[Tensor, Tensor]:
        return self.network.join(*inputs)


class _Begin(nn.Module):
    def __init__(self, network: QuestionNetwork) -> None:
        super().__init__()
        self.network = network

    def forward(self, vectors: Tensor, places: Tensor) -> tuple[Tensor, ...]:
        memory, state = self.network.begin(vectors, places)
        kept = (memory.vectors, memory.attention_keys, memory.copy_keys)
        return (*kept, state.lower, state.upper)


class _Step(nn.Module):
    def __init__(self, network: QuestionNetwork) -> None:
        super().__init__()
        self.network = network

    def forward(  # noqa: PLR0917 - exported graphs take their inputs by place
        self,
        memory: Tensor,
        attention_keys: Tensor,
        copy_keys: Tensor,
        lower: Tensor,
        upper: Tensor,
        word: Tensor,
        taken: Tensor,
        signs: Tensor,
    ) -> tuple[Tensor, ...]:
        scores, after = self.network(
            Memory(vectors=memory, attention_keys=attention_keys, copy_keys=copy_keys),
            WriterState(lower=lower, upper=upper),
            words=word.unsqueeze(1),
            taken=taken.unsqueeze(1),
            signs=signs.unsqueeze(1),
            known=torch.ones_like(taken, dtype=torch.bool),
        )
        return scores.squeeze(1), after.lower, after.upper


def export_rules(network: RuleNetwork, *, folder: Path, quantised: bool = True) -> None:
    """Write encoder.onnx and logic.onnx into a folder."""
    network.eval()
    size = network.marks.embedding_dim
    ids = torch.ones((1, _PIECES), dtype=torch.long)
    words = torch.arange(_WORDS).unsqueeze(0)
    attention = network.backbone.config._attn_implementation  # noqa: SLF001
    # Plain matrix products instead of one fused call: those are what gets quantised.
    network.backbone.set_attn_implementation("eager")
    write_graph(
        _Encode(network),
        (ids, ids, words, words),
        path=folder / "encoder.onnx",
        inputs={"input_ids": (1,), "marks": (1,), "firsts": (1,), "word_marks": (1,)},
        outputs={"vectors": (1,), "summary": (), "tags": (1,)},
        quantised=quantised,
    )
    network.backbone.set_attn_implementation(attention)
    spans = torch.tensor([[0, 2], [3, 5], [5, 7]])
    write_graph(
        _Join(network),
        (
            torch.randn(_WORDS, size),
            torch.randn(size),
            spans,
            torch.zeros(3, SPAN_SIGNS),
            torch.tensor([[0, 1], [1, 2]]),
            torch.zeros(2, PAIR_SIGNS),
        ),
        path=folder / "logic.onnx",
        inputs={
            "vectors": (0,),
            "summary": (),
            "spans": (0,),
            "span_signs": (0,),
            "pairs": (0,),
            "pair_signs": (0,),
        },
        outputs={"negated": (0,), "by_or": (0,)},
        quantised=quantised,
    )


def export_questions(
    network: QuestionNetwork, *, folder: Path, dimensions: int, quantised: bool = True
) -> None:
    """Write begin.onnx and step.onnx into a folder."""
    network.eval()
    places = torch.tensor([[0, 2, 1, 1, 0, 0, 0]])
    begun = _Begin(network)(torch.randn(1, _WORDS, dimensions), places)
    write_graph(
        _Begin(network),
        (torch.randn(1, _WORDS, dimensions), places),
        path=folder / "begin.onnx",
        inputs={"vectors": (1,), "places": (1,)},
        outputs={
            **dict.fromkeys(("memory", "attention_keys", "copy_keys"), (1,)),
            **dict.fromkeys(("lower", "upper"), ()),
        },
        quantised=quantised,
    )
    rows = 2
    states = [part.expand(rows, -1) for part in begun[3:]]
    write_graph(
        _Step(network),
        (
            *begun[:3],
            *states,
            torch.ones(rows, dtype=torch.long),
            torch.zeros(rows, _WORDS),
            torch.zeros(rows, _WORDS, SIGNS),
        ),
        path=folder / "step.onnx",
        inputs={
            **dict.fromkeys(("memory", "attention_keys", "copy_keys"), (1,)),
            **dict.fromkeys(("lower", "upper", "word"), (0,)),
            "taken": (0, 1),
            "signs": (0, 1),
        },
        outputs={"scores": (0, 1), **dict.fromkeys(("next_lower", "next_upper"), (0,))},
        quantised=quantised,
    )


def write_graph(
    module: nn.Module,
    example: tuple[Tensor, ...],
    *,
    path: Path,
    inputs: dict[str, tuple[int, ...]],
    outputs: dict[str, tuple[int, ...]],
    quantised: bool,
) -> None:
    """Write a graph; `inputs` and `outputs` name the axes of any size of each."""
    module.eval()  # or the exporter would put back the mode that a new module begins in
    axes = {name: list(free) for name, free in {**inputs, **outputs}.items() if free}
    with tempfile.TemporaryDirectory() as scratch, warnings.catch_warnings():
        warnings.simplefilter("ignore")  # the tracing exporter announces its successor
        floats = Path(scratch) / "floats.onnx" if quantised else path
        torch.onnx.export(
            module,
            example,
            str(floats),
            input_names=list(inputs),
            output_names=list(outputs),
            dynamic_axes=axes,
            opset_version=OPSET,
            dynamo=False,
        )
        if quantised:
            quantize_dynamic(floats, path, per_channel=True, weight_type=QuantType.QInt8)
