"""Joint readers as torch runs them: many sequences at once, on whichever device is there."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import torch
from safetensors.torch import load_file, save_file
from torch import nn
from transformers import AutoConfig

from clausewise.errors import ConfigError, Where
from clausewise.progress import Progress, silent
from clausewise.readers.transformer.config import ReaderModelConfig
from clausewise.readers.transformer.encode import Packed
from clausewise.readers.transformer.scores import Scores
from clausewise.readers.transformer.tokens import PieceTokenizer
from clausewise.training.backbone import network_from
from clausewise.training.batching import by_length
from clausewise.training.reader_batches import inputs_of
from clausewise.training.reader_layers import Inputs, Outputs
from clausewise.training.reader_network import network_of

WEIGHTS = "model.safetensors"
BACKBONE = "backbone"
"""The folder with the shape of the backbone, as transformers writes it."""


class TorchReaderModel:
    """A network that may still learn, behind the method of an exported one."""

    def __init__(
        self, network: nn.Module, *, config: ReaderModelConfig, tokenizer: PieceTokenizer
    ) -> None:
        self.network = network
        self.config = config
        self.tokenizer = tokenizer

    @classmethod
    def load(cls, folder: Path, *, device: str = "") -> TorchReaderModel:
        """Return the trained network in a folder; on the accelerator that torch sees, if any."""
        config = ReaderModelConfig.read(folder)
        if not (folder / WEIGHTS).is_file():
            message = f"holds no {WEIGHTS}, expected a folder of `clausewise train reader`"
            raise ConfigError(message, where=Where(file=str(folder)))
        shape = AutoConfig.from_pretrained(folder / BACKBONE)
        network = network_of(network_from(shape), config=config)
        network.load_state_dict(load_file(folder / WEIGHTS))
        network.to(device or ("cuda" if torch.cuda.is_available() else "cpu"))
        return cls(network.eval(), config=config, tokenizer=PieceTokenizer.load(folder))

    def save(self, folder: Path) -> None:
        """Write the network into a folder that `load` reads; its tokenizer goes there apart."""
        folder.mkdir(parents=True, exist_ok=True)
        self.config.write(folder)
        self.network.backbone.config.save_pretrained(folder / BACKBONE)
        weights = {
            name: tensor.detach().cpu().contiguous()
            for name, tensor in self.network.state_dict().items()
        }
        save_file(weights, folder / WEIGHTS, metadata={"format": "pt"})

    def run(self, packed: Packed) -> Scores:
        """Return what the network says of one sequence."""
        (scores,) = self.run_all([packed])
        return scores

    def run_all(
        self, packs: Sequence[Packed], *, size: int = 64, progress: Progress = silent
    ) -> list[Scores]:
        """Return what the network says of many sequences, in their order."""
        self.network.eval()
        device = next(self.network.parameters()).device
        found: dict[int, Scores] = {}
        groups = by_length([len(packed.ids) for packed in packs], size=size)
        for group in progress(groups, label="Reading", total=len(groups)):
            inputs = inputs_of([packs[place] for place in group], filling=self.tokenizer.filling)
            outputs = self._outputs(on(inputs, device))
            for row, place in enumerate(group):
                found[place] = _scores(outputs, row=row, packed=packs[place])
        return [found[place] for place in range(len(packs))]

    @torch.no_grad()
    def _outputs(self, inputs: Inputs) -> Outputs:
        device = inputs.input_ids.device.type
        with torch.autocast(device, dtype=torch.bfloat16, enabled=device == "cuda"):
            outputs: Outputs = self.network(inputs)
        return Outputs(
            *(None if output is None else output.detach().float().cpu() for output in outputs)
        )


def on(inputs: Inputs, device: torch.device) -> Inputs:
    """Return the tensors on a device."""
    return Inputs(*(tensor.to(device, non_blocking=True) for tensor in inputs))


def _scores(outputs: Outputs, *, row: int, packed: Packed) -> Scores:
    """Return what is said of one sequence of a batch, without filling."""
    return Scores(
        decision=outputs.decision[row].numpy(),
        states=None if outputs.states is None else outputs.states[row, : len(packed.units)].numpy(),
        tokens=None if outputs.tokens is None else outputs.tokens[row, : len(packed.ids)].numpy(),
        overlap=None if outputs.overlap is None else outputs.overlap[row].numpy(),
    )
