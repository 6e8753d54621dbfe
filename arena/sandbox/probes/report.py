"""The checks' results as a line of text: written in the sandbox, read outside."""

from __future__ import annotations

import dataclasses
import json
from typing import Final

from . import calls, files, identity, limits, privacy
from .checks import CHECKS, Result, State

__all__ = ["FORMAT", "read", "written"]

FORMAT: Final = "arena-probe/1"
"""The first word of the line."""

# Importing them has registered their checks; this names them, so that none is forgotten.
MODULES: Final = (calls, files, limits, identity, privacy)


def written() -> str:
    """Make all checks; the line, with its end."""
    results = [dataclasses.asdict(one.result()) for one in CHECKS]
    return f"\n{FORMAT} {json.dumps(results)}\n"


def read(text: str) -> list[Result]:
    """The results in what a sandbox has written; anything may be around the line.

    Raises:
        ValueError: there is no such line, or it is broken.
    """
    lines = [line for line in text.splitlines() if line.startswith(f"{FORMAT} ")]
    if not lines:
        raise ValueError(f"no line begins with {FORMAT!r}")
    try:
        found = json.loads(lines[-1].removeprefix(FORMAT))
        return [Result(**{**one, "state": State(one["state"])}) for one in found]
    except (TypeError, KeyError) as error:
        raise ValueError(f"the line of the probe is broken: {error}") from None
