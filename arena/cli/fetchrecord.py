"""`arena fetch-record`: the record of a server's match, for `arena replay` and `arena verify`."""

from __future__ import annotations

import hashlib
import os
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from arena.cli.output import JsonOption, print_json, printable, results
from arena.cli.talking import CaOption, ServerOption, connected
from arena.errors import HostFault, InputError

if TYPE_CHECKING:
    from arena.transport.client import Client

__all__ = ["fetch", "fetch_record"]


def fetch_record(
    match: Annotated[int, typer.Argument(metavar="MATCH", min=1, help="A match that is over.")],
    out: Annotated[
        Path | None, typer.Option(metavar="FILE", help="Where it goes. [default: MATCH.jsonl]")
    ] = None,
    attempt: Annotated[
        int, typer.Option(min=0, help="Another attempt than the one that counts, by its number.")
    ] = 0,
    server: ServerOption = "",
    ca: CaOption = None,
    as_json: JsonOption = False,
) -> None:
    """Download the record of a match: every card, answer and thinking time of it.

    Nothing is written before all of it is there and has the SHA-256 that the server has published.
    `arena verify` checks that it holds, `arena replay` shows it.
    """
    path = out or Path(f"{match}.jsonl")
    if path.exists():
        raise InputError(f"{path}: exists already; name another file with --out")
    with connected(server, ca) as client:
        digest = fetch(client, match, attempt, path)
    if as_json:
        size = path.stat().st_size
        print_json({"match": match, "file": str(path), "bytes": size, "sha256": digest})
        return
    text = f"{path}: SHA-256 {digest}; `arena replay {path}` shows it"
    results().print(printable(text), soft_wrap=True)


def fetch(client: Client, match: int, attempt: int, path: Path) -> str:
    """Download a record to a file, which is there whole or not at all; its SHA-256.

    Raises:
        HostFault: what came is not what the server has published, or cannot be written.
    """
    known = _published(client, match, attempt)
    total = hashlib.sha256()
    try:
        descriptor, aside = tempfile.mkstemp(prefix=".record-", dir=path.parent)
    except OSError as error:
        raise HostFault(f"{path}: cannot be written: {error.strerror}") from None
    try:
        with os.fdopen(descriptor, "wb") as file:
            for piece in client.download_record(match, attempt):
                total.update(piece)
                file.write(piece)
            os.fchmod(descriptor, 0o644)
        if known and total.hexdigest() != known:
            raise HostFault(
                f"match {match}: what came has SHA-256 {total.hexdigest()}, the server has "
                f"published {known}"
            )
        os.replace(aside, path)
    except BaseException:
        Path(aside).unlink(missing_ok=True)
        raise
    return total.hexdigest()


def _published(client: Client, match: int, attempt: int) -> str:
    """The SHA-256 that is said of a record; empty if nothing is."""
    found = client.match(match)
    if attempt:
        return next((one.record for one in found.attempts if one.number == attempt), "")
    return "" if found.result is None else found.result.record
