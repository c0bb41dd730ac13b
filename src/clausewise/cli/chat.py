"""`clausewise chat` and `clausewise ask`: a conversation, and a single reply."""

from __future__ import annotations

import io
import re
import sys
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from typing import Annotated

import typer
from rich.console import Console

from clausewise.cli import render
from clausewise.cli.load import (
    Body,
    ConfigOption,
    JsonOption,
    ReaderModelOption,
    ReaderOption,
    RetrieverOption,
    RulesOption,
    SpanModelOption,
    TreesOption,
    asked,
    engine_config,
    print_json,
    readable,
)
from clausewise.cli.progress import bar
from clausewise.conversation.events import Answered, Asked, Conversation, Restarted, TookBack
from clausewise.engine import Engine
from clausewise.errors import InputError, Where
from clausewise.readers.answers import is_unsure, understand
from clausewise.text import same_wording
from clausewise.trees.values import State
from clausewise.types import Dialogue, Inquiry, Reply, Turn

HELP = (
    'Type a question ("Can I ...?"); what you say before it counts as your situation.',
    "Answer yes, no, don't know, or in your own words.",
    "why      why this is asked, or what the answer rests on",
    "show     the conditions of the rule and what is known of each",
    "back     take the last answer back",
    "restart  begin anew",
    "quit     leave",
)


@dataclass(slots=True)
class Chat:
    """A conversation with one person: takes what they type, gives the lines to show."""

    engine: Engine
    conversation: Conversation = field(default_factory=Conversation)
    reply: Reply | None = None
    """The last thing said to them; None before the first question."""

    def say(self, line: str) -> Iterator[str]:
        """Return the lines to show for what the person typed."""
        text = line.strip()
        commands: dict[str, Callable[[], Iterable[str]]] = {
            "why": self._why,
            "show": self._show,
            "back": self._back,
            "restart": self._restart,
            "help": lambda: HELP,
        }
        command = commands.get(text.lower().rstrip("?!."))
        if command:
            yield from command()
        elif not text:
            return
        elif isinstance(self.reply, Inquiry):
            yield from self._answer(text, inquiry=self.reply)
        elif is_bare_answer(text):
            yield 'No question of mine is open: ask one of yours ("Can I ...?"), or type help.'
        else:
            yield from self._ask(text)

    def _ask(self, text: str) -> Iterator[str]:
        question, scenario = split_question(text)
        self.conversation = self.conversation.then(Asked(question=question, scenario=scenario))
        yield from self._continue()

    def _answer(self, text: str, *, inquiry: Inquiry) -> Iterator[str]:
        if same_wording(text, inquiry.question):
            yield "That is the question I asked; answer yes, no, or don't know."
            return
        if text.endswith("?"):
            yield "That looks like another question: answer mine first, or type restart."
            return
        self.conversation = self.conversation.then(Answered(question=inquiry.question, answer=text))
        lines = list(self._continue())
        if self._still_open(inquiry.condition.key) and not is_unsure(text):
            yield "I can't take a yes or a no from that, so it stays open (`back` to try again)."
        yield from lines

    def _still_open(self, key: str) -> bool:
        judged = getattr(self.reply, "reading", None)
        return judged is not None and judged.states.get(key) is State.UNKNOWN

    def _continue(self) -> Iterator[str]:
        dialogue = self.conversation.dialogue
        if dialogue is None:
            self.reply = None
            yield "Ask a new question."
            return
        self.reply = self.engine.reply(dialogue)
        yield from render.reply_lines(self.reply)

    def _why(self) -> Iterable[str]:
        return render.why_lines(self.reply) if self.reply else ("Nothing has been asked yet.",)

    def _show(self) -> Iterable[str]:
        judged = getattr(self.reply, "reading", None)
        return render.state_lines(judged) if judged else ("No rule is being read.",)

    def _back(self) -> Iterator[str]:
        if self.conversation.dialogue is None:
            yield "There is nothing to take back."
            return
        self.conversation = self.conversation.then(TookBack())
        yield from self._continue()

    def _restart(self) -> Iterator[str]:
        self.conversation = self.conversation.then(Restarted())
        yield from self._continue()


def is_bare_answer(text: str) -> bool:
    """Say whether somebody answers, though nothing was asked."""
    return "?" not in text and (is_unsure(text) or understand(text) is not State.UNKNOWN)


def split_question(text: str) -> tuple[str, str]:
    """Return the question in what somebody typed, and the rest as their situation."""
    sentences = [part for part in re.split(r"(?<=[.!?])\s+", text.strip()) if part]
    questions = [part for part in sentences if part.endswith("?")]
    if not questions:
        return text.strip(), ""
    question = questions[-1]
    rest = [part for part in sentences if part is not question]
    return question, " ".join(rest)


def chat(
    rules: RulesOption = None,
    trees: TreesOption = None,
    retriever: RetrieverOption = None,
    reader: ReaderOption = None,
    reader_model: ReaderModelOption = None,
    span_model: SpanModelOption = None,
    config: ConfigOption = None,
) -> None:
    """Talk with a body of rules: the demonstration rules, or those at --rules."""
    settings = engine_config(
        config,
        retriever=retriever,
        reader=reader,
        reader_model=reader_model,
        span_model=span_model,
    )
    body = Body.load(rules, trees=trees)
    watched = sys.stdin.isatty() and sys.stderr.isatty()
    session = Chat(engine=body.engine(settings, compiling=bar if watched else None))
    console = Console(highlight=False, soft_wrap=True, markup=False)
    console.print(f"{len(body.knowledge)} rules are loaded. Ask a question, or type help.")
    for line in typed_lines():
        if line.strip().lower() in {"quit", "exit"}:
            break
        for shown in session.say(line):
            console.print(shown)


def typed_lines() -> Iterator[str]:
    """Return what is typed, line by line: with a prompt on a terminal, bare when piped."""
    if isinstance(sys.stdin, io.TextIOWrapper):
        sys.stdin.reconfigure(errors="replace")  # one stray byte must not end a conversation
    if not sys.stdin.isatty():
        yield from (line.rstrip("\r\n") for line in sys.stdin)
        return
    import readline  # noqa: F401, PLC0415  line editing, only where there is a terminal

    while True:
        try:
            yield input("> ")
        except (EOFError, KeyboardInterrupt):
            typer.echo()
            return


def ask(
    question: Annotated[str, typer.Argument(help='"Can I ...?"')],
    scenario: Annotated[
        str, typer.Option("--scenario", metavar="TEXT", help="What the person says of themselves.")
    ] = "",
    answer: Annotated[
        list[str] | None,
        typer.Option("--answer", metavar='"Q=yes"', help="An answered follow-up; repeatable."),
    ] = None,
    rules: RulesOption = None,
    trees: TreesOption = None,
    retriever: RetrieverOption = None,
    reader: ReaderOption = None,
    reader_model: ReaderModelOption = None,
    span_model: SpanModelOption = None,
    config: ConfigOption = None,
    as_json: JsonOption = False,
) -> None:
    """Answer one question, or say what must be asked next."""
    dialogue = Dialogue(
        question=asked(question),
        scenario=readable(scenario, field="--scenario"),
        turns=tuple(parse_turn(readable(text, field="--answer")) for text in answer or ()),
    )
    settings = engine_config(
        config,
        retriever=retriever,
        reader=reader,
        reader_model=reader_model,
        span_model=span_model,
    )
    engine = Body.load(rules, trees=trees).engine(settings)
    reply = engine.reply(dialogue)
    if as_json:
        print_json(render.reply_json(reply))
        return
    for line in render.reply_lines(reply):
        typer.echo(line)


def parse_turn(text: str) -> Turn:
    """Return the turn that `Q=yes` stands for; the answer follows the last equals sign."""
    question, sign, said = text.rpartition("=")
    if not sign or not question.strip() or not said.strip():
        message = f"{text!r} is no answered question, expected 'Do you ...?=yes'"
        raise InputError(message, where=Where(field="--answer"))
    return Turn(question=question.strip(), answer=said.strip())
