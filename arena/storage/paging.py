"""Lists in pages: by what the last line was, never by how many came before.

The token of the next page holds the keys of the last line. It is signed together with the list and
what the list was asked for, so that none is taken that was not given out for this very question.

    token = base64url( JSON of the keys, then 16 bytes of HMAC-SHA256 over list, filters and JSON )
"""

from __future__ import annotations

import base64
import binascii
import hashlib
import hmac
import json
import re
from collections.abc import Callable, Sequence
from typing import Any, Final, TypeVar

from sqlalchemy import select

from arena.errors import HostFault, InputError, quoted
from arena.storage.database import Database
from arena.storage.facts import Page
from arena.storage.inputs import canonical
from arena.storage.schema import PARAMETERS

__all__ = ["MOST", "Pager"]

T = TypeVar("T")

MOST: Final = 1000
"""The most lines of a page."""

_KEY: Final = select(PARAMETERS.c.secret_key)
_SIGNED: Final = 16
_TOKEN: Final = re.compile(r"[A-Za-z0-9_-]{1,600}")


class Pager:
    """Cuts one list into pages; `name` tells it from the others."""

    def __init__(self, database: Database, name: str) -> None:
        self._database = database
        self._name = name
        self._key = b""

    def after(self, size: int, token: str, *filters: object) -> tuple[Any, ...]:
        """The keys after which the page begins, empty for the first.

        Raises:
            InputError: the size is not from 1 to 1000, or the token is none of this list.
        """
        if isinstance(size, bool) or not 1 <= size <= MOST:
            raise InputError(f"page_size {quoted(size)}: must be 1 to {MOST}")
        return self._opened(token, filters) if token else ()

    def page(
        self, lines: Sequence[T], size: int, keys: Callable[[T], tuple[Any, ...]], *filters: object
    ) -> Page[T]:
        """A page of what was found: of `size + 1` lines at the most, in their order."""
        items = tuple(lines[:size])
        if len(lines) <= size:
            return Page(items)
        said = canonical(list(keys(items[-1])))
        token = base64.urlsafe_b64encode(said + self._signature(said, filters))
        return Page(items, token.decode("ascii").rstrip("="))

    def _opened(self, token: str, filters: tuple[object, ...]) -> tuple[Any, ...]:
        refused = InputError(
            f"page_token {quoted(token)}: must be the one that came with the page before, "
            "for the same list and the same filters"
        )
        if not _TOKEN.fullmatch(token):
            raise refused
        try:
            content = base64.urlsafe_b64decode(token + "=" * (-len(token) % 4))
        except binascii.Error:
            raise refused from None
        said, signature = content[:-_SIGNED], content[-_SIGNED:]
        if not hmac.compare_digest(signature, self._signature(said, filters)):
            raise refused
        return tuple(json.loads(said))

    def _signature(self, said: bytes, filters: tuple[object, ...]) -> bytes:
        question = canonical([self._name, *filters])
        signed = hmac.digest(self._secret(), question + b"\n" + said, hashlib.sha256)
        return signed[:_SIGNED]

    def _secret(self) -> bytes:
        if not self._key:
            key = self._database.read(lambda connection: connection.scalar(_KEY))
            if key is None:
                raise HostFault("the database has no row of parameters: it was never set up")
            self._key = key
        return self._key
