"""What often lies behind the last words of a program, for authors who do not know sandboxes yet."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Final

__all__ = ["hints"]

_HINTS: Final = (
    (
        r"socket(?s:.{0,600})(not permitted|not supported)|[Nn]etwork is unreachable|"
        r"[Nn]ame resolution|[Nn]ame or service not known|ENOTFOUND|EAI_AGAIN|ENETUNREACH|"
        r"no such host|UnknownHostException",
        "there is no network: what a bot needs has to be in its archive or its image",
    ),
    (
        r"Read-only file system|EROFS",
        "a bot can write nowhere but in /tmp, and a build in its own folder too",
    ),
    (
        r"No module named|Cannot find module|ClassNotFoundException|cannot open shared object",
        "what its image lacks has to be in its archive",
    ),
    (
        r"No space left on device|ENOSPC",
        "the folder that it wrote to was full",
    ),
    (
        r"Resource temporarily unavailable|can't start new thread|EAGAIN",
        "it may not have so many processes and threads",
    ),
)


def hints(lines: Sequence[str]) -> tuple[str, ...]:
    """What a log hints at; nothing, most of the time."""
    text = "\n".join(lines)
    return tuple(hint for pattern, hint in _HINTS if re.search(pattern, text))
