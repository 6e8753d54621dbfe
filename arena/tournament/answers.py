"""What a ladder's server says to people, as values: the same on both ends of the wire.

Entrants are named `OWNER/NAME`, versions by their ordinal, matches and uploads by their number.
What is said to everybody holds nothing that only some may know; fields that are for the owner and
for operators say so, and are empty for others. Times are `storage.facts.Moment`.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import Any

from arena.ladder.rating import Rating
from arena.storage.facts import (
    AttemptState,
    EntryKind,
    MatchKind,
    MatchState,
    Moment,
    UploadState,
    VersionState,
)

__all__ = [
    "Absence",
    "LadderInfo",
    "MatchSummary",
    "PublicAttempt",
    "PublicEntrant",
    "PublicResult",
    "PublicSeat",
    "PublicSeatResult",
    "PublicTableInfo",
    "PublicVersion",
    "RatingChange",
    "SettingLine",
    "StandingLine",
    "UploadStatus",
    "Waiting",
    "WhoAmI",
]


@dataclass(frozen=True, slots=True, kw_only=True)
class WhoAmI:
    """Whose token was shown, and what it may."""

    owner: str
    token: str
    scopes: tuple[str, ...]
    expires: Moment


# -- who takes part -----------------------------------------------------------------------------


@dataclass(frozen=True, slots=True, kw_only=True)
class PublicEntrant:
    """An entrant.

    Attributes:
        title: `OWNER/NAME`.
        active: The ordinal of the version that plays; None: none does.
        why_paused: For its owner and operators only.
    """

    title: str
    owner: str
    name: str
    created: Moment
    rating: Rating
    matches: int
    active: int | None
    is_paused: bool
    why_paused: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class PublicVersion:
    """A version; `why` is for its owner and operators only."""

    title: str
    ordinal: int
    label: str
    digest: str
    created: Moment
    state: VersionState
    players: tuple[int, ...]
    rulesets: tuple[str, ...]
    matches: int
    forfeits: int
    voids: int
    why: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class UploadStatus:
    """An upload on its way.

    Attributes:
        position: Its place in the queue, from 1; 0 when it does not wait.
        expected: When it is thought to be done; None: nobody can say.
        waiting_for: What it waits for, in words; empty when it does not wait.
        told: What each step that is done has said: pairs of step and text.
        ordinal: The version that came of it; None: none did.
        report: What the validation has found; None: there was none.
    """

    number: int
    owner: str
    archive: str
    length: int
    state: UploadState
    step: str
    position: int
    created: Moment
    started: Moment | None
    ended: Moment | None
    expected: Moment | None
    waiting_for: str
    bot: str
    told: tuple[tuple[str, str], ...]
    why: tuple[str, ...]
    ordinal: int | None
    report: Any = None

    @property
    def is_over(self) -> bool:
        """Nothing more will happen to it by itself."""
        return self.state not in (UploadState.QUEUED, UploadState.AT_WORK)


# -- the ladder ---------------------------------------------------------------------------------


class Absence(StrEnum):
    """Why somebody on the ladder does not play."""

    NONE = ""
    PAUSED = "paused"
    PROBATION = "probation"
    QUARANTINED = "quarantined"
    NO_VERSION = "no_version"


@dataclass(frozen=True, slots=True, kw_only=True)
class StandingLine:
    """One line of the ladder."""

    place: int
    title: str
    label: str
    rating: Rating
    matches: int
    absence: Absence


@dataclass(frozen=True, slots=True, kw_only=True)
class RatingChange:
    """How one entry of the ledger moved one entrant's rating; see `storage.facts.RatingEvent`."""

    entry: int
    kind: EntryKind
    at: Moment
    title: str
    ordinal: int
    match: int | None
    before: Rating
    after: Rating
    expected: float | None = None
    actual: float | None = None
    rank: int | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class PublicTableInfo:
    """A kind of table that is played here."""

    name: str
    ruleset: str
    players: int


@dataclass(frozen=True, slots=True, kw_only=True)
class LadderInfo:
    """What is played here; `paused` says why no matches begin, empty if they do."""

    tables: tuple[PublicTableInfo, ...]
    paused: str
    server_version: str


# -- matches ------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True, kw_only=True)
class PublicSeat:
    """Who sits where."""

    title: str
    ordinal: int
    label: str
    digest: str


@dataclass(frozen=True, slots=True, kw_only=True)
class PublicAttempt:
    """One try at a match; `seed` and `record` are empty until the match is over."""

    number: int
    state: AttemptState
    worker: str
    commitment: str
    started: Moment
    seed: str = ""
    ended: Moment | None = None
    why: str = ""
    record: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class PublicSeatResult:
    """What a result says of one seat; see `storage.facts.SeatReport`."""

    points: int
    wins: float
    shares: float
    forfeit: str
    detail: str
    tally: dict[str, Any]


@dataclass(frozen=True, slots=True, kw_only=True)
class PublicResult:
    """How a match ended; see `storage.facts.Result`."""

    attempt: int
    verdict: str
    why: str
    ranks: tuple[int, ...]
    seats: tuple[PublicSeatResult, ...]
    games: int
    record: str
    head: str
    started: Moment
    ended: Moment
    entry: int | None = None
    annulled: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class MatchSummary:
    """A match; lists leave out its attempts.

    Attributes:
        expected: When it is likely to be over, if it waits and that can be said.
        competition: The name of the one that it is played for; empty: none.
    """

    number: int
    kind: MatchKind
    table: str
    state: MatchState
    created: Moment
    seats: tuple[PublicSeat, ...]
    teams: tuple[tuple[int, ...], ...]
    terms: dict[str, Any]
    requested_by: str
    cause: str
    why: str
    position: int
    expected: Moment | None
    attempts: tuple[PublicAttempt, ...]
    result: PublicResult | None
    competition: str = ""

    @property
    def is_over(self) -> bool:
        """It will not be played any more."""
        return self.state in (MatchState.DONE, MatchState.CANCELLED)


@dataclass(frozen=True, slots=True, kw_only=True)
class Waiting:
    """A match that is watched does not run at present; `position` is 0 if nobody can say."""

    why: str
    position: int


# -- for operators ------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True, kw_only=True)
class SettingLine:
    """One setting in force, and where it comes from."""

    name: str
    value: str
    source: str
