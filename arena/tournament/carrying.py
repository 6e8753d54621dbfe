"""From one value to another that says the same, or less."""

from __future__ import annotations

import dataclasses
from typing import Any, TypeVar

__all__ = ["carried"]

T = TypeVar("T")


def carried(kind: type[T], source: object, /, **others: Any) -> T:
    """A dataclass whose attributes are those of `source` with their names, but for `others`.

    What `source` does not have stays as `kind` has it by itself.
    """
    names = [one.name for one in dataclasses.fields(kind)]  # type: ignore[arg-type]
    own = {name: getattr(source, name) for name in names if hasattr(source, name)}
    return kind(**{**own, **others})
