"""A closed or full output, and bytes that are no text, once ended in a traceback."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

RUN = (sys.executable, "-c", "from clausewise.cli import main; main()")


def _shell(line: str) -> subprocess.CompletedProcess[str]:
    """Run a line of sh in which "$@" is the clausewise command."""
    return subprocess.run(
        ["sh", "-c", line, "sh", *RUN], capture_output=True, text=True, timeout=60, check=False
    )


@pytest.fixture
def rules(tmp_path: Path) -> Path:
    path = tmp_path / "rules.md"
    path.write_text("# Dogs\n\nYou can keep a dog if your landlord agrees.\n", "utf-8")
    return path


@pytest.mark.parametrize("stream", [">&-", "2>&-", "<&-"])
def test_a_closed_stream_is_no_error(rules: Path, stream: str) -> None:
    ended = _shell(f'"$@" search "Can I keep a dog?" --rules {rules} {stream}')
    assert (ended.returncode, ended.stderr) == (0, "")


def test_a_chat_with_closed_input_ends(rules: Path) -> None:
    ended = _shell(f'"$@" chat --rules {rules} <&-')
    assert (ended.returncode, ended.stderr) == (0, "")


def test_a_reader_that_has_seen_enough_is_no_error(rules: Path) -> None:
    chat = f'"$@" chat --rules {rules}; echo "ended with $?" >&2'
    ended = _shell(f'yes "Can I keep a dog?" | head -500 | {{ {chat}; }} | head -1')
    assert ended.stderr == "ended with 0\n"


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="needs a device that is always full")
def test_a_full_disk_gets_one_line(rules: Path) -> None:
    ended = _shell(f'"$@" search "Can I keep a dog?" --rules {rules} > /dev/full')
    assert (ended.returncode, ended.stderr.count("\n")) == (2, 1)
    assert ended.stderr.startswith("the output can't be written: ")


@pytest.mark.parametrize(
    ("words", "field"),
    [
        (r'ask "$bytes"', "QUESTION"),
        (r'search "$bytes"', "QUESTION"),
        (r'ask "Can I keep a dog?" --scenario "$bytes"', "--scenario"),
        (r'ask "Can I keep a dog?" --answer "$bytes=yes"', "--answer"),
    ],
)
def test_bytes_that_are_no_text_get_one_line(rules: Path, words: str, field: str) -> None:
    ended = _shell(rf'bytes=$(printf "Caf\351?"); "$@" {words} --rules {rules}')
    assert ended.returncode == 2
    assert ended.stderr == f"{field}: 'Caf' is followed by a byte that is no UTF-8, expected text\n"


def test_bytes_that_are_no_text_do_not_end_a_chat(rules: Path) -> None:
    typed = r'printf "Can I keep a dog\351?\nyes\n"'
    ended = _shell(f'{typed} | "$@" chat --rules {rules}')
    assert (ended.returncode, ended.stderr) == (0, "")
    assert "Yes." in ended.stdout.splitlines()
