"""From a document's nodes to a rule tree, with errors that know the line of what is wrong."""

from __future__ import annotations

import dataclasses
import difflib
import re
from collections.abc import Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING, NoReturn

from clausewise.errors import TreeError, Where
from clausewise.trees import schema
from clausewise.trees.logic import RESERVED, Logic, is_key, names, parse_logic
from clausewise.trees.nodes import Fields, Items, Node, Text, describe
from clausewise.trees.tree import Case, Outcome, RuleTree, check_case, check_span
from clausewise.trees.values import Condition, Span

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

_YES_NO = {"yes": True, "true": True, "no": False, "false": False}
_GIVEN = re.compile(r"\s*([A-Za-z_][A-Za-z0-9_]*)\s*[ :=]\s*([A-Za-z]+)\s*")


@dataclass(frozen=True, slots=True, kw_only=True)
class Reader:
    """Reads the documents of one file."""

    file: str | None = None
    rule_texts: Mapping[str, str] | None = None
    """The texts of the knowledge base by id, for documents that don't carry theirs."""
    rule_text: str | None = None
    """The text of the one document that is read, likewise."""

    def tree(self, node: Node) -> RuleTree:
        """Return the tree of a document; TreeError with file and line where it isn't one."""
        if isinstance(node, Text) and not node.text.strip():
            self._fail("the document is empty; expected a rule tree", node.line)
        fields = self._fields(node, schema.TREE, field="")
        if not {"rule", "rule_text"} & fields.entries.keys():
            self._fail("a rule tree needs 'rule', the id of its rule text", fields.line)
        rule_id = self._text(fields, "rule")
        rule_text = self._rule_text(fields, rule_id=rule_id)
        conditions = self._conditions(fields, rule_text=rule_text)
        keys = tuple(condition.key for condition in conditions)
        with self._at(fields.line):
            return RuleTree(
                rule_id=rule_id,
                tree_id=self._text(fields, "tree_id"),
                rule_text=rule_text,
                topic=self._text(fields, "topic"),
                questions=self._texts(fields, "questions", field="questions"),
                outcome=self._outcome(fields, rule_text=rule_text),
                conditions=conditions,
                logic=self._logic(fields, keys=keys),
                tests=tuple(self._cases(fields, keys=keys)),
            )

    def _rule_text(self, fields: Fields, *, rule_id: str) -> str | None:
        own = self._text(fields, "rule_text")
        if own or self.rule_texts is None:
            return own or self.rule_text
        if rule_id in self.rule_texts:
            return self.rule_texts[rule_id]
        problem = f"there is no rule {rule_id!r} among the rule texts"
        return self._fail(problem + _nearest(rule_id, self.rule_texts), fields.key_lines["rule"])

    def _conditions(self, fields: Fields, *, rule_text: str | None) -> tuple[Condition, ...]:
        node = fields.entries["conditions"]
        if not isinstance(node, Fields) or not node.entries:
            expected = "expected at least one condition by its key, as in a: {text: ...}"
            self._fail(f"{describe(node)}; {expected}", node.line, field="conditions")
        found = []
        for key, entry in node.entries.items():
            if not is_key(key):
                expected = f"expected letters, digits and _, and none of {', '.join(RESERVED)}"
                problem = f"{key!r} can't be the key of a condition; {expected}"
                self._fail(problem, node.key_lines[key], field="conditions")
            found.append(self._condition(entry, key=key, rule_text=rule_text))
        return tuple(found)

    def _condition(self, node: Node, *, key: str, rule_text: str | None) -> Condition:
        where = f"conditions.{key}"
        fields = self._fields(node, schema.CONDITION, field=where)
        return Condition(
            key=key,
            span=self._span(fields, rule_text=rule_text, field=where),
            text=self._text(fields, "text", field=where),
            question=self._filled(fields, "question", field=where),
            paraphrases=self._texts(fields, "paraphrases", field=where),
            yes=self._texts(fields, "yes", field=where),
            no=self._texts(fields, "no", field=where),
        )

    def _outcome(self, fields: Fields, *, rule_text: str | None) -> Outcome | None:
        node = fields.entries.get("outcome")
        if node is None:
            return None
        outcome = self._fields(node, schema.OUTCOME, field="outcome")
        return Outcome(
            span=self._span(outcome, rule_text=rule_text, field="outcome"),
            text=self._text(outcome, "text", field="outcome"),
        )

    def _span(self, fields: Fields, *, rule_text: str | None, field: str) -> Span:
        text = self._filled(fields, "text", field=field)
        node = fields.entries.get("span")
        if node is None:
            line = fields.key_lines["text"]
            return self._found_span(text, rule_text=rule_text, line=line, field=field)
        with self._at(node.line):
            span = self._given_span(node, field=field)
            check_span(span, text=text, rule_text=rule_text, field=field)
        return span

    def _given_span(self, node: Node, *, field: str) -> Span:
        numbers = [
            int(part.text)
            for part in (node.items if isinstance(node, Items) else ())
            if isinstance(part, Text) and re.fullmatch("[0-9]{1,9}", part.text)
        ]
        if isinstance(node, Items) and len(node.items) == len(numbers) == 2:
            start, end = numbers
            if start <= end:
                return Span(start=start, end=end)
        written = (
            "[" + ", ".join(describe(part) for part in node.items) + "]"
            if isinstance(node, Items)
            else describe(node)
        )
        problem = f"{written} is no span; expected [start, end], two numbers that rise"
        return self._fail(problem, node.line, field=field)

    def _found_span(
        self, text: str, *, rule_text: str | None, line: int | None, field: str
    ) -> Span:
        if rule_text is None:
            problem = f"no span for {text!r}, and the rule text isn't known: give span or rule_text"
            self._fail(problem, line, field=field)
        starts = [match.start() for match in re.finditer(f"(?={re.escape(text)})", rule_text)]
        if not starts:
            problem = f"the rule text doesn't hold {text!r}; expected its exact words"
            self._fail(problem, line, field=field)
        if len(starts) > 1:
            choice = " or ".join(f"[{start}, {start + len(text)}]" for start in starts[:3])
            problem = (
                f"{text!r} stands in the rule text {len(starts)} times; give its span: {choice}"
            )
            self._fail(problem, line, field=field)
        return Span(start=starts[0], end=starts[0] + len(text))

    def _logic(self, fields: Fields, *, keys: tuple[str, ...]) -> Logic:
        node = fields.entries["logic"]
        with self._at(node.line, field="logic"):
            logic = parse_logic(self._filled(fields, "logic", field=""), keys=keys)
        conditions = fields.entries["conditions"]
        for key in sorted(set(keys) - set(names(logic)), key=keys.index):
            line = conditions.key_lines[key] if isinstance(conditions, Fields) else None
            problem = f"the logic doesn't use this condition: {self._text(fields, 'logic')!r}"
            self._fail(problem, line, field=f"conditions.{key}")
        return logic

    def _cases(self, fields: Fields, *, keys: tuple[str, ...]) -> Iterator[Case]:
        node = fields.entries.get("tests")
        for entry in self._items(node, field="tests"):
            case = self._fields(entry, schema.CASE, field="tests")
            with self._at(entry.line):
                found = Case(
                    expect=self._expected(case),
                    given=tuple(self._given(case)),
                    question=self._text(case, "question", field="tests"),
                    scenario=self._text(case, "scenario", field="tests"),
                    answers=tuple(self._answers(case)),
                )
                check_case(found, keys=keys)
            if not {"given", "question"} & case.entries.keys():
                self._fail("a case needs 'given' or 'question'", entry.line, field="tests")
            yield found

    def _expected(self, case: Fields) -> str:
        text = self._filled(case, "expect", field="tests")
        verdicts = {"yes": "Yes", "no": "No", "abstain": "abstain"}
        return verdicts.get(text.lower(), " ".join(text.split()))

    def _given(self, case: Fields) -> Iterator[tuple[str, bool]]:
        node = case.entries.get("given")
        if isinstance(node, Fields):
            pairs = [(key, self._text(node, key, field="tests.given")) for key in node.entries]
        else:
            pairs = self._given_text(self._text(case, "given", field="tests"), case=case)
        for key, answer in pairs:
            if answer.lower() not in _YES_NO:
                line = node.line if node else case.line
                self._fail(f"{key} {answer}: expected yes or no", line, field="tests.given")
            yield key, _YES_NO[answer.lower()]

    def _given_text(self, text: str, *, case: Fields) -> list[tuple[str, str]]:
        pairs = []
        for part in text.split(",") if text.strip() else ():
            match = _GIVEN.fullmatch(part)
            if match is None:
                expected = "expected keys with yes or no, as in 'a yes, b no'"
                problem = f"{part.strip()!r} in given: {expected}"
                self._fail(problem, case.entries["given"].line, field="tests.given")
            pairs.append((match[1], match[2]))
        return pairs

    def _answers(self, case: Fields) -> Iterator[tuple[str, str]]:
        node = case.entries.get("answers")
        if isinstance(node, Fields):
            for question in node.entries:
                yield question, self._text(node, question, field="tests.answers")
        elif node is not None and node != Text(text="", line=node.line):
            expected = "expected follow-up questions with their answers"
            self._fail(f"{describe(node)}; {expected}", node.line, field="tests.answers")

    def _fields(self, node: Node, known: Mapping[str, schema.Field], *, field: str) -> Fields:
        if not isinstance(node, Fields):
            expected = f"expected a mapping with {', '.join(known)}"
            self._fail(f"{describe(node)}; {expected}", node.line, field=field)
        for name in node.entries:
            if name not in known:
                problem = f"unknown field {name!r}{_nearest(name, known)}"
                self._fail(problem, node.key_lines[name], field=field)
        for name, spec in known.items():
            if spec.required and name not in node.entries:
                self._fail(f"the field {name!r} is missing", node.line, field=field)
        return node

    def _text(self, fields: Fields, name: str, *, field: str = "") -> str:
        node = fields.entries.get(name, Text(text="", line=fields.line))
        if not isinstance(node, Text):
            where = ".".join(part for part in (field, name) if part)
            self._fail(f"{describe(node)}; expected text", node.line, field=where)
        return node.text

    def _filled(self, fields: Fields, name: str, *, field: str) -> str:
        text = self._text(fields, name, field=field)
        if not text.strip():
            where = ".".join(part for part in (field, name) if part)
            self._fail("empty; expected text", fields.key_lines[name], field=where)
        return text

    def _texts(self, fields: Fields, name: str, *, field: str) -> tuple[str, ...]:
        where = field if field == name else f"{field}.{name}"
        found = []
        for item in self._items(fields.entries.get(name), field=where):
            if not isinstance(item, Text) or not item.text.strip():
                hint = "; quote text that holds a colon" if isinstance(item, Fields) else ""
                self._fail(f"{describe(item)}; expected text{hint}", item.line, field=where)
            found.append(item.text)
        return tuple(found)

    def _items(self, node: Node | None, *, field: str) -> tuple[Node, ...]:
        if node is None or node == Text(text="", line=node.line):
            return ()
        if not isinstance(node, Items):
            self._fail(f"{describe(node)}; expected a list", node.line, field=field)
        return node.items

    @contextmanager
    def _at(self, line: int | None, *, field: str | None = None) -> Iterator[None]:
        """Give file and line to an error from below that doesn't know them."""
        try:
            yield
        except TreeError as error:
            where = error.where
            if where.file is None and where.line is None:
                field = where.field or field
                where = dataclasses.replace(where, file=self.file, line=line, field=field)
            raise type(error)(error.problem, where=where) from None

    def _fail(self, problem: str, line: int | None, *, field: str = "") -> NoReturn:
        raise TreeError(problem, where=Where(file=self.file, line=line, field=field or None))


def _nearest(word: str, known: Iterable[str]) -> str:
    close = difflib.get_close_matches(word, list(known), n=1)
    return f"; did you mean {close[0]!r}?" if close else ""
