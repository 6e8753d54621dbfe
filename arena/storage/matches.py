"""Matches: made, played by whoever holds a lease, reported once, and found again."""

from __future__ import annotations

import hmac
import secrets
from collections.abc import Callable, Collection, Sequence
from typing import Any, Final

from sqlalchemy import Connection, and_, func, or_, select, update

from arena.errors import InputError, quoted
from arena.storage.attempts import (
    Failure,
    Terms,
    attempt_row,
    begin,
    cancel,
    fail,
    leased_row,
    match_row,
)
from arena.storage.database import Database
from arena.storage.facts import (
    AttemptState,
    Clock,
    Lease,
    Match,
    MatchKind,
    MatchState,
    Moment,
    NewMatch,
    Page,
    Receipt,
    RefusedReport,
    Report,
)
from arena.storage.inputs import checked_number, checked_text, is_number
from arena.storage.making import make_match
from arena.storage.matchlist import Filters, found_numbers
from arena.storage.matchrows import lease_of, matches_of
from arena.storage.paging import Pager
from arena.storage.recording import checked_report, record
from arena.storage.schema import ATTEMPTS, COMPETITIONS, MATCH_SEATS, MATCHES, REFUSED_REPORTS
from arena.storage.turns import next_challenge

__all__ = ["Matches"]

_LONGEST_WHY: Final = 500
_LONGEST_WORKER: Final = 80

_PAUSED: Final = select(COMPETITIONS.c.number).where(COMPETITIONS.c.paused)
_MAY_BEGIN: Final = or_(MATCHES.c.competition.is_(None), MATCHES.c.competition.not_in(_PAUSED))


class Matches:
    """The matches in a database; `chance` gives so many random bytes."""

    def __init__(
        self,
        database: Database,
        clock: Clock,
        chance: Callable[[int], bytes] = secrets.token_bytes,
    ) -> None:
        self._database = database
        self._clock = clock
        self._chance = chance
        self._pager = Pager(database, "matches")
        self._refused = Pager(database, "refused reports")
        self._turns: dict[int | None, int] = {}
        """When the owners have had their last challenges begun, counted in challenges."""

    # -- made -----------------------------------------------------------------------------------

    def create(self, new: NewMatch) -> int:
        """Put a match into the queue, and return its number.

        Raises:
            InputError: the seats, teams or terms cannot be; or it is rated and two seats are one
                owner's; or it is a competition's, see `Competitions.append`.
        """
        return self._database.write(lambda connection: make_match(connection, new, self._clock()))

    def lease(
        self, worker: str, lease_ms: int, kinds: Collection[MatchKind] = tuple(MatchKind)
    ) -> Lease | None:
        """The right to play the oldest match of some kinds in the queue; None: nothing waits.

        What a competition waits for that is paused stays where it is.

        Raises:
            InputError: the worker's name or the time cannot be.
        """

        def work(connection: Connection) -> Lease | None:
            oldest = (
                select(MATCHES.c.number)
                .where(MATCHES.c.state == MatchState.QUEUED, MATCHES.c.kind.in_(kinds), _MAY_BEGIN)
                .order_by(MATCHES.c.number)
                .limit(1)
                # PostgreSQL passes over what another server is just taking; SQLite has but one.
                .with_for_update(skip_locked=True)
            )
            number = connection.scalar(oldest)
            return None if number is None else self._begin(connection, number, worker, lease_ms)

        return self._database.write(work)

    def lease_challenge(self, worker: str, lease_ms: int) -> Lease | None:
        """The right to play a challenge that waits: the oldest of the owner whose turn it is.

        That is whoever has not had one begun for longest, as far as this process knows.

        Raises:
            InputError: as `lease` says.
        """

        def work(connection: Connection) -> tuple[int | None, Lease] | None:
            found = next_challenge(connection, self._turns)
            if found is None:
                return None
            return found[0], self._begin(connection, found[1], worker, lease_ms)

        whose, lease = self._database.write(work) or (None, None)
        if lease is not None:
            self._turns[whose] = max(self._turns.values(), default=0) + 1
        return lease

    def lease_new(self, new: NewMatch, worker: str, lease_ms: int) -> Lease:
        """The right to play a match that is made with it.

        Raises:
            InputError: as `create` and `lease` say.
        """

        def work(connection: Connection) -> Lease:
            number = make_match(connection, new, self._clock())
            return self._begin(connection, number, worker, lease_ms)

        return self._database.write(work)

    # -- played ---------------------------------------------------------------------------------

    def renew(self, match: int, attempt: int, token: str, lease_ms: int) -> bool:
        """Have a lease end so much later than now; False: it is no longer the caller's."""
        time = checked_number("lease", lease_ms)

        def work(connection: Connection) -> bool:
            if not _holds(connection, match, attempt, token):
                return False
            is_it = and_(ATTEMPTS.c.match == match, ATTEMPTS.c.number == attempt)
            ends = func.max if self._database.is_sqlite else func.greatest
            later = ends(ATTEMPTS.c.lease_ends, self._clock() + time)
            connection.execute(update(ATTEMPTS).where(is_it).values(lease_ends=later))
            return True

        return self._database.write(work)

    def record(self, report: Report) -> Receipt:
        """Record what came of an attempt: once, and only from who holds its lease.

        Raises:
            InputError: it is no report, or does not fit to its match.
        """
        checked = checked_report(report)
        return self._database.write(lambda connection: record(connection, checked, self._clock()))

    def release(  # noqa: PLR0913 - each is named where it is called
        self,
        match: int,
        attempt: int,
        token: str,
        why: str,
        *,
        counts: bool = True,
        of_play: bool = False,
    ) -> bool:
        """Give an attempt back without a report; False: it is no longer the caller's.

        Without `counts` it is no failure of the match: a server that is being shut down hands back
        what it has not finished. With `of_play` it came of playing, see `facts.Attempt`.
        """

        def work(connection: Connection) -> bool:
            if not _holds(connection, match, attempt, token):
                return False
            row = attempt_row(connection, match, attempt)
            assert row is not None
            failure = Failure(AttemptState.VOID, why, self._clock(), counts=counts, of_play=of_play)
            fail(connection, row, failure)
            return True

        return self._database.write(work)

    def expire(self) -> tuple[tuple[int, int], ...]:
        """End the attempts whose leases have ended: pairs of match and attempt."""

        def work(connection: Connection) -> tuple[tuple[int, int], ...]:
            now = self._clock()
            has_ended = and_(ATTEMPTS.c.state == AttemptState.LEASED, ATTEMPTS.c.lease_ends <= now)
            query = select(ATTEMPTS).where(has_ended).order_by(ATTEMPTS.c.match)
            rows = connection.execute(query).mappings().all()
            for row in rows:
                why = f"no report before its lease ended; {row['worker']} had it"
                fail(connection, row, Failure(AttemptState.LOST, why, now, of_play=True))
            return tuple((row["match"], row["number"]) for row in rows)

        return self._database.write(work)

    def adopt(self, worker: str) -> tuple[Lease, ...]:
        """What a worker of this name still holds, from before it was started again."""
        is_its = and_(ATTEMPTS.c.state == AttemptState.LEASED, ATTEMPTS.c.worker == worker)

        def work(connection: Connection) -> tuple[Lease, ...]:
            query = select(ATTEMPTS).where(is_its).order_by(ATTEMPTS.c.match)
            rows = connection.execute(query).mappings().all()
            return tuple(lease_of(connection, row) for row in rows)

        return self._database.read(work)

    # -- ordered by people ----------------------------------------------------------------------

    def cancel(self, number: int, why: str) -> Match:
        """Have a match not be played; what is being played of it is refused when it comes.

        Raises:
            InputError: there is no such match, it is over or cancelled, or no reason.
        """
        reason = checked_text("reason", why, _LONGEST_WHY, least=1)

        def work(connection: Connection) -> Match:
            state = _state(connection, number)
            if state in (MatchState.DONE, MatchState.CANCELLED):
                hint = "; its result can be annulled" if state is MatchState.DONE else ""
                raise InputError(f"match {number}: is {state}, so it cannot be cancelled{hint}")
            cancel(connection, number, reason, self._clock())
            (match,) = matches_of(connection, [number])
            return match

        return self._database.write(work)

    def void(self, number: int, why: str) -> Match:
        """Have the attempt that is being played come to nothing; the match is played again.

        It does not count as a failure of the match. What is being played is refused when it comes.

        Raises:
            InputError: there is no such match, it is not being played, or no reason.
        """
        reason = checked_text("reason", why, _LONGEST_WHY, least=1)

        def work(connection: Connection) -> Match:
            state = _state(connection, number)
            row = leased_row(connection, number)
            if row is None:
                raise InputError(f"match {number}: is {state}; only what is being played is voided")
            told = f"an operator has voided it: {reason}"
            fail(connection, row, Failure(AttemptState.VOID, told, self._clock(), counts=False))
            (match,) = matches_of(connection, [number])
            return match

        return self._database.write(work)

    def rerun(self, number: int) -> Match:
        """Put a match that was set aside into the queue again, for three more attempts.

        Raises:
            InputError: there is no such match, or it was not set aside.
        """

        def work(connection: Connection) -> Match:
            state = _state(connection, number)
            if state is not MatchState.SET_ASIDE:
                raise InputError(f"match {number}: is {state}; only what was set aside runs again")
            return self._change(connection, number, state=MatchState.QUEUED, failed=0, why="")

        return self._database.write(work)

    # -- found ----------------------------------------------------------------------------------

    def find(self, number: int) -> Match | None:
        """The match of a number, if there is one."""
        if not is_number(number):
            return None
        found = self._database.read(lambda connection: matches_of(connection, [number]))
        return found[0] if found else None

    def list(
        self,
        filters: Filters = Filters(),  # noqa: B008 - frozen
        page_size: int = 100,
        page_token: str = "",
    ) -> Page[Match]:
        """Matches, newest first; those that are hidden only if the filters say so.

        Raises:
            InputError: see `Pager`.
        """
        asked = filters.as_tuple()
        after = self._pager.after(page_size, page_token, *asked)
        before = after[0] if after else None

        def work(connection: Connection) -> Sequence[Match]:
            numbers = found_numbers(connection, filters, before, page_size + 1)
            return matches_of(connection, numbers)

        found = self._database.read(work)
        return self._pager.page(found, page_size, lambda one: (one.number,), *asked)

    def count(self, state: MatchState) -> int:
        """How many matches are in a state."""
        query = select(func.count()).select_from(MATCHES).where(MATCHES.c.state == state)
        return self._database.read(lambda connection: connection.scalar(query) or 0)

    def pair_counts(self, since_match: int = 0) -> dict[tuple[int, int], int]:
        """How often two entrants, the smaller number first, have sat at one rated table.

        Of the matches with a number above `since_match`, those that wait or are played included.
        """
        one, other = MATCH_SEATS.alias("one"), MATCH_SEATS.alias("other")
        query = (
            select(one.c.entrant, other.c.entrant, func.count())
            .join_from(MATCHES, one, one.c.match == MATCHES.c.number)
            .join(other, and_(other.c.match == one.c.match, other.c.entrant > one.c.entrant))
            .where(
                MATCHES.c.number > checked_number("match", since_match, 0),
                MATCHES.c.kind == MatchKind.RATED,
                MATCHES.c.state.not_in([MatchState.CANCELLED, MatchState.SET_ASIDE]),
            )
            .group_by(one.c.entrant, other.c.entrant)
        )
        rows = self._database.read(lambda connection: connection.execute(query).all())
        return {(first, second): count for first, second, count in rows}

    def refused(self, page_size: int = 100, page_token: str = "") -> Page[RefusedReport]:
        """The reports that were refused, newest first.

        Raises:
            InputError: see `Pager`.
        """
        after = self._refused.after(page_size, page_token)
        query = select(REFUSED_REPORTS).order_by(REFUSED_REPORTS.c.number.desc())
        query = query.limit(page_size + 1)
        if after:
            query = query.where(REFUSED_REPORTS.c.number < after[0])
        rows = self._database.read(lambda connection: connection.execute(query).mappings().all())
        found = [_refused_report(row) for row in rows]
        return self._refused.page(found, page_size, lambda one: (one.number,))

    def saw_refused(self, number: int) -> bool:
        """Note that a person has looked at a refused report; False: there is none."""
        if not is_number(number):
            return False
        change = update(REFUSED_REPORTS).where(REFUSED_REPORTS.c.number == number)
        return self._database.write(
            lambda connection: connection.execute(change.values(is_seen=True)).rowcount == 1
        )

    # -- inside of a transaction ----------------------------------------------------------------

    def _begin(self, connection: Connection, number: int, worker: str, lease_ms: int) -> Lease:
        now = self._clock()
        terms = Terms(
            worker=checked_text("worker", worker, _LONGEST_WORKER, least=1),
            now=now,
            ends=Moment(now + checked_number("lease", lease_ms)),
            chance=self._chance,
        )
        return begin(connection, number, terms)

    def _change(self, connection: Connection, number: int, **change: Any) -> Match:
        connection.execute(update(MATCHES).where(MATCHES.c.number == number).values(**change))
        (match,) = matches_of(connection, [number])
        return match


def _holds(connection: Connection, match: int, attempt: int, token: str) -> bool:
    row = attempt_row(connection, match, attempt)
    if row is None or row["state"] != AttemptState.LEASED:
        return False
    return hmac.compare_digest(row["token"].encode(), token.encode("utf-8", "surrogatepass"))


def _state(connection: Connection, number: int) -> MatchState:
    row = match_row(connection, number)
    if row is None:
        raise InputError(f"match {quoted(number)}: there is none of this number")
    return MatchState(row["state"])


def _refused_report(row: Any) -> RefusedReport:
    return RefusedReport(
        number=row["number"],
        at=Moment(row["at"]),
        match=row["match"],
        attempt=row["attempt"],
        receipt=Receipt(row["receipt"]),
        payload=row["payload"],
        is_seen=bool(row["is_seen"]),
    )
