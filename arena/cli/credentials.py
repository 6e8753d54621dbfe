"""Which server a command speaks to, and with which token: environment, or what `arena login` kept.

    ARENA_SERVER, ARENA_TOKEN     come first, for scripts
    credentials.json              in the user's configuration folder, for nobody else to read

A token is never an argument: everybody on a machine can read those.
"""

from __future__ import annotations

import json
import os
import stat
import tempfile
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Final

from arena.errors import HostFault, InputError, quoted

__all__ = [
    "SERVER",
    "TOKEN",
    "Login",
    "credentials_file",
    "find_login",
    "forget",
    "keep",
    "read_ca",
]

SERVER: Final = "ARENA_SERVER"
TOKEN: Final = "ARENA_TOKEN"

_MOST: Final = 1024 * 1024


@dataclass(frozen=True, slots=True, kw_only=True)
class Login:
    """A server, and who we are there.

    Attributes:
        server: HOST:PORT.
        token: Empty: nobody in particular.
        ca: The PEM file with which the server's certificate is checked; empty: the machine's own.
    """

    server: str
    token: str = field(default="", repr=False)
    ca: str = ""


def credentials_file() -> Path:
    """Where logins are kept."""
    base = os.environ.get("XDG_CONFIG_HOME")
    try:
        folder = Path(base) if base else Path.home() / ".config"
    except RuntimeError:
        raise InputError(f"no home folder is known; set {SERVER} and {TOKEN}") from None
    return folder / "mille-arena" / "credentials.json"


def find_login(server: str = "") -> Login:
    """The server to speak to, `server` or else the one that was logged in to last.

    Raises:
        InputError: none is known, or the file cannot be used.
    """
    named = server or os.environ.get(SERVER, "")
    logins = _read()
    known = [one for one in logins if one.server == named] if named else logins[:1]
    if not named and not known:
        raise InputError(
            f"no server is known: say `arena login HOST:PORT` first, or set {SERVER} and {TOKEN}"
        )
    login = known[0] if known else Login(server=named)
    given = os.environ.get(TOKEN, "").strip()
    return Login(server=login.server, token=given or login.token, ca=login.ca)


def keep(login: Login) -> Path:
    """Keep a login, which is the first one from now on; the file is for nobody else to read.

    Raises:
        HostFault: it cannot be written.
    """
    return _write([login, *(one for one in _read() if one.server != login.server)])


def forget(server: str) -> bool:
    """Forget a login; whether there was one."""
    logins = _read()
    left = [one for one in logins if one.server != server]
    if len(left) < len(logins):
        _write(left)
    return len(left) < len(logins)


def read_ca(login: Login) -> bytes | None:
    """The certificates to trust, None: the machine's own.

    Raises:
        InputError: the file cannot be read.
    """
    if not login.ca:
        return None
    try:
        return Path(login.ca).read_bytes()
    except OSError as error:
        raise InputError(f"{login.ca}: {error.strerror}") from None


def _read() -> list[Login]:
    path = credentials_file()
    try:
        with path.open("rb") as file:
            mode = os.fstat(file.fileno()).st_mode
            content = file.read(_MOST)
    except FileNotFoundError:
        return []
    except OSError as error:
        raise InputError(f"{path}: {error.strerror}") from None
    if stat.S_IMODE(mode) & 0o077:
        raise InputError(
            f"{path}: others may read it, and it holds tokens; say `chmod 600 {path}`, and have "
            "the tokens replaced if somebody may have looked"
        )
    try:
        return [Login(**one) for one in json.loads(content)["logins"]]
    except (ValueError, TypeError, KeyError, RecursionError):
        raise InputError(f"{quoted(str(path), 200)}: damaged; remove it and log in again") from None


def _write(logins: list[Login]) -> Path:
    path = credentials_file()
    content = json.dumps({"logins": [asdict(one) for one in logins]}, indent=2) + "\n"
    try:
        path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
        descriptor, aside = tempfile.mkstemp(dir=path.parent)  # 0600 from the beginning
        with os.fdopen(descriptor, "w", encoding="utf-8") as file:
            file.write(content)
            file.flush()
            os.fsync(descriptor)
        os.replace(aside, path)
    except OSError as error:
        raise HostFault(f"{path}: cannot be written: {error.strerror}") from None
    return path
