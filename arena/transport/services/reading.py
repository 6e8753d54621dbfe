"""Fields that many requests have: pages and ids."""

from __future__ import annotations

import re
from typing import Any, Final

from arena.errors import quoted
from arena.tournament.refusals import Invalid

__all__ = ["number", "paged"]

_USUAL: Final = 50
_MOST: Final = 500
_NUMBER: Final = re.compile(r"[1-9][0-9]{0,17}", re.ASCII)


def paged(request: Any) -> tuple[int, str]:
    """The size and the token of the page that is asked for.

    Raises:
        Invalid: a size that is negative. One above 500 is 500.
    """
    if request.page_size < 0:
        raise Invalid("page_size", f"{request.page_size}: must be 0 to {_MOST}")
    return min(request.page_size or _USUAL, _MOST), request.page_token


def number(field: str, text: str) -> int:
    """The number in an id.

    Raises:
        Invalid: it is no id.
    """
    if not _NUMBER.fullmatch(text):
        raise Invalid(field, f"{quoted(text)}: must be a number as the server has given it")
    return int(text)
