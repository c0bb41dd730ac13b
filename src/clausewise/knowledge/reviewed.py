"""Which reviewed rule trees belong to which rule texts.

A tree that carries its rule text belongs to that text, under whatever id the text stands in the
knowledge base; one without belongs to the rule of its id, and must fit it to the character.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path

from clausewise.errors import TreeError, Where
from clausewise.knowledge.base import KnowledgeBase
from clausewise.knowledge.store import StoredTree
from clausewise.trees.read import from_json, read_trees
from clausewise.trees.tree import RuleTree
from clausewise.trees.write import to_json
from clausewise.types import RuleText

Reviewed = Mapping[str, tuple[RuleTree, ...]]
"""Reviewed trees by the content hash of their rule text."""


TREE_FILES = "*.trees.yaml"
"""How the trees of a folder of Markdown are told from other YAML that may lie there."""


def trees_at(path: Path, *, knowledge: KnowledgeBase) -> tuple[RuleTree, ...]:
    """Return the reviewed trees that are kept with the rules at a path.

    Those are the files `*.trees.yaml` of a folder, or what was ingested into a SQLite file.
    """
    texts = {rule.rule_id: rule.text for rule in knowledge}
    files = sorted(path.rglob(TREE_FILES)) if path.is_dir() else []
    beside = tuple(tree for file in files for tree in read_trees(file, rule_texts=texts))
    stored = (from_json(tree.json, file=str(path)) for tree in knowledge.trees if tree.reviewed)
    return (*beside, *stored)


def compiled_trees(path: Path, *, knowledge: KnowledgeBase) -> tuple[RuleTree, ...]:
    """Return the machine's trees that a knowledge base keeps of its rules as they are now."""
    texts = {rule.content_hash for rule in knowledge}
    return tuple(
        from_json(tree.json, file=str(path))
        for tree in knowledge.trees
        if not tree.reviewed and tree.content_hash in texts
    )


def stored_trees(trees: Sequence[RuleTree], *, rules: Sequence[RuleText]) -> tuple[StoredTree, ...]:
    """Return reviewed trees as a SQLite knowledge base keeps them."""
    matched = match_trees(trees, rules=rules)
    return tuple(
        StoredTree(
            rule_id=rule.rule_id,
            json=to_json(tree),
            reviewed=True,
            content_hash=rule.content_hash,
        )
        for rule in rules
        for tree in matched.get(rule.content_hash, ())
    )


def match_trees(trees: Sequence[RuleTree], *, rules: Sequence[RuleText]) -> Reviewed:
    """Return the trees of these rules by content hash, each list in the order of `trees`.

    Trees of other rule texts are left out: a file may hold the trees of many bodies of rules.
    """
    by_id = {rule.rule_id: rule for rule in rules}
    by_text = {rule.text: rule for rule in reversed(rules)}
    matched: dict[str, tuple[RuleTree, ...]] = {}
    for tree in trees:
        if tree.rule_text is None:
            rule = by_id.get(tree.rule_id)
            if rule is None:
                message = f"no rule has the id {tree.rule_id!r}, expected the id of a rule text"
                raise TreeError(message, where=Where(field="rule"))
        else:
            rule = by_text.get(tree.rule_text)
        if rule is not None:
            bound = _bound(tree, rule=rule)
            matched[rule.content_hash] = (*matched.get(rule.content_hash, ()), bound)
    return matched


def _bound(tree: RuleTree, *, rule: RuleText) -> RuleTree:
    if tree.rule_text is not None:
        return tree
    try:
        return tree.bind(rule.text)
    except TreeError as error:
        message = f"the tree of {rule.rule_id} doesn't fit its rule text: {error.problem}"
        raise TreeError(message, where=Where(file=rule.source, field=error.where.field)) from error
