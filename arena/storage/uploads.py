"""Uploads on their way, from the queue to a version or a refusal."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any, Final

from sqlalchemy import Connection, RowMapping, and_, func, insert, or_, select, update

from arena.errors import InputError, quoted
from arena.storage import failpoints
from arena.storage.database import Database
from arena.storage.facts import Clock, Moment, NewVersion, Page, Upload, UploadState, Version
from arena.storage.inputs import checked_number, checked_text, cleaned, is_number
from arena.storage.owners import owner_number
from arena.storage.paging import Pager
from arena.storage.schema import OWNERS, UPLOADS
from arena.storage.versions import (
    make_entrant,
    make_version,
    play_from_now,
    version_of,
    version_row,
)

__all__ = ["LATELY", "MOST_ATTEMPTS", "MOST_BEGUN", "Uploads"]

LATELY: Final = 60 * 60 * 1000
"""For how long an upload that was begun counts against its owner's next ones, in milliseconds."""

MOST_ATTEMPTS: Final = 3
"""So often this machine may fail at an upload before a person has to look."""

MOST_BEGUN: Final = 12
"""So often it may be begun; a server that dies each time may do so because of it."""

_DIGEST: Final = re.compile(r"[0-9a-f]{64}", re.ASCII)
_LONGEST_REQUEST: Final = 64


class Uploads:
    """The uploads in a database.

    The owner with the fewest uploads at work or begun lately comes first, then the oldest upload:
    however many one owner sends in, the others' next one does not wait for all of them.
    """

    def __init__(self, database: Database, clock: Clock) -> None:
        self._database = database
        self._clock = clock
        self._pager = Pager(database, "uploads")

    def add(self, owner: str, request: str, archive: str, length: int) -> Upload:
        """Put an upload into the queue; the same request of an owner again is the same upload.

        Raises:
            InputError: there is no such owner, the request has not 1 to 64 characters or was made
                for another archive, `archive` is no digest.
        """
        checked_text("request", request, _LONGEST_REQUEST, least=1)
        if not _DIGEST.fullmatch(archive):
            raise InputError(f"archive {quoted(archive)}: must be 64 hexadecimal digits")
        checked_number("length", length, 0)

        def work(connection: Connection) -> Upload:
            of = owner_number(connection, owner)
            is_it = and_(UPLOADS.c.owner == of, UPLOADS.c.request == request)
            kept = connection.execute(select(UPLOADS).where(is_it)).mappings().one_or_none()
            if kept is not None and kept["archive"] != archive:
                raise InputError(f"request {quoted(request)}: was made for another archive before")
            number = (
                kept["number"] if kept else self._insert(connection, of, request, archive, length)
            )
            return self._existing(connection, number)

        return self._database.write(work)

    def begin(self) -> Upload | None:
        """Begin the next one in the queue; None: nobody waits."""

        def work(connection: Connection) -> Upload | None:
            order = _order(connection, self._clock())
            if not order:
                return None
            change: dict[str, Any] = {
                "state": UploadState.AT_WORK,
                "started": self._clock(),
                "attempts": UPLOADS.c.attempts + 1,
                "step": "",
                "told": [],
            }
            return self._change(connection, order[0], change)

        return self._database.write(work)

    def at(self, number: int, step: str, bot: str = "") -> Upload:
        """Note that a step begins, and the bot's name once it is known.

        Raises:
            InputError: the upload is not at work.
        """
        change = {"step": step} | ({"bot": cleaned(bot)[:64]} if bot else {})

        def work(connection: Connection) -> Upload:
            _at_work(connection, number)
            return self._change(connection, number, change)

        return self._database.write(work)

    def told(self, number: int, step: str, text: str) -> Upload:
        """Note what a step has said; again, what it says now.

        Raises:
            InputError: the upload is not at work.
        """

        def work(connection: Connection) -> Upload:
            row = _at_work(connection, number)
            kept = [one for one in row["told"] if one[0] != step]
            told = [*kept, [step, cleaned(text)]]
            return self._change(connection, number, {"step": step, "told": told})

        return self._database.write(work)

    def finish_accepted(
        self, number: int, new: NewVersion, log: Sequence[str] = (), report: Any = None
    ) -> Version:
        """Have what came of an upload be the version that plays.

        Its entrant is made if it is new. A version of the same content that there is already is
        the one that plays again; if it was held back, it still is.

        Raises:
            InputError: the upload is not at work, or its names cannot be stored.
        """

        def work(connection: Connection) -> Version:
            row = _at_work(connection, number)
            now = self._clock()
            entrant = make_entrant(connection, row["owner"], new.name, now)
            version = make_version(connection, entrant, new, now)
            failpoints.reached(failpoints.AFTER_VERSION_INSERT)
            play_from_now(connection, entrant, version, now)
            change = _ended(UploadState.ACCEPTED, now, log=log, report=report)
            self._change(connection, number, change | {"version": version, "bot": new.name})
            made = version_row(connection, version)
            assert made is not None
            return version_of(made)

        return self._database.write(work)

    def finish_refused(
        self,
        number: int,
        step: str,
        why: Sequence[str],
        log: Sequence[str] = (),
        report: Any = None,
    ) -> Upload:
        """The bot is to blame; `why` is for its author.

        Raises:
            InputError: the upload is not at work.
        """

        def work(connection: Connection) -> Upload:
            _at_work(connection, number)
            change = _ended(UploadState.REFUSED, self._clock(), why, log=log, report=report)
            return self._change(connection, number, change | {"step": step})

        return self._database.write(work)

    def failed(self, number: int, why: str) -> Upload:
        """This machine is to blame: back into the queue, or set aside after the third time.

        Raises:
            InputError: the upload is not at work.
        """

        def work(connection: Connection) -> Upload:
            return self._change(connection, number, self._again(_at_work(connection, number), why))

        return self._database.write(work)

    def requeue_interrupted(self) -> tuple[Upload, ...]:
        """Put back all that were at work when the server ended; to be called at start.

        That is no failure of theirs; only after many times is one set aside, as it may be what
        ends the server.
        """

        def work(connection: Connection) -> tuple[Upload, ...]:
            query = select(UPLOADS).where(UPLOADS.c.state == UploadState.AT_WORK)
            rows = connection.execute(query.order_by(UPLOADS.c.number)).mappings().all()
            return tuple(
                self._change(connection, row["number"], self._interrupted(row)) for row in rows
            )

        return self._database.write(work)

    def rerun(self, number: int) -> Upload:
        """Put an upload that was set aside into the queue once more.

        Raises:
            InputError: it was not set aside.
        """

        def work(connection: Connection) -> Upload:
            _in_state(connection, number, UploadState.SET_ASIDE, "was not set aside")
            change = {"state": UploadState.QUEUED, "attempts": 0, "ended": None, "why": []}
            return self._change(connection, number, change)

        return self._database.write(work)

    def find(self, number: int) -> Upload | None:
        """The upload of a number, if there is one."""

        def work(connection: Connection) -> Upload | None:
            found = self._uploads(connection, _QUERY.where(UPLOADS.c.number == number))
            return found[0] if found else None

        return self._database.read(work) if is_number(number) else None

    def list(
        self,
        owner: str | None = None,
        page_size: int = 100,
        page_token: str = "",
        *,
        state: UploadState | None = None,
    ) -> Page[Upload]:
        """The uploads of an owner or of all, newest first.

        Raises:
            InputError: see `Pager`.
        """
        after = self._pager.after(page_size, page_token, owner, state)
        query = _QUERY.order_by(UPLOADS.c.number.desc()).limit(page_size + 1)
        if owner is not None:
            query = query.where(OWNERS.c.name == checked_text("owner", owner, 64))
        if state is not None:
            query = query.where(UPLOADS.c.state == state)
        if after:
            query = query.where(UPLOADS.c.number < after[0])
        uploads = self._database.read(lambda connection: self._uploads(connection, query))
        return self._pager.page(uploads, page_size, lambda one: (one.number,), owner, state)

    def count_recent(self, owner: str, since: Moment) -> int:
        """How many uploads an owner has sent in from a moment on."""
        query = (
            select(func.count())
            .select_from(UPLOADS)
            .join(OWNERS, OWNERS.c.number == UPLOADS.c.owner)
            .where(OWNERS.c.name == checked_text("owner", owner, 64), UPLOADS.c.created >= since)
        )
        return self._database.read(lambda connection: connection.scalar(query) or 0)

    # -- inside of a transaction ----------------------------------------------------------------

    def _insert(
        self, connection: Connection, owner: int, request: str, archive: str, length: int
    ) -> int:
        values = {"owner": owner, "request": request, "archive": archive, "length": length}
        lists: Mapping[str, Any] = {"why": [], "told": [], "log": []}
        done = connection.execute(
            insert(UPLOADS).values(
                state=UploadState.QUEUED, created=self._clock(), **values, **lists
            )
        )
        failpoints.reached(failpoints.AFTER_UPLOAD_INSERT)
        assert done.inserted_primary_key is not None
        return int(done.inserted_primary_key[0])

    def _again(self, row: RowMapping, why: str) -> dict[str, Any]:
        reasons = [*row["why"], f"attempt {row['attempts']}: {cleaned(why)}"]
        if len(reasons) >= MOST_ATTEMPTS:
            return _ended(UploadState.SET_ASIDE, self._clock(), reasons)
        return {"state": UploadState.QUEUED, "step": "", "why": reasons}

    def _interrupted(self, row: RowMapping) -> dict[str, Any]:
        if row["attempts"] >= MOST_BEGUN:
            told = f"it was begun {row['attempts']} times, and the server ended at the last"
            return _ended(UploadState.SET_ASIDE, self._clock(), [*row["why"], told])
        return {"state": UploadState.QUEUED, "step": ""}

    def _change(self, connection: Connection, number: int, change: Mapping[str, Any]) -> Upload:
        is_it = UPLOADS.c.number == number
        connection.execute(update(UPLOADS).where(is_it).values(**change))
        return self._existing(connection, number)

    def _existing(self, connection: Connection, number: int) -> Upload:
        (upload,) = self._uploads(connection, _QUERY.where(UPLOADS.c.number == number))
        return upload

    def _uploads(self, connection: Connection, query: Any) -> Sequence[Upload]:
        rows = connection.execute(query).mappings().all()
        waits = any(row["state"] == UploadState.QUEUED for row in rows)
        order = _order(connection, self._clock()) if waits else ()
        places = {number: place for place, number in enumerate(order, start=1)}
        return [_upload(row, places.get(row["number"], 0)) for row in rows]


_QUERY: Final = select(UPLOADS, OWNERS.c.name.label("owner_name")).join_from(
    UPLOADS, OWNERS, UPLOADS.c.owner == OWNERS.c.number
)


def _order(connection: Connection, now: Moment) -> Sequence[int]:
    """The numbers of those that wait, in the order in which they will be begun.

    An owner's k-th in the queue comes when the owner has had k - 1 more than now, so it ranks by
    its owner's count plus k.
    """
    # What this machine has failed at and is to begin again is not held against its owner.
    lately = and_(UPLOADS.c.started > now - LATELY, UPLOADS.c.state != UploadState.QUEUED)
    busy = or_(UPLOADS.c.state == UploadState.AT_WORK, lately)
    counts = select(UPLOADS.c.owner, func.count()).where(busy).group_by(UPLOADS.c.owner)
    had: dict[int, int] = dict(connection.execute(counts).all())
    waiting = select(UPLOADS.c.number, UPLOADS.c.owner).where(UPLOADS.c.state == UploadState.QUEUED)
    keys: list[tuple[int, int]] = []
    for number, owner in connection.execute(waiting.order_by(UPLOADS.c.number)):
        had[owner] = had.get(owner, 0) + 1
        keys.append((had[owner], number))
    return [number for _, number in sorted(keys)]


def _at_work(connection: Connection, number: int) -> RowMapping:
    return _in_state(connection, number, UploadState.AT_WORK, "is not at work")


def _in_state(connection: Connection, number: int, state: UploadState, problem: str) -> RowMapping:
    query = select(UPLOADS).where(UPLOADS.c.number == number)
    row = connection.execute(query).mappings().one_or_none() if is_number(number) else None
    if row is None:
        raise InputError(f"upload {quoted(number)}: there is none of this number")
    if row["state"] != state:
        raise InputError(f"upload {number}: {problem} but {row['state']}")
    return row


def _ended(
    state: UploadState,
    now: Moment,
    why: Sequence[str] = (),
    *,
    log: Sequence[str] = (),
    report: Any = None,
) -> dict[str, Any]:
    change = {"state": state, "ended": now, "why": cleaned(list(why)), "log": cleaned(list(log))}
    return change | {"report": cleaned(report)}


def _moment(value: int | None) -> Moment | None:
    return None if value is None else Moment(value)


def _upload(row: RowMapping, position: int) -> Upload:
    return Upload(
        number=row["number"],
        owner=row["owner_name"],
        archive=row["archive"],
        length=row["length"],
        request=row["request"],
        state=UploadState(row["state"]),
        created=Moment(row["created"]),
        started=_moment(row["started"]),
        ended=_moment(row["ended"]),
        bot=row["bot"],
        step=row["step"],
        position=position,
        why=tuple(row["why"]),
        told=tuple((step, text) for step, text in row["told"]),
        log=tuple(row["log"]),
        report=row["report"],
        attempts=row["attempts"],
        version=row["version"],
    )
