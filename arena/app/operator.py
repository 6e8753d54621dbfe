"""The operator's login of a server: a file in its data folder, for its user alone.

Whoever may read the data folder may do everything there already. So a server keeps a token for
operators in it, which is good for some days and made anew in time, and `arena admin` on the same
machine needs nothing else.
"""

from __future__ import annotations

import json
import os
import stat
from dataclasses import asdict, dataclass, field, replace
from pathlib import Path
from typing import Final

from arena.errors import HostFault, InputError
from arena.storage.facts import Clock, TokenKind
from arena.storage.store import Store

__all__ = [
    "Addresses",
    "OperatorLogin",
    "keep_operator_login",
    "operator_file",
    "read_operator_login",
]

_RENEWED_BEFORE: Final = 2 * 24 * 60 * 60 * 1000
"""Milliseconds before its end at which a token is replaced."""

_NOTE: Final = "kept in the data folder"
_MOST: Final = 64 * 1024


@dataclass(frozen=True, slots=True, kw_only=True)
class OperatorLogin:
    """Where operators connect to, and with what.

    Attributes:
        server: HOST:PORT, theirs.
        public: HOST:PORT of authors and everyone.
        token: A secret.
        token_id: The token's other part, by which it is found.
        ca: The PEM file of the server's certificate; empty: it speaks no TLS.
    """

    server: str
    public: str
    token: str = field(repr=False)
    token_id: str
    ca: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Addresses:
    """Where a server listens, as HOST:PORT; `ca` as in `OperatorLogin`."""

    public: str
    operators: str
    ca: str = ""


def operator_file(data: Path) -> Path:
    """Where the login of the server with this data folder is."""
    return data / "operator.json"


def read_operator_login(data: Path) -> OperatorLogin:
    """The login that a server has left.

    Raises:
        InputError: there is none, it is not ours to read, or others may.
    """
    path = operator_file(data)
    try:
        with path.open("rb") as file:
            mode, content = os.fstat(file.fileno()).st_mode, file.read(_MOST)
    except FileNotFoundError:
        raise InputError(
            f"{path}: is not there; name the data folder of a server of this machine with --data, "
            "or set ARENA_OPERATORS and ARENA_OPERATOR_TOKEN"
        ) from None
    except OSError as error:
        raise InputError(f"{path}: {error.strerror}") from None
    if stat.S_IMODE(mode) & 0o077:
        raise InputError(f"{path}: others may read it, and it holds a token; say chmod 600 {path}")
    try:
        return OperatorLogin(**json.loads(content))
    except (ValueError, TypeError, RecursionError):
        raise InputError(f"{path}: damaged; remove it, and start the server again") from None


def keep_operator_login(store: Store, clock: Clock, addresses: Addresses) -> bool:
    """See to it that the data folder has a login that is good for a while; whether it is new.

    Raises:
        HostFault: it cannot be written.
    """
    data = store.folder.path
    try:
        known = read_operator_login(data)
    except InputError:
        known = None
    if known is not None and _lasts(store, clock, known):
        login = replace(known, server=addresses.operators, public=addresses.public, ca=addresses.ca)
        if login != known:
            _write(operator_file(data), login)
        return False
    text, token = store.tokens.issue(TokenKind.ADMIN, None, note=_NOTE)
    login = OperatorLogin(
        server=addresses.operators,
        public=addresses.public,
        token=text,
        token_id=token.public,
        ca=addresses.ca,
    )
    _write(operator_file(data), login)
    if known is not None and store.tokens.find(known.token_id) is not None:
        store.tokens.revoke(known.token_id)
    return True


def _lasts(store: Store, clock: Clock, login: OperatorLogin) -> bool:
    token = store.tokens.find(login.token_id)
    return token is not None and token.revoked is None and token.expires - clock() > _RENEWED_BEFORE


def _write(path: Path, login: OperatorLogin) -> None:
    aside = path.with_suffix(".new")
    try:
        aside.unlink(missing_ok=True)
        descriptor = os.open(aside, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC, 0o600)
        with os.fdopen(descriptor, "w", encoding="utf-8") as file:
            json.dump(asdict(login), file, indent=2)
            file.flush()
            os.fsync(descriptor)
        os.replace(aside, path)
    except OSError as error:
        raise HostFault(f"{path}: cannot be written: {error.strerror}") from None
