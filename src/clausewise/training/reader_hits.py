"""The rule texts found for dialogues: looked for once, kept in a file for all systems."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping, Sequence
from pathlib import Path

from clausewise.build import build_retriever
from clausewise.config import RetrieverName
from clausewise.errors import DataError, Where
from clausewise.files import write_whole
from clausewise.progress import Progress, silent
from clausewise.types import Dialogue, RuleText

KEPT = 20
"""How many rule texts a file keeps for each: enough for any `top_k`."""
Found = Mapping[str, Sequence[str]]
"""Rule ids, best first, by the id of the dialogue."""


def hits_of(
    dialogues: Mapping[str, Dialogue],
    *,
    rules: Sequence[RuleText],
    retriever: RetrieverName,
    top_k: int,
    cache: Path,
    progress: Progress = silent,
) -> dict[str, tuple[RuleText, ...]]:
    """Return the rule texts found for every dialogue, best first; from the file, if it has them.

    The file knows what its hits were found for: other dialogues, rules or retrievers are added.
    """
    if not dialogues:
        return {}
    key = _key(dialogues, rules=rules, retriever=retriever)
    known = _read(cache)
    if key not in known:
        finder = build_retriever(retriever, rules=rules, trees=())
        found = {
            name: [hit.rule.rule_id for hit in finder.retrieve(dialogue, top_k=KEPT)]
            for name, dialogue in progress(
                dialogues.items(), label="Retrieving", total=len(dialogues)
            )
        }
        # Another training may have added its own meanwhile.
        known = {**_read(cache), key: found}
        cache.parent.mkdir(parents=True, exist_ok=True)
        write_whole(cache, [json.dumps(known)])
    by_id = {rule.rule_id: rule for rule in rules}
    return {name: tuple(by_id[each] for each in known[key][name][:top_k]) for name in dialogues}


def _read(cache: Path) -> dict[str, Found]:
    if not cache.is_file():
        return {}
    try:
        known = json.loads(cache.read_text("utf-8"))
        return {str(key): dict(found) for key, found in known.items()}
    except (OSError, ValueError, AttributeError, TypeError) as error:
        message = f"holds no hits ({error}), expected a file written by a training, or none"
        raise DataError(message, where=Where(file=str(cache))) from error


def _key(dialogues: Mapping[str, Dialogue], *, rules: Sequence[RuleText], retriever: str) -> str:
    digest = hashlib.sha256(f"{retriever} {KEPT}".encode())
    for rule in rules:
        digest.update(f"\0{rule.rule_id}\0{rule.text}".encode())
    for name, dialogue in dialogues.items():
        digest.update(f"\0{name}\0{dialogue}".encode())
    return digest.hexdigest()
