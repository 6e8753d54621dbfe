"""What often lies behind the last words of a program, for authors who do not know sandboxes yet."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Final

from arena.submissions.bottoml import Manifest

__all__ = ["hints", "image_in_words"]

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
        r"No module named|Cannot find (module|package)|ClassNotFoundException|"
        r"cannot open shared object",
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


_NOT_STARTED: Final = re.compile(r"cannot start '([^']+)'(?: in its image)?: (\w[\w ]*)")
"""What a sandbox or a bridge says of a program that the image does not have, or may not run."""


def hints(lines: Sequence[str], image: str = "its image") -> tuple[str, ...]:
    """What a log, or a problem, hints at; nothing, most of the time.

    `image` is what the bot runs in, in words; see `image_in_words`.
    """
    text = "\n".join(lines)
    found = [hint for pattern, hint in _HINTS if re.search(pattern, text)]
    found += [_of_start(each[1], each[2], image) for each in _NOT_STARTED.finditer(text)]
    return tuple(dict.fromkeys(found))


def image_in_words(bot: Manifest, instead: str = "") -> str:
    """What a bot runs in: the image of its language, unless another one is named."""
    named = instead or ("" if bot.image_name == bot.language else bot.image_name)
    return f"the image {named!r}" if named else f"the image of the language {bot.language}"


def _of_start(program: str, why: str, image: str) -> str:
    if why.startswith("Permission denied"):
        return f"{program!r} is not marked as a program where it lies: chmod +x, then pack again"
    if "/" in program:
        return (
            f"there is no {program!r} in the bot's folder, as it was packed or built; or its "
            f"interpreter or a library is not in {image}"
        )
    return (
        f"{image} has no program {program!r}: name another language or image in bot.toml, or "
        "one of the bot's own files, such as './bot'"
    )
