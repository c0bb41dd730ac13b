"""The rule texts found for dialogues: looked for once, kept in a file for all systems."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping, Sequence
from pathlib import Path

from clausewise.build import build_retriever
from clausewise.config import RetrieverName
from clausewise.encoder.places import shipped_model
from clausewise.errors import DataError, Where
from clausewise.files import write_whole
from clausewise.progress import Progress, silent
from clausewise.types import Dialogue, RuleText

KEPT = 20
"""How many rule texts a file keeps for each: enough for any `top_k`."""
_WITH_MODEL = ("conversational", "dense", "dpr++")
Found = dict[str, list[str]]
"""Rule ids, best first, by the digest of the dialogue."""


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

    The file knows by what and among which rules its hits were found; what it lacks is added.
    """
    key = _key(rules, retriever=retriever)
    digests = {name: _digest(dialogue) for name, dialogue in dialogues.items()}
    known = _read(cache).get(key, {})
    unknown = {
        digests[name]: each for name, each in dialogues.items() if digests[name] not in known
    }
    if unknown:
        finder = build_retriever(retriever, rules=rules, trees=())
        known |= {
            digest: [hit.rule.rule_id for hit in finder.retrieve(dialogue, top_k=KEPT)]
            for digest, dialogue in progress(
                unknown.items(), label="Retrieving", total=len(unknown)
            )
        }
        _add(known, key=key, cache=cache)
    by_id = {rule.rule_id: rule for rule in rules}
    return {
        name: tuple(by_id[each] for each in known[digest][:top_k])
        for name, digest in digests.items()
    }


def _add(found: Found, *, key: str, cache: Path) -> None:
    """Write what was found into the file, to which another training may have added meanwhile."""
    known = _read(cache)
    known[key] = {**known.get(key, {}), **found}
    cache.parent.mkdir(parents=True, exist_ok=True)
    write_whole(cache, [json.dumps(known)])


def _read(cache: Path) -> dict[str, Found]:
    if not cache.is_file():
        return {}
    try:
        known = json.loads(cache.read_text("utf-8"))
        return {str(key): dict(found) for key, found in known.items()}
    except (OSError, ValueError, AttributeError, TypeError) as error:
        message = f"holds no hits ({error}), expected a file written by a training, or none"
        raise DataError(message, where=Where(file=str(cache))) from error


def _key(rules: Sequence[RuleText], *, retriever: str) -> str:
    digest = hashlib.sha256(f"{retriever} {KEPT}".encode())
    model = shipped_model("retriever") if retriever in _WITH_MODEL else None
    if model is not None:
        digest.update((model / "model.onnx").read_bytes())
    for rule in rules:
        digest.update(f"\0{rule.rule_id}\0{rule.text}".encode())
    return digest.hexdigest()


def _digest(dialogue: Dialogue) -> str:
    return hashlib.sha256(repr(dialogue).encode()).hexdigest()[:20]
