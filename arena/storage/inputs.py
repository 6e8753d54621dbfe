"""What is taken from outside is checked here, before a database has to refuse it."""

from __future__ import annotations

import hashlib
import json
import re
from typing import Any, Final

from arena.errors import InputError, quoted

__all__ = ["canonical", "checked_number", "checked_text", "cleaned", "digest_of", "is_number"]

_MOST: Final = 2**63 - 1
_BAD: Final = re.compile("[\0\ud800-\udfff]")


def is_number(value: object) -> bool:
    """Whether this can be the number of something that is stored: from 1, in 64 bits."""
    return isinstance(value, int) and not isinstance(value, bool) and 1 <= value <= _MOST


def checked_number(what: str, value: Any, least: int = 1) -> int:
    """Return `value`.

    Raises:
        InputError: it is below `least`, or no database could store it.
    """
    if isinstance(value, bool) or not isinstance(value, int) or not least <= value <= _MOST:
        raise InputError(f"{what} {quoted(value)}: must be a whole number from {least} on")
    return value


def checked_text(what: str, value: str, longest: int, *, least: int = 0) -> str:
    """Return `value`.

    Raises:
        InputError: it is too long or too short, or holds what no database stores: NUL, or half of
            a surrogate pair.
    """
    if not least <= len(value) <= longest:
        raise InputError(f"{what} {quoted(value)}: must have {least} to {longest} characters")
    if cleaned(value) != value:
        raise InputError(f"{what} {quoted(value)}: must be text, without NUL or half characters")
    return value


def cleaned(value: Any) -> Any:
    """The same, with U+FFFD wherever a text in it holds what no database stores.

    For what must be kept whatever it says: the words of a bot's fault, an operator's deed.
    """
    if isinstance(value, str):
        return _BAD.sub("\ufffd", value)
    if isinstance(value, dict):
        return {cleaned(key): cleaned(one) for key, one in value.items()}
    if isinstance(value, list | tuple):
        return [cleaned(one) for one in value]
    return value


def canonical(value: Any) -> bytes:
    """The one JSON text of a value: ASCII, keys in order, no blanks.

    Raises:
        InputError: JSON has no word for it: a number that is not finite, or no value of JSON.
    """
    try:
        text = json.dumps(value, sort_keys=True, separators=(",", ":"), allow_nan=False)
    except (ValueError, TypeError, RecursionError) as error:
        raise InputError(f"{quoted(value)}: cannot be stored as JSON: {error}") from None
    return text.encode("ascii")


def digest_of(value: Any) -> str:
    """SHA-256 of the canonical JSON of a value, in hexadecimal digits."""
    return hashlib.sha256(canonical(value)).hexdigest()
