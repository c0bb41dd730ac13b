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
from typing import Any

import pytest
import typer

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


def _shown_commands(path: Path) -> Iterator[list[str]]:
    """Return the words of every `clausewise ...` of a page, in a block or in a sentence."""
    content = path.read_text("utf-8").replace("\\\n", " ")
    shown = re.findall(r"`(clausewise [a-z][^`]*)`", content)
    shown += re.findall(r"^(?: {4}|\$ )?(clausewise [a-z].*)", content, flags=re.MULTILINE)
    for line in shown:
        yield re.split(r"\s", re.sub(r"[\[\]]|\"[^\"]*\"", " ", line))[1:]


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_every_command_that_a_page_shows_exists_with_its_options(page: Path) -> None:
    for words in _shown_commands(page):
        command: Any = typer.main.get_command(app.app)
        for word in words:
            command = getattr(command, "commands", {}).get(word, command)
        assert not hasattr(command, "commands"), f"{page.name}: no command in {words}"
        known = {option for parameter in command.params for option in parameter.opts}
        used = {word.partition("=")[0] for word in words if word.startswith("--")}
        assert used <= known | {"--help"}, f"{page.name}: {words}"


def test_the_readmes_commands_for_ones_own_rules_run(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "my-rules").mkdir()
    (tmp_path / "my-rules" / "pets.md").write_text(
        "# Dogs\n\nYou can keep a dog if your landlord agrees.\n", "utf-8"
    )
    (block,) = (block for block in _of("text") if "my-rules/" in block.text)
    for line in block.text.splitlines():
        command, _, _ = line.partition("      ")
        monkeypatch.setattr("sys.stdin", io.StringIO("Can I keep a dog?\nyes\n"))
        output = io.StringIO()
        with contextlib.redirect_stdout(output):
            assert app.run(shlex.split(command)[1:]) == 0, output.getvalue()
    assert (tmp_path / "rules.db").exists()


def test_the_readmes_make_targets_are_there() -> None:
    makefile = (ROOT / "Makefile").read_text("utf-8")
    (block,) = (block for block in _of("text") if block.text.startswith("make "))
    for line in block.text.splitlines():
        assert re.search(rf"^{line.split()[1]}:", makefile, flags=re.MULTILINE)


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
