"""Transactions on SQLite or PostgreSQL: one that writes at a time, many that read.

Whoever writes holds a lock of this process, so that of two transactions of ours none ever has to
give way to the other: SQLite has no more than one writer in any case, and a ladder's handful of
commits a second leaves PostgreSQL idle. What can still go wrong is waited out here:

- another process has SQLite's file locked: BEGIN IMMEDIATE is tried again and again;
- PostgreSQL is gone, or takes back a transaction: `write` runs its function again;
- the connection is cut in the middle of a commit, so that nobody has said how it ended: each
  transaction leaves a mark of its own in one row, and the next connection looks for it.

The connection that writes to PostgreSQL holds an advisory lock from its first moment on. So two
servers cannot write to one database, not even after a restart of it in which both lost their
connections: who comes second is told who holds it.
"""

from __future__ import annotations

import contextlib
import os
import secrets
import socket
import threading
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Final, TypeVar

from sqlalchemy import URL, Connection, Engine, event, select
from sqlalchemy.exc import DBAPIError, SQLAlchemyError

from arena.errors import HostFault
from arena.storage import failpoints
from arena.storage.advisory import take_advisory_lock
from arena.storage.engines import reading_engine, writing_engine
from arena.storage.faults import as_host_fault, is_busy, is_cut, is_worth_repeating, shown_url
from arena.storage.schema import LAST_WRITE

__all__ = ["PATIENCE", "Database", "Patience"]

T = TypeVar("T")


@dataclass(frozen=True, slots=True, kw_only=True)
class Patience:
    """How long a database that does not answer is waited for, in milliseconds.

    Attributes:
        busy: SQLite's own waiting for a lock, each time.
        total: After that much waiting it is a fault of this machine.
    """

    busy: int = 5_000
    total: int = 60_000


PATIENCE: Final = Patience()


class Database:
    """A database whose tables are there.

    Every method raises HostFault, in one line without secrets, when the database cannot be reached
    or cannot store; IntegrityError goes through, for whoever knows what it means.
    """

    def __init__(self, url: URL, *, patience: Patience = PATIENCE) -> None:
        # The server shows this name to whoever finds the lock taken, and cuts it after 63 bytes.
        self._name = f"arena {secrets.token_hex(4)} pid {os.getpid()} on {socket.gethostname()}"
        self.url = url
        self.is_sqlite = url.get_backend_name() == "sqlite"
        self._patience = patience
        self._closing = threading.Event()
        self._writes = threading.Lock()
        self._writes_now: int | None = None
        self._writer = writing_engine(url, busy=patience.busy, name=self._name)
        self._reader = reading_engine(url, busy=patience.busy)
        if not self.is_sqlite:
            event.listen(self._writer, "connect", self._take_lock)

    @property
    def title(self) -> str:
        """Its address, without secrets."""
        return shown_url(self.url)

    def write(self, function: Callable[[Connection], T]) -> T:
        """Run `function` as one transaction, and return what it returns once it is on the disk.

        It is run again, from its beginning, when PostgreSQL has taken it back or was not there; so
        what it does outside of the database has to bear that. Its effect is there exactly once.
        """
        tries = self._tries()
        with self._faults():
            while True:
                try:
                    with self._transaction(tries) as connection:
                        return function(connection)
                except SQLAlchemyError as error:
                    if not tries.once_more(error):
                        raise

    def read(self, function: Callable[[Connection], T]) -> T:
        """Run `function`, which only reads, on one moment of the database; perhaps repeatedly."""
        tries = self._tries()
        with self._faults():
            while True:
                try:
                    with self._snapshot(tries) as connection:
                        return function(connection)
                except SQLAlchemyError as error:
                    if not tries.once_more(error):
                        raise

    @contextlib.contextmanager
    def writing(self) -> Iterator[Connection]:
        """One transaction: committed at the end, undone by any exception.

        It cannot be run again, so prefer `write`: here a cut connection is a fault.
        """
        with self._faults(), self._transaction(self._tries()) as connection:
            yield connection

    @contextlib.contextmanager
    def reading(self) -> Iterator[Connection]:
        """One moment of the database, to be read from; writing is refused."""
        with self._faults(), self._snapshot(self._tries()) as connection:
            yield connection

    @contextlib.contextmanager
    def migrating(self) -> Iterator[Connection]:
        """One transaction as `writing`, in a database that may have no tables yet."""
        with self._faults():
            self._check_foreign_keys(on=False)
            try:
                with self._transaction(self._tries(), marked=False) as connection:
                    yield connection
            finally:
                self._check_foreign_keys(on=True)

    def take_over(self) -> None:
        """Be the one that writes to PostgreSQL, at once or not at all; for SQLite the folder does.

        Without patience, for whoever starts a server waits for an answer.
        """
        if not self.is_sqlite:
            tries = _Tries(Patience(total=0), self._closing)
            with self._faults(), self._transaction(tries, marked=False):
                pass

    def close(self) -> None:
        """Close all connections that are not in use; whoever waits for the database gives up."""
        self._closing.set()
        self._reader.dispose()
        self._writer.dispose()

    # -- inside: what is raised is the database's own -------------------------------------------

    @contextlib.contextmanager
    def _transaction(self, tries: _Tries, *, marked: bool = True) -> Iterator[Connection]:
        with self._only_writer():
            connection = self._begin(self._writer, tries)
            try:
                yield connection
                mark = self._leave_mark(connection) if marked and not self.is_sqlite else ""
                failpoints.reached(failpoints.BEFORE_COMMIT)
                self._commit(connection, mark)
                failpoints.reached(failpoints.AFTER_COMMIT)
            finally:
                connection.close()  # what is not committed by now is undone

    @contextlib.contextmanager
    def _snapshot(self, tries: _Tries) -> Iterator[Connection]:
        connection = self._begin(self._reader, tries)
        try:
            yield connection
        finally:
            connection.close()

    @contextlib.contextmanager
    def _only_writer(self) -> Iterator[None]:
        assert self._writes_now != threading.get_ident(), "a transaction inside another one"
        with self._writes:
            self._writes_now = threading.get_ident()
            try:
                yield
            finally:
                self._writes_now = None

    def _begin(self, engine: Engine, tries: _Tries) -> Connection:
        """A connection with a transaction that has begun; nothing was done in it, so try again."""
        while True:
            with contextlib.ExitStack() as on_failure:
                try:
                    connection = engine.connect()
                    on_failure.callback(connection.close)
                    connection.begin()
                    if self.is_sqlite:  # takes the moment to read, or waits for who stands in front
                        connection.exec_driver_sql("SELECT 1 FROM sqlite_master LIMIT 1")
                    on_failure.pop_all()
                    return connection
                except SQLAlchemyError as error:
                    if not tries.once_more(error):
                        raise

    def _leave_mark(self, connection: Connection) -> str:
        mark = secrets.token_hex(16)
        connection.execute(LAST_WRITE.update().values(mark=mark))
        return mark

    def _commit(self, connection: Connection, mark: str) -> None:
        try:
            connection.commit()
        except DBAPIError as error:
            if not mark or not is_cut(error):
                raise
            connection.close()  # there is one for all, and it has to look
            if not self._has_mark(mark):
                raise

    def _has_mark(self, mark: str) -> bool:
        """Whether a transaction whose commit was not answered is in the database.

        The session that sent it has ended, for the lock that this one holds was its own.
        """
        try:
            connection = self._begin(self._writer, self._tries())
        except SQLAlchemyError as error:  # must not be taken for a transaction that can be repeated
            raise HostFault(
                f"{as_host_fault(error, self.url)}; the last commit may be in it"
            ) from None
        with connection:
            return connection.scalar(select(LAST_WRITE.c.mark)) == mark

    def _take_lock(self, connection: object, _record: object) -> None:
        take_advisory_lock(connection, self._name, self.title)

    def _check_foreign_keys(self, *, on: bool) -> None:
        # SQLite changes a table by making another one, and lets go of checks only between two
        # transactions.
        if self.is_sqlite:
            with self._only_writer(), contextlib.closing(self._writer.raw_connection()) as raw:
                raw.cursor().execute(f"PRAGMA foreign_keys = {'ON' if on else 'OFF'}")

    def _tries(self) -> _Tries:
        return _Tries(self._patience, self._closing)

    @contextlib.contextmanager
    def _faults(self) -> Iterator[None]:
        try:
            yield
        except SQLAlchemyError as error:
            fault = as_host_fault(error, self.url)
            if fault is None:
                raise
            raise fault from None


class _Tries:
    """The patience that one call has left."""

    def __init__(self, patience: Patience, closing: threading.Event) -> None:
        self._left = patience.total  # of one call, however often it has to begin
        self._busy = patience.busy
        self._delay = 50
        self._closing = closing

    def once_more(self, error: SQLAlchemyError) -> bool:
        """Whether to try again after `error`; waits where that may help."""
        if self._left <= 0 or not is_worth_repeating(error):
            return False
        if is_busy(error):  # SQLite has waited already
            self._left -= self._busy
            return not self._closing.is_set()
        self._left -= self._delay
        is_closing = self._closing.wait(self._delay / 1000)
        self._delay = min(2 * self._delay, 2_000)
        return not is_closing
