from __future__ import annotations

from pathlib import Path

import pytest

from clausewise.config import config_from, read_config
from clausewise.datasets.dialogue_config import DialogueConfig
from clausewise.errors import ConfigError

SHIPPED = Path(__file__).parents[2] / "configs" / "dialogues.toml"


def test_the_shipped_config_holds_the_defaults() -> None:
    assert read_config(SHIPPED, DialogueConfig) == DialogueConfig()


@pytest.mark.parametrize(
    ("table", "complaint"),
    [
        ({"yes": 1.5}, r"yes: 1\.5 is no share, expected 0 to 1"),
        ({"facts": []}, "facts: expected weights of at least 0, one of them above"),
        ({"facts": [0.5, -0.5]}, "facts: expected weights of at least 0"),
        ({"scenario": {"chatter": -1.0}}, r"scenario\.chatter: expected at least 0, not -1"),
        (
            {
                "scenario": dict.fromkeys(
                    ["none", "settling", "restated", "irrelevant", "chatter"], 0
                )
            },
            "expected one weight above 0",
        ),
        ({"keep_questions": 1.0}, "unknown key 'keep_questions', did you mean 'keep_question'"),
    ],
)
def test_contradictions_are_refused(table: dict[str, object], complaint: str) -> None:
    with pytest.raises(ConfigError, match=complaint):
        config_from(table, DialogueConfig)
