"""What `config.json` of a joint reader's folder says: which system it is, and what it reads."""

from __future__ import annotations

import json
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Literal, get_args

from clausewise.errors import ConfigError, Where
from clausewise.readers.transformer.encode import Layout

FORMAT = 1
SystemName = Literal["mudern", "mp", "discern", "emt", "e3"]
"""The papers' joint readers."""
UnitsName = Literal["neural", "clauses", "sentences"]
"""The segmenters whose units can be read."""
HeadName = Literal["mudern", "discern"]
"""What decides: a summary of dialogue and units, or of the units and their states alone."""
_LAYOUTS: dict[str, Layout] = {"mp": Layout.JOINED, "e3": Layout.RULE_INSIDE}


@dataclass(frozen=True, slots=True, kw_only=True)
class ReaderModelConfig:
    """Everything that tells one joint reader from another, besides its weights."""

    system: SystemName = "mudern"
    """Whose reader it is."""
    segmenter: UnitsName = "neural"
    """What cuts rule texts into units."""
    max_tokens: int = 512
    """The longest sequence."""
    layers: int = 4
    """Of the transformer between pieces, in `mudern` and `discern`; 0 leaves it out."""
    head: HeadName = "mudern"
    """Of `mudern`; `discern` always has its own."""
    entails: bool = True
    """Whether units have a state, in `mudern`; without, nothing but the decision is learned."""
    format: int = FORMAT

    def __post_init__(self) -> None:
        if self.layers < 0:
            message = f"{self.layers} is no number of layers, expected at least 0"
            raise ConfigError(message, where=Where(field="layers"))
        if self.max_tokens < 32:
            message = f"{self.max_tokens} tokens hold no dialogue, expected at least 32"
            raise ConfigError(message, where=Where(field="max_tokens"))

    @property
    def layout(self) -> Layout:
        """How the sequence is laid out."""
        return _LAYOUTS.get(self.system, Layout.PIECES)

    @property
    def reads_many(self) -> bool:
        """Whether several rule texts are read; the other systems read the best one."""
        return self.system in ("mudern", "mp")

    @property
    def state_head(self) -> bool:
        """Whether the decision is made as in DISCERN, from units and their states alone."""
        return self.system == "discern" or (self.system == "mudern" and self.head == "discern")

    @property
    def has_states(self) -> bool:
        """Whether the units get a state."""
        match self.system:
            case "mudern":
                return self.entails or self.state_head
            case "discern" | "emt":
                return True
            case _:
                return False

    @classmethod
    def read(cls, folder: Path) -> ReaderModelConfig:
        """Return the configuration in a folder; ConfigError where there is none of this format."""
        path = folder / "config.json"
        try:
            config = cls(**json.loads(path.read_text("utf-8")))
        except (OSError, ValueError, TypeError) as error:
            message = (
                f"is no joint reader ({error}), expected a folder of `clausewise train reader`"
            )
            raise ConfigError(message, where=Where(file=str(path))) from error
        if config.format != FORMAT:
            message = f"is {config.format!r}, expected {FORMAT}: train the reader again"
            raise ConfigError(message, where=Where(file=str(path), field="format"))
        for field, names in (("system", SystemName), ("segmenter", UnitsName), ("head", HeadName)):
            known, value = get_args(names), getattr(config, field)
            if value not in known:
                message = f"{value!r} is unknown, expected one of {', '.join(known)}"
                raise ConfigError(message, where=Where(file=str(path), field=field))
        return config

    def write(self, folder: Path) -> None:
        """Write `config.json` into a folder."""
        (folder / "config.json").write_text(json.dumps(asdict(self), indent=2) + "\n", "utf-8")
