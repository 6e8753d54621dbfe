"""What is stored, as values: what goes into the database and what comes out of it.

Every number of an owner, entrant, version, upload or match is a positive integer that the database
hands out and never uses again. Calendar time is a `Moment`.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any, Generic, NewType, TypeVar

from arena.ladder.rating import Rating

__all__ = [
    "Attempt",
    "AttemptState",
    "AuditEntry",
    "Clock",
    "Contender",
    "Difference",
    "Entrant",
    "Entry",
    "EntryKind",
    "Lease",
    "Level",
    "Match",
    "MatchKind",
    "MatchState",
    "Moment",
    "NewMatch",
    "NewVersion",
    "OpenRun",
    "Owner",
    "Page",
    "Principal",
    "RatingEvent",
    "Rebuilt",
    "Receipt",
    "RefusedReport",
    "Report",
    "Result",
    "Seat",
    "SeatReport",
    "Standing",
    "Token",
    "TokenKind",
    "Totals",
    "Upload",
    "UploadState",
    "Version",
    "VersionState",
]

T = TypeVar("T")

Moment = NewType("Moment", int)
"""A point in calendar time: milliseconds since 1970-01-01 in UTC."""

Clock = Callable[[], Moment]
"""Tells the present moment; handed in, so that tests have their own."""


@dataclass(frozen=True, slots=True)
class Page(Generic[T]):
    """A part of a list; `next` is the token of the following one, empty after the last."""

    items: tuple[T, ...]
    next: str = ""


# -- who ----------------------------------------------------------------------------------------


class Level(StrEnum):
    """Who may see the results of a competition; each may see what the one before may."""

    HIDDEN = "hidden"
    """Operators only."""
    PARTICIPANTS = "participants"
    """Owners of an entry as well."""
    PUBLIC = "public"


class TokenKind(StrEnum):
    """What a token is for."""

    OWNER = "owner"
    ADMIN = "admin"
    WORKER = "worker"


@dataclass(frozen=True, slots=True, kw_only=True)
class Owner:
    """Somebody who enters bots.

    Attributes:
        name: 1 to 64 of a-z 0-9 _ -.
        suspended: Why this owner may do nothing at present; empty: may.
        machine_time: Milliseconds of the machine that the matches of this owner's bots have taken,
            each match's shared among its owners; those of competitions are not counted.
    """

    number: int
    name: str
    created: Moment
    suspended: str = ""
    machine_time: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class Token:
    """A token as it is kept: its secret is not.

    Attributes:
        public: What it is found by: the third part of `arena_KIND_PUBLIC_SECRET`.
        owner: Whose it is; None: an operator's.
        scopes: Some of submit, read, worker, admin.
        revoked: When it was; None: it was not.
    """

    public: str
    kind: TokenKind
    owner: str | None
    scopes: frozenset[str]
    created: Moment
    expires: Moment
    last_used: Moment | None = None
    revoked: Moment | None = None
    note: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Principal:
    """Who calls: what a valid token says."""

    kind: TokenKind
    token: str
    owner: str | None
    scopes: frozenset[str]


@dataclass(frozen=True, slots=True, kw_only=True)
class AuditEntry:
    """Something that an operator has done, or somebody was not allowed to do."""

    number: int
    at: Moment
    who: str
    action: str
    target: str
    detail: str = ""


# -- what they enter ----------------------------------------------------------------------------


class UploadState(StrEnum):
    """Where an upload is on its way."""

    QUEUED = "queued"
    AT_WORK = "at_work"
    ACCEPTED = "accepted"
    REFUSED = "refused"
    """The bot is to blame; `why` says how."""
    SET_ASIDE = "set_aside"
    """This machine has failed at it in each of three attempts: a person has to look."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Upload:
    """One upload on its way.

    Attributes:
        archive: SHA-256 of its bytes.
        bot: The name in its `bot.toml`, once it is known.
        state, step: Where it is; the step is one of check, store, build, validate, or empty.
        position: Its place in the queue, from 1; 0 when it does not wait.
        why: One line or several, for its author.
        told: What each step that is done has said: pairs of step and text.
        log: What its build has written: the first and the last lines.
        report: The validation, as `tournament.validation` puts it for programs.
        attempts: How often it was begun.
        version: The version that came of it.
    """

    number: int
    owner: str
    archive: str
    length: int
    request: str
    state: UploadState
    created: Moment
    started: Moment | None = None
    ended: Moment | None = None
    bot: str = ""
    step: str = ""
    position: int = 0
    why: tuple[str, ...] = ()
    told: tuple[tuple[str, str], ...] = ()
    log: tuple[str, ...] = ()
    report: Any = None
    attempts: int = 0
    version: int | None = None


class VersionState(StrEnum):
    """What becomes of a version."""

    ACTIVE = "active"
    """It is the one that plays."""
    SUPERSEDED = "superseded"
    PROBATION = "probation"
    """It has failed too often and is not scheduled until it has passed a check; `why` says more."""
    QUARANTINED = "quarantined"
    """An operator has taken it out, or too many of its matches were void."""


@dataclass(frozen=True, slots=True, kw_only=True)
class NewVersion:
    """What is to become a version: `content` is what `submissions.shelf.Version.as_bytes` says."""

    digest: str
    archive: str
    artefact: str
    image: str
    name: str
    label: str
    content: bytes
    players: tuple[int, ...]
    rulesets: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Version:
    """One upload of a bot that was accepted.

    Attributes:
        number: Its number among all.
        ordinal: Its number among its entrant's, from 1.
        digest: SHA-256 of all that it says.
        label: What its author calls it: `version` in `bot.toml`.
        content: What `submissions.shelf.version_of` reads.
        players, rulesets: The tables it takes part in.
        matches, forfeits, voids: How many of its rated matches are over, were forfeited by it, and
            how many attempts were void.
        failing: How many of its last matches in a row it has forfeited.
    """

    number: int
    entrant: int
    ordinal: int
    digest: str
    archive: str
    artefact: str
    image: str
    label: str
    content: bytes
    players: tuple[int, ...]
    rulesets: tuple[str, ...]
    created: Moment
    state: VersionState
    why: str = ""
    matches: int = 0
    forfeits: int = 0
    voids: int = 0
    failing: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class Entrant:
    """A bot as its author knows it.

    Attributes:
        owner, name: Unique together.
        version: The number of the version that plays; None: none does.
        rating: What its results say.
        matches: Rated matches that count.
        last_entry: The number of its last entry in the ledger; 0: none.
        paused: Its owner or an operator has it play no new matches; why, empty if not.
    """

    number: int
    owner: str
    name: str
    created: Moment
    rating: Rating
    version: int | None = None
    matches: int = 0
    last_entry: int = 0
    paused: str = ""

    @property
    def title(self) -> str:
        """What people call it: `OWNER/NAME`."""
        return f"{self.owner}/{self.name}"


@dataclass(frozen=True, slots=True, kw_only=True)
class Contender:
    """An entrant that may play a rated match now, as the matchmaker has to know it.

    Attributes:
        matches, version_matches: Rated matches that count of the entrant; those of this version.
        in_play: How many rated matches it sits in that are queued or being played.
        machine_time: Its owner's, in milliseconds; see `Owner`.
    """

    entrant: int
    owner: str
    version: int
    rating: Rating
    matches: int
    version_matches: int
    players: tuple[int, ...]
    rulesets: tuple[str, ...]
    in_play: int
    machine_time: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Totals:
    """The numbers of all versions together, to compare one with; see `Version`."""

    versions: int
    matches: int
    forfeits: int
    voids: int


# -- matches ------------------------------------------------------------------------------------


class MatchKind(StrEnum):
    """What a match is for."""

    RATED = "rated"
    CHALLENGE = "challenge"
    """Somebody has asked for it; unrated."""
    CHECK = "check"
    """Played by a version in probation; unrated."""
    COMPETITION = "competition"
    """Played by a competition; unrated."""


class MatchState(StrEnum):
    """Where a match is."""

    QUEUED = "queued"
    LEASED = "leased"
    DONE = "done"
    SET_ASIDE = "set_aside"
    """Every attempt was void or lost: a person has to look."""
    CANCELLED = "cancelled"


class AttemptState(StrEnum):
    """How an attempt stands."""

    LEASED = "leased"
    DONE = "done"
    VOID = "void"
    LOST = "lost"
    """Its lease has ended without a report."""


@dataclass(frozen=True, slots=True)
class Seat:
    """Who sits where."""

    entrant: int
    version: int


@dataclass(frozen=True, slots=True, kw_only=True)
class NewMatch:
    """A match that shall be played.

    Attributes:
        table: The name of the kind of table in the settings, such as `classic-2`.
        seats: In the seats of rotation 0.
        teams: By team, its seats.
        terms: All that has to be known to play it again, as JSON: rule set with options, boards,
            length, limits, striped.
        requested_by: The owner who asked for it; empty: the matchmaker.
        cause: Why it is played, one line for people.
        competition: The number of the one that it is a match of; None: of none.
        pairing: Which match of that competition, as stage/key/run, such as `1/3.2/1`.
    """

    kind: MatchKind
    table: str
    seats: tuple[Seat, ...]
    teams: tuple[tuple[int, ...], ...]
    terms: dict[str, Any]
    requested_by: str = ""
    cause: str = ""
    competition: int | None = None
    pairing: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Lease:
    """The right to play one attempt, until it ends or another is given.

    Attributes:
        token: Fences it: only who knows it may report.
        seed: 32 bytes, a secret until the match is over.
        commitment: SHA-256, published at once.
    """

    match: int
    attempt: int
    token: str = field(repr=False)
    seed: bytes = field(repr=False)
    commitment: str
    ends: Moment
    new: NewMatch


@dataclass(frozen=True, slots=True, kw_only=True)
class Attempt:
    """One try at a match; `seed` is empty until the match is over.

    Attributes:
        of_play: Of one that has come to nothing, whether that came of playing. It did not where no
            bot was started, an operator wanted it, or the server itself was ended.
        blamed: The seat that its fault could be traced to; None: nobody.
    """

    match: int
    number: int
    state: AttemptState
    worker: str
    commitment: str
    seed: str
    leased: Moment
    lease_ends: Moment
    ended: Moment | None = None
    why: str = ""
    record: str = ""
    of_play: bool = False
    blamed: int | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Match:
    """A match.

    Attributes:
        position: Its place in the queue, from 1; 0 when it does not wait.
        why: Why it waits, was set aside or was cancelled.
        result: None until it is over.
        competition, pairing: As in `NewMatch`.
        hidden: Whether it is nobody's business but its competition's: lists leave it out, and who
            finds it by its number decides who may see it.
    """

    number: int
    kind: MatchKind
    table: str
    state: MatchState
    created: Moment
    seats: tuple[Seat, ...]
    teams: tuple[tuple[int, ...], ...]
    terms: dict[str, Any]
    requested_by: str = ""
    cause: str = ""
    why: str = ""
    position: int = 0
    attempts: tuple[Attempt, ...] = ()
    result: Result | None = None
    competition: int | None = None
    pairing: str = ""
    hidden: bool = False


@dataclass(frozen=True, slots=True)
class OpenRun:
    """The match of a run of a pairing that is not over."""

    match: int
    state: MatchState


@dataclass(frozen=True, slots=True, kw_only=True)
class SeatReport:
    """What an attempt says of one seat.

    Attributes:
        points: Its team's, over all games.
        shares: For every game the share of the other teams that its team was ahead of, a tie being
            half of one; added up. With two teams that is games won, a draw for half.
        forfeit: TIMEOUT, CRASH and so on; empty: none.
        detail: Limit, value and moment of the forfeit.
        tally: Faults and thinking times, as JSON.
        log: Digest of the file with what it has written; only its owner may read that.
    """

    points: int
    wins: float
    forfeit: str = ""
    detail: str = ""
    tally: dict[str, Any] = field(default_factory=dict)
    log: str = ""
    shares: float = 0.0


@dataclass(frozen=True, slots=True, kw_only=True)
class Report:
    """What came of an attempt.

    Attributes:
        verdict: COMPLETED, FORFEIT or VOID.
        why: The verdict in words.
        ranks: By team, the smallest for the best; empty if void.
        record: SHA-256 of the record's bytes, which are in the store of records.
        head: The chain hash of the record's last line.
        machine_time: Milliseconds that the attempt has held a place.
        blamed: For a void attempt, the seat that the fault can be traced to; None: nobody.
    """

    match: int
    attempt: int
    token: str = field(repr=False)
    verdict: str
    why: str
    ranks: tuple[int, ...]
    seats: tuple[SeatReport, ...]
    games: int
    record: str
    head: str
    started: Moment
    ended: Moment
    machine_time: int
    blamed: int | None = None


class Receipt(StrEnum):
    """What has become of a report; whoever sent it may forget it after any of these."""

    RECORDED = "recorded"
    DUPLICATE = "duplicate"
    """The same was recorded before."""
    STALE = "stale"
    """The attempt is no longer its sender's: refused, and a copy is kept."""
    CONFLICT = "conflict"
    """Another report of the same attempt was recorded: refused, a copy is kept, and told."""


@dataclass(frozen=True, slots=True, kw_only=True)
class RefusedReport:
    """A report that was refused and kept, for a person to look at.

    Attributes:
        payload: What it said, without its token.
        is_seen: Whether a person has.
    """

    number: int
    at: Moment
    match: int
    attempt: int
    receipt: Receipt
    payload: dict[str, Any]
    is_seen: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class Result:
    """How a match ended; `entry` is its number in the ledger, None for an unrated one.

    `annulled` says why an operator has annulled it; empty: nobody has.
    """

    match: int
    attempt: int
    verdict: str
    why: str
    ranks: tuple[int, ...]
    seats: tuple[SeatReport, ...]
    games: int
    record: str
    head: str
    started: Moment
    ended: Moment
    entry: int | None = None
    annulled: str = ""


# -- the ledger ---------------------------------------------------------------------------------


class EntryKind(StrEnum):
    """What moves ratings."""

    RESULT = "result"
    VERSION = "version"
    """A new version of an entrant: its mean stays, its deviation widens."""
    ANNULMENT = "annulment"
    """From the beginning on, the result of `match` does not count."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Entry:
    """One line of the ledger, which is only ever added to.

    Attributes:
        number: From 1, without gaps.
        chain: SHA-256 over the chain before it and what this entry says, in hexadecimal digits.
    """

    number: int
    kind: EntryKind
    at: Moment
    match: int | None
    entrant: int | None
    version: int | None
    chain: str


@dataclass(frozen=True, slots=True, kw_only=True)
class RatingEvent:
    """How one entry moved one entrant's rating.

    Attributes:
        expected: The share of the match that was expected of it against the others; None for a new
            version.
        actual: The share that it got: 1 for a win, 1/2 for a draw.
        rank: Its team's rank in the match; None for a new version.
    """

    entry: int
    kind: EntryKind
    at: Moment
    entrant: int
    version: int
    match: int | None
    before: Rating
    after: Rating
    expected: float | None = None
    actual: float | None = None
    rank: int | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Difference:
    """Something stored that is not what the ledger makes of it.

    Attributes:
        what: The thing and its number, such as `rating event of entrant 3 by entry 7`.
        stored, right: Both as text; empty for what is not there, or should not be.
    """

    what: str
    stored: str
    right: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Rebuilt:
    """What working out all ratings again has found.

    Attributes:
        entries: How long the ledger is.
        events: How many rating events it makes.
        different: How many things that are stored were not what it makes of them.
        examples: The first of those.
    """

    entries: int
    events: int
    different: int
    examples: tuple[Difference, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Standing:
    """One line of the ladder; `place` is from 1, equal for equal ratings."""

    place: int
    entrant: Entrant
    label: str
    state: VersionState
