"""What is agreed for a match of the ladder: all that has to be known to play it again, as JSON."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, fields, replace
from enum import StrEnum
from typing import Any, Final

from arena.engine.rulesets import RuleSet, Value, make_ruleset
from arena.engine.scoring import Length
from arena.engine.seating import Seating, make_seating
from arena.errors import FieldError, InputError, quoted
from arena.referee.game import Sitting, every_rotation, one_rotation
from arena.referee.limits import (
    STANDARD_LIMITS,
    FaultBudget,
    Limits,
    TimeControl,
    WindowMode,
    limits_from,
)
from arena.sandbox.policy import PLAYING, Policy

__all__ = ["RATED_LIMITS", "Rotations", "Terms", "terms_from"]

RATED_LIMITS: Final = replace(STANDARD_LIMITS, window=WindowMode.SEALED)
"""The limits of rated play: those of local play, with windows that no timing betrays."""

_PER_SECOND: Final = 1_000_000_000
_OF_SANDBOX: Final = ("memory", "processors", "processes")


class Rotations(StrEnum):
    """How often a board is played, and from which seats."""

    ALL = "all"
    """Once in every rotation of the seats, each in a leg of its own."""
    ONE = "one"
    """Once; everybody moves on by one seat from board to board."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Terms:
    """What a match is about.

    Attributes:
        preset, options: The rule set.
        boards: How many boards.
        rotations: How often each of them is played.
        hands: How many hands a game has; None: to the match points.
        limits: What the bots are allowed.
        sandbox: What each may take of the machine, where its sandbox can limit that.
        striped: How the draw pile is dealt.

    Raises:
        InputError: a number is below 1.
    """

    preset: str = "classic"
    options: Mapping[str, Value] = field(default_factory=dict)
    boards: int = 10
    rotations: Rotations = Rotations.ALL
    hands: int | None = None
    limits: Limits = RATED_LIMITS
    sandbox: Policy = PLAYING
    striped: bool = True

    def __post_init__(self) -> None:
        for name in ("boards", "hands"):
            value = getattr(self, name)
            if value is not None and value < 1:
                raise InputError(f"{name} {value}: must be at least 1")

    def rules(self, players: int) -> RuleSet:
        """The rule set at a table for so many.

        Raises:
            RuleSetError: there is no such rule set.
        """
        return make_ruleset(self.preset, self.options, players=players)

    def seating(self, teams: tuple[tuple[int, ...], ...]) -> Seating:
        """The seating of these teams; raises RuleSetError if the rules have none like it."""
        return make_seating(self.rules(sum(map(len, teams))), teams)

    def legs(self, players: int) -> tuple[tuple[Sitting, ...], ...]:
        """The games, by leg."""
        chosen = every_rotation if self.rotations is Rotations.ALL else one_rotation
        return chosen(self.boards, players)

    @property
    def length(self) -> Length:
        """How long a game lasts."""
        return Length(self.hands)

    def as_json(self) -> dict[str, Any]:
        """The terms as they are stored; times in seconds, as settings have them.

        All rotations, and a sandbox as usual, are not mentioned: whoever knows of no others can
        read that.
        """
        rotations = {} if self.rotations is Rotations.ALL else {"rotations": str(self.rotations)}
        own = {name: getattr(self.sandbox, name) for name in _OF_SANDBOX}
        sandbox = {} if self.sandbox == PLAYING else {"sandbox": own}
        time, faults = self.limits.time, self.limits.faults
        return {
            "preset": self.preset,
            "options": dict(self.options),
            "boards": self.boards,
            **rotations,
            "hands": self.hands,
            "striped": self.striped,
            **sandbox,
            "limits": {
                **{one.name: getattr(time, one.name) / _PER_SECOND for one in fields(TimeControl)},
                **{one.name: getattr(faults, one.name) for one in fields(FaultBudget)},
                "window": str(self.limits.window),
            },
        }


def terms_from(stored: Mapping[str, Any]) -> Terms:
    """The terms that `Terms.as_json` has put down; what is not there is as usual.

    Raises:
        InputError: a member is unknown or wrong; the message names it.
    """
    known = {one.name for one in fields(Terms)}
    if unknown := sorted(set(stored) - known):
        raise FieldError(f"terms.{unknown[0]}", f"there are only {', '.join(sorted(known))}")
    values = {name: value for name, value in stored.items() if name != "limits"}
    if "sandbox" in values:
        values["sandbox"] = _sandbox(values["sandbox"])
    if "rotations" in values:
        values["rotations"] = _rotations(values["rotations"])
    limits = limits_from(stored.get("limits", {}), RATED_LIMITS)
    try:
        return Terms(**values, limits=limits)
    except TypeError as error:
        raise FieldError("terms", str(error)) from None


def _sandbox(value: object) -> Policy:
    if not isinstance(value, dict) or set(value) - set(_OF_SANDBOX):
        raise FieldError(
            "terms.sandbox", f"must have no more than {', '.join(_OF_SANDBOX)}, not {quoted(value)}"
        )
    for name, number in value.items():
        most = getattr(PLAYING, name)
        is_number = isinstance(number, int | type(most)) and not isinstance(number, bool)
        if not is_number or number > most:
            raise FieldError(f"terms.sandbox.{name}", f"must be up to {most}, not {quoted(number)}")
    return replace(PLAYING, **value)


def _rotations(value: object) -> Rotations:
    try:
        return Rotations(str(value))
    except ValueError:
        known = ", ".join(Rotations)
        raise FieldError("terms.rotations", f"must be {known}, not {quoted(value)}") from None
