"""Where in a TOML text something stands: `tomllib` tells it of its own refusals only."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Mapping
from typing import Final

__all__ = ["TOKEN", "first_line_too_much", "lines_of_keys"]

# Enough of TOML to tell strings, comments and brackets apart in a text that is known to be right.
# Up to two quotes more may stand before the three that end a long string.
TOKEN: Final = re.compile(
    r'"""(?:\\.|[^\\])*?"""(?:""|")?'
    r"|'''.*?'''(?:''|')?"
    r'|"(?:\\.|[^"\\\n])*"'
    r"|'[^'\n]*'"
    r"|\#[^\n]*"
    r"|[\[\]{}]"
    r"|\n"
    r"|[A-Za-z0-9_-]+"
    r"|.",
    re.DOTALL,
)
"""The words of a text, one after the other; together they are all of it."""


def lines_of_keys(text: str) -> Mapping[str, int]:
    """The line, from 1, on which each key of the outermost table first stands.

    `text` is TOML that has been read without complaint. A key inside a table counts for nothing,
    the head of a table for the name of the table.
    """
    found: dict[str, int] = {}
    line, depth = 1, 0
    at_start, in_table = True, False
    header = False
    for match in TOKEN.finditer(text):
        token = match[0]
        if token == "\n":
            at_start = at_start or depth == 0
            header = header and depth > 0
        elif token in "[{":
            depth += 1
            if at_start:  # [table] or [[table]]; what comes first in it is its name
                at_start, header, in_table = False, True, True
        elif token in "]}":
            depth -= 1
        elif not token.isspace() and token[0] != "#":
            if header or (at_start and not in_table):
                found.setdefault(_decoded(token), line)
            at_start, header = False, False
        line += token.count("\n")
    return found


def _decoded(key: str) -> str:
    (name,) = tomllib.loads(f"{key} = 0")
    return name


def first_line_too_much(text: str) -> int:
    """The line, from 1, on which stands what `tomllib` cannot read without saying where.

    That is a number without end or arrays in arrays in arrays: whatever comes after, it fails
    there, so the lines up to it can be found by halving.
    """
    lines = text.split("\n")
    low, high = 1, len(lines)
    while low < high:
        middle = (low + high) // 2
        if _is_too_much("\n".join(lines[:middle])):
            high = middle
        else:
            low = middle + 1
    return low


def _is_too_much(text: str) -> bool:
    try:
        tomllib.loads(text)
    except tomllib.TOMLDecodeError:
        return False
    except (ValueError, RecursionError):
        return True
    return False
