"""Why somebody is not given what they ask the server for.

Each says whose fault it is by its class, which in words, by `reason` (UPPER_SNAKE, part of the
protocol), and what it is about by `facts`. `transport.status` makes statuses of them.
"""

from __future__ import annotations

from arena.errors import InputError, quoted

__all__ = ["Forbidden", "Invalid", "OverQuota", "Refusal", "TooSlow", "Unknown", "WrongPhase"]


class Refusal(InputError):  # noqa: N818 - an answer, as much as a fault
    """Base; callers raise the classes below."""

    def __init__(self, reason: str, problem: str, **facts: object) -> None:
        super().__init__(problem)
        self.reason = reason
        self.facts = {name: str(value) for name, value in facts.items()}


class Invalid(Refusal):
    """A request that cannot be read."""

    def __init__(self, field: str, problem: str, reason: str = "INVALID_REQUEST") -> None:
        super().__init__(reason, f"{field}: {problem}", field=field)


class Unknown(Refusal):
    """There is no such thing, or it is not the caller's business: both look the same."""

    def __init__(self, what: str, name: object) -> None:
        shown = name if isinstance(name, int) else quoted(name)
        super().__init__(
            f"UNKNOWN_{what.upper()}", f"{what} {shown}: there is none of this name", **{what: name}
        )


class WrongPhase(Refusal):
    """Not now: not in the state in which the thing is."""


class Forbidden(Refusal):
    """This caller may not do that."""


class OverQuota(Refusal):
    """More than one caller may have at a time."""


class TooSlow(Refusal):
    """The caller has taken too long."""
