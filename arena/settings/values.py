"""What can be set, section by section: a name, a default, what it means and what is allowed.

A settings object that exists is valid; `reading` makes it from a file, `printing` makes a file of
it. Durations are in seconds.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, fields, replace
from math import isfinite
from typing import Any, Final

from arena.engine.rulesets import PRESETS, make_ruleset
from arena.engine.seating import make_seating
from arena.errors import InputError, quoted
from arena.ladder.rating import Parameters
from arena.referee.limits import STANDARD_LIMITS, Limits, WindowMode
from arena.tournament.matches import Sandbox

__all__ = [
    "MatchSettings",
    "ProbationSettings",
    "QuotaSettings",
    "SandboxSettings",
    "ServerSettings",
    "Settings",
    "TableSettings",
]


_SEALED_LIMITS: Final = replace(STANDARD_LIMITS, window=WindowMode.SEALED)


def _set(
    default: Any, meaning: str, *, least: float | None = None, most: float | None = None
) -> Any:
    """A setting with its default, what it means, and its range if it is a number."""
    return field(default=default, metadata={"meaning": meaning, "least": least, "most": most})


def _check(section: object) -> None:
    """Refuse a number out of its range.

    Raises:
        InputError: it begins with the setting's name.
    """
    for one in fields(section):  # type: ignore[arg-type]
        least, most = one.metadata.get("least"), one.metadata.get("most")
        if least is None:
            continue
        value = getattr(section, one.name)
        if not isfinite(value) or value < least or (most is not None and value > most):
            allowed = f"at least {least:g}" if most is None else f"from {least:g} to {most:g}"
            raise InputError(f"{one.name} {value:g}: must be {allowed}")


@dataclass(frozen=True, slots=True, kw_only=True)
class ServerSettings:
    """`[server]`: where it keeps things and where it listens."""

    data: str = _set("arena-data", "The folder that holds everything; made if it is not there.")
    database: str = _set(
        "", "A PostgreSQL URL (postgresql+psycopg://...); empty: SQLite in the data folder."
    )
    public: str = _set("127.0.0.1:7400", "HOST:PORT for authors and everyone.")
    operators: str = _set("127.0.0.1:7401", "HOST:PORT for operators; keep it on loopback.")
    metrics: str = _set("127.0.0.1:7402", "HOST:PORT for Prometheus; empty: none.")
    certificate: str = _set("", "A PEM file: TLS on the public address and the operators'.")
    key: str = _set("", "The PEM file with the certificate's key.")
    proxied: bool = _set(
        False, "A proxy in front does TLS: plain connections beyond loopback are allowed."
    )
    drain: float = _set(
        120.0, "At SIGTERM, seconds for matches to end before they are handed back.", least=0
    )
    free_space: int = _set(
        1024, "MiB on the data folder's disk below which no match begins.", least=0
    )

    def __post_init__(self) -> None:
        _check(self)
        for name in ("public", "operators", "metrics"):
            if value := getattr(self, name):
                _check_address(name, value)
            elif name != "metrics":
                raise InputError(f"{name}: must be HOST:PORT, such as 127.0.0.1:7400")
        if bool(self.certificate) != bool(self.key):
            raise InputError("certificate and key belong together: give both or neither")
        if not self.data:
            raise InputError("data: must name a folder")


def _check_address(name: str, value: str) -> None:
    host, _, port = value.rpartition(":")
    if not host or not port.isascii() or not port.isdigit() or int(port) > 65_535:
        raise InputError(
            f"{name} {quoted(value)}: must be HOST:PORT, such as 127.0.0.1:7400; port 0 is any free"
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class SandboxSettings:
    """`[sandbox]`: what bots run in."""

    kind: Sandbox = _set(  # noqa: RUF009 - a field
        Sandbox.DOCKER, "docker; for development on loopback also bubblewrap or process."
    )
    runtime: str = _set("", "The engine's runtime for bots, such as runsc; empty: its default.")
    accept: tuple[str, ...] = _set(
        (), "Checks of `arena doctor` that may fail; named at every start."
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class MatchSettings:
    """`[matches]`: what a rated match is, and how many are played."""

    at_once: int = _set(
        0,
        "Matches played at once; 0: one for each core, or what memory allows.",
        least=0,
        most=1000,
    )
    boards: int = _set(
        24, "Boards of a match, each played in every rotation of the seats.", least=1, most=1000
    )
    hands: int = _set(
        0, "Hands of a game; 0: until a team reaches the match points.", least=0, most=1000
    )
    match_points: int = _set(0, "Points that end a game; 0: as the rule set says.", least=0)
    window: WindowMode = _set(  # noqa: RUF009 - a field
        WindowMode.SEALED, "How a response window is run: sealed, prompt or standing."
    )
    live_delay: float = _set(
        30.0, "Seconds by which whoever watches a match is behind it.", least=0, most=86_400
    )
    lease: float = _set(
        60.0,
        "Seconds after which a match that nobody has reported on is given out again.",
        least=5,
        most=86_400,
    )

    def __post_init__(self) -> None:
        _check(self)
        if self.hands and self.match_points:
            raise InputError("hands and match_points both say how long a game is; give one")


@dataclass(frozen=True, slots=True, kw_only=True)
class TableSettings:
    """`[[table]]`: a kind of table that the ladder plays; all count for the same rating."""

    name: str = _set("classic-2", "What it is called.")
    ruleset: str = _set("classic", f"The rule set: {', '.join(PRESETS)}.")
    players: int = _set(2, "How many sit there; 4 and 6 play the classic game in teams of two.")
    weight: float = _set(
        1.0, "How often it is played, against the other tables' weights.", least=0.001, most=1000
    )
    options: Mapping[str, Any] = field(
        default_factory=dict, metadata={"meaning": "Options of the rule set, by name."}
    )

    def __post_init__(self) -> None:
        _check(self)
        rules = make_ruleset(self.ruleset, dict(self.options), players=self.players)
        make_seating(rules, self.players)


@dataclass(frozen=True, slots=True, kw_only=True)
class ProbationSettings:
    """`[probation]`: when a version is not scheduled before it has passed a check."""

    in_a_row: int = _set(3, "So many matches forfeited one after the other are too many.", least=1)
    forfeits: int = _set(5, "So many forfeits", least=1)
    of_last: int = _set(20, "within so many matches are too many.", least=1)

    def __post_init__(self) -> None:
        _check(self)
        if self.forfeits > self.of_last:
            raise InputError(f"forfeits {self.forfeits}: at most of_last, {self.of_last}")


@dataclass(frozen=True, slots=True, kw_only=True)
class QuotaSettings:
    """`[quota]`: what one owner may ask for."""

    entrants: int = _set(3, "Bots of one owner.", least=1)
    uploads: int = _set(20, "Uploads of one owner in 24 hours.", least=1)
    waiting: int = _set(3, "Uploads of one owner that wait or are at work at once.", least=1)
    challenges: int = _set(10, "Challenges of one owner that wait at once.", least=0)
    activations: int = _set(10, "Returns to another version of one owner in 24 hours.", least=0)

    def __post_init__(self) -> None:
        _check(self)


@dataclass(frozen=True, slots=True, kw_only=True)
class Settings:
    """Everything that can be set; see `values` for each.

    Attributes:
        limits: What bots are allowed; its window is that of `matches`.
        tables: At least one, with different names.
        rating: What ratings are worked out with.
    """

    server: ServerSettings = field(default_factory=ServerSettings)
    sandbox: SandboxSettings = field(default_factory=SandboxSettings)
    matches: MatchSettings = field(default_factory=MatchSettings)
    limits: Limits = field(default_factory=lambda: _SEALED_LIMITS)
    tables: tuple[TableSettings, ...] = field(default_factory=lambda: (TableSettings(),))
    rating: Parameters = field(default_factory=Parameters)
    probation: ProbationSettings = field(default_factory=ProbationSettings)
    quota: QuotaSettings = field(default_factory=QuotaSettings)

    def plays(self, ruleset: str, players: int) -> bool:
        """Whether the ladder has a table with that rule set for so many."""
        return any((one.ruleset, one.players) == (ruleset, players) for one in self.tables)
