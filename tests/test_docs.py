"""The docs say what is true: commands print what pages show, generated pages are current."""

from __future__ import annotations

import contextlib
import io
import os
import re
import shlex
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest

from clausewise.cli import app
from clausewise.cli.chat import Chat
from clausewise.cli.load import Body
from clausewise.cli.reference import reference
from clausewise.config import EngineConfig

ROOT = Path(__file__).resolve().parents[1]
PAGES = (ROOT / "README.md", *sorted((ROOT / "docs").glob("*.md")))


@dataclass(frozen=True, slots=True, kw_only=True)
class Block:
    """A fenced block of a page."""

    page: str
    line: int
    language: str
    text: str

    def __str__(self) -> str:
        return f"{self.page}:{self.line}"


def _blocks(path: Path) -> Iterator[Block]:
    content = path.read_text("utf-8")
    for match in re.finditer(r"^```(\w*)\n(.*?)^```$", content, flags=re.MULTILINE | re.DOTALL):
        line = content.count("\n", 0, match.start()) + 1
        yield Block(page=path.name, line=line, language=match[1], text=match[2])


BLOCKS = [block for page in PAGES for block in _blocks(page)]


def _of(language: str) -> list[Block]:
    return [block for block in BLOCKS if block.language == language]


@pytest.mark.parametrize("block", _of("python"), ids=str)
def test_python_in_the_docs_runs(block: Block, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(ROOT)
    exec(compile(block.text, str(block), "exec"), {"__name__": "docs"})


def _commands(block: Block) -> Iterator[tuple[list[str], str]]:
    """Return each `$ clausewise ...` of a block with the output that is shown below it."""
    for part in re.split(r"^\$ ", block.text, flags=re.MULTILINE)[1:]:
        command, _, output = part.partition("\n")
        while command.endswith("\\"):
            more, _, output = output.partition("\n")
            command = f"{command[:-1].strip()} {more.strip()}"
        yield shlex.split(command), output


@pytest.mark.parametrize("block", _of("console"), ids=str)
def test_commands_in_the_docs_print_what_is_shown(
    block: Block, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(ROOT)
    for words, shown in _commands(block):
        assert words[0] == "clausewise", f"{block}: only our own command can be tried"
        output = io.StringIO()
        with contextlib.redirect_stdout(output), contextlib.redirect_stderr(output):
            app.run(words[1:])
        assert output.getvalue().strip() == shown.strip()


@pytest.mark.parametrize("block", _of("conversation"), ids=str)
def test_conversations_in_the_docs_are_real(block: Block) -> None:
    engine = Body.load(None).engine(EngineConfig())
    chat = Chat(engine=engine)
    lines: list[str] = []
    for line in block.text.splitlines():
        if line.startswith("> "):
            lines += [line, *chat.say(line[2:])]
    assert "\n".join(lines).rstrip() == block.text.rstrip()


def test_every_block_of_the_docs_is_of_a_kind_that_is_tested_or_shown_only() -> None:
    shown_only = {"", "text", "yaml", "toml", "json", "markdown"}
    kinds = {block.language for block in BLOCKS}
    assert kinds <= shown_only | {"python", "console", "conversation"}


def test_the_page_of_the_command_line_is_current() -> None:
    assert (ROOT / "docs" / "cli.md").read_text("utf-8") == reference(), "run `make docs`"


def test_relative_links_of_the_docs_lead_somewhere() -> None:
    for page in PAGES:
        for target in re.findall(r"\]\(([^)#]+)[^)]*\)", page.read_text("utf-8")):
            if "://" not in target:
                assert (page.parent / target).exists(), f"{page.name}: {target}"


def test_no_page_names_a_folder_of_one_machine() -> None:
    home = os.path.expanduser("~")  # noqa: PTH111 - a text to look for, not a path to open
    for page in PAGES:
        content = page.read_text("utf-8")
        assert f"{home}/" not in content
        assert "/tmp/" not in content
