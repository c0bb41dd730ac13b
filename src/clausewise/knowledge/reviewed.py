"""Which reviewed rule trees belong to which rule texts.

A tree that carries its rule text belongs to that text, under whatever id the text stands in the
knowledge base; one without belongs to the rule of its id, and must fit it to the character.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from clausewise.errors import TreeError, Where
from clausewise.trees.tree import RuleTree
from clausewise.types import RuleText

Reviewed = Mapping[str, tuple[RuleTree, ...]]
"""Reviewed trees by the content hash of their rule text."""


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
