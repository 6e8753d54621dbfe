"""One attempt at a match as a value: what is to be played, and what came of it.

Both travel between processes and are stored, so they hold no more than is needed.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from pathlib import Path
from typing import Final

from arena.engine.deal import Board, sub_key
from arena.engine.rulesets import RuleSet
from arena.engine.scoring import Length
from arena.engine.seating import Seating
from arena.referee.events import GameResult, Verdict
from arena.referee.game import TO_MATCH_POINTS, MatchPlan, Sitting
from arena.referee.limits import STANDARD_LIMITS, Limits
from arena.referee.tally import Tally
from arena.sandbox.launcher import Exit
from arena.sandbox.policy import PLAYING, Policy
from arena.submissions.manifest import Manifest

__all__ = [
    "PROCESSES",
    "MatchOutcome",
    "MatchSpec",
    "Play",
    "Pondering",
    "Sandbox",
    "Venue",
    "board_of",
]


class Sandbox(StrEnum):
    """What a bot's program is run in."""

    PROCESS = "process"
    """Nothing: it may do what the user may who started us."""
    BUBBLEWRAP = "bubblewrap"
    """Namespaces without limits on what it takes: for one's own bots."""
    DOCKER = "docker"
    """A container: for strangers' bots."""


class Pondering(StrEnum):
    """What bots may do when nothing is asked of them."""

    FROZEN = "frozen"
    """They are held still."""
    ALLOWED = "allowed"


@dataclass(frozen=True, slots=True, kw_only=True)
class Venue:
    """Where and how matches are played.

    Attributes:
        in_process: Bots in Python are called as objects, without processes, sockets or clocks that
            could stop them.
        port: Bots connect to loopback ports from this one on (0: any free ones); None: to sockets.
        strict_bots: Bots of the SDK end at their first exception.
        records: A folder for records; None: none is kept.
        sandbox: What bots are run in.
        images: For `Sandbox.DOCKER`, by bot, the id of the image that it runs in.
        runtime: For `Sandbox.DOCKER`, the engine's runtime; empty: its default.
        policy: For `Sandbox.DOCKER`, what a bot may take of the machine.
        holds_still: Bots that nothing is asked of are held still, where the sandbox can do that.
        turns: A folder made by `app.make_turns`, where matches wait for their turn; None: they do
            not wait.
    """

    in_process: bool = False
    port: int | None = None
    strict_bots: bool = False
    records: Path | None = None
    sandbox: Sandbox = Sandbox.PROCESS
    images: tuple[str, ...] = ()
    runtime: str = ""
    policy: Policy = PLAYING
    holds_still: bool = False
    turns: Path | None = None

    @property
    def pondering(self) -> Pondering:
        """What bots may do when nothing is asked of them."""
        return Pondering.FROZEN if self.holds_still else Pondering.ALLOWED


PROCESSES: Final = Venue()
"""Bots are processes that connect to sockets; nothing is recorded."""


@dataclass(frozen=True, slots=True, kw_only=True)
class MatchSpec:
    """One attempt at a match.

    Attributes:
        number: The match's number in its series, from 0.
        part: After a forfeit the games that are left are a match of their own: its number, from 0.
        attempt: Which try this is, from 1.
        bots: Who plays.
        rules, seating: What is played, and who with whom.
        seed: 32 bytes from which all boards of the series and the bots' own seeds follow.
        boards: Numbers of the boards in the series; a sitting names a place in this list.
        legs: The games, as in `MatchPlan`.
        limits, length, striped: As in `MatchPlan`.
        play_on: As in `MatchPlan`. Where it is False a crash costs its game alone, for the others
            are played again with the bot that crashed; a match that is rated has no second part.
        venue: Where it is played.
        title: What the attempt is called; empty: as in a series.
        facts: What the header of its record says besides; nothing in it is a secret any more when
            the match is over. It can be put in JSON.
    """

    number: int = 0
    part: int = 0
    attempt: int = 1
    bots: tuple[Manifest, ...]
    rules: RuleSet
    seating: Seating
    seed: bytes
    boards: tuple[int, ...]
    legs: tuple[tuple[Sitting, ...], ...]
    limits: Limits = STANDARD_LIMITS
    length: Length = TO_MATCH_POINTS
    striped: bool = True
    play_on: bool = False
    venue: Venue = PROCESSES
    title: str = ""
    facts: Mapping[str, object] = field(default_factory=dict)

    @property
    def name(self) -> str:
        """What the attempt is called: `00012-0-1` in a series, or its title."""
        return self.title or f"{self.number:05}-{self.part}-{self.attempt}"

    def plan(self) -> MatchPlan:
        """What the referee has to know of it."""
        return MatchPlan(
            rules=self.rules,
            seating=self.seating,
            boards=tuple(board_of(self.seed, board) for board in self.boards),
            legs=self.legs,
            limits=self.limits,
            length=self.length,
            striped=self.striped,
            play_on=self.play_on,
        )

    def bot_seed(self, bot: int, leg: int) -> int:
        """A seed below 2^64 for a bot's own chance; the deals cannot be told from it."""
        purpose = f"bot/{self.number}/{self.part}/{leg}/{bot}"
        return int.from_bytes(sub_key(self.seed, purpose)[:8], "big")


def board_of(seed: bytes, number: int) -> Board:
    """Board `number` of the series with this seed."""
    return Board(sub_key(seed, f"board/{number}"))


@dataclass(frozen=True, slots=True, kw_only=True)
class MatchOutcome:
    """What came of an attempt.

    Attributes:
        verdict: How it ended.
        results: The games, the last of which may have been broken off.
        tallies: By bot, what went wrong and how long it thought.
        logs: By bot, what it wrote.
        exits: By bot and leg, how it ended, where that is known.
        record_head: The chain hash of the record's last line; empty if none was kept.
    """

    verdict: Verdict
    results: tuple[GameResult, ...]
    tallies: tuple[Tally, ...]
    logs: tuple[str, ...]
    exits: tuple[tuple[Exit, ...], ...] = ()
    record_head: str = ""


Report = Callable[[GameResult], None]
"""Hears of every game as it ends."""

Play = Callable[[MatchSpec, Report], MatchOutcome]
"""Plays an attempt. Raises `HostFault` if this machine failed in a way that no verdict tells."""
