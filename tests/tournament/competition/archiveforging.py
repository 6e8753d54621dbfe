"""A forger's work on an archive, and questions about what is said of it."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

from arena.referee.record import Chain
from arena.tournament.competition.archiveformat import (
    JOURNAL,
    MANIFEST,
    MATCHES,
    manifest_from,
)
from arena.tournament.competition.archiveverify import ArchiveReport

Facts = list[dict[str, Any]]
Check = Callable[[Path], list[str]]
"""Verifies an archive, and gives its findings as lines."""
Report = Callable[..., ArchiveReport]


def has(findings: list[str], *wanted: str) -> None:
    """Require that each of these words is in some finding."""
    for words in wanted:
        assert any(words in one for one in findings), f"{words!r} is not in {findings}"


def event_of(facts: Facts, kind: str, number: int = 0) -> dict[str, Any]:
    """The line of a journal with the `number`-th event of a kind."""
    return [one for one in facts if one["kind"] == kind][number]


# -- a forger's work ----------------------------------------------------------------------------


def resealed(folder: Path) -> None:
    """Make a manifest that fits to the files as they are now, and to the journal's last line."""
    old = manifest_from((folder / MANIFEST).read_bytes())
    names = [
        str(path.relative_to(folder))
        for path in folder.rglob("*")
        if path.is_file() and not path.is_symlink() and path.name != MANIFEST
    ]
    digests = {name: hashlib.sha256((folder / name).read_bytes()).hexdigest() for name in names}
    head = json.loads((folder / JOURNAL).read_bytes().splitlines()[-1])["chain"]
    new = replace(old, head=head, files=digests)
    (folder / MANIFEST).write_bytes(new.as_bytes())


def rechained(folder: Path, change: Callable[[Facts], None]) -> None:
    """Change the journal's lines, and give all of them numbers and chains that fit."""
    facts = [json.loads(line) for line in (folder / JOURNAL).read_bytes().splitlines()]
    change(facts)
    chain = Chain()
    stored = []
    for number, one in enumerate(facts, 1):
        line = {**one, "number": number}
        line.pop("chain", None)
        body = json.dumps(line, ensure_ascii=False, separators=(",", ":")).encode()
        stored.append(body[:-1] + f',"chain":"{chain.add(body)}"}}\n'.encode())
    (folder / JOURNAL).write_bytes(b"".join(stored))


def changed_matches(folder: Path, change: Callable[[Facts], None]) -> None:
    """Change the lines of matches.jsonl."""
    path = folder / MATCHES
    facts = [json.loads(line) for line in path.read_bytes().splitlines()]
    change(facts)
    dumped = [json.dumps(one, ensure_ascii=False, separators=(",", ":")) for one in facts]
    path.write_text("".join(f"{one}\n" for one in dumped))
