"""Transactions: all or nothing, one writer, readers that see one moment."""

from __future__ import annotations

import threading

import pytest
from sqlalchemy import Connection, func, insert, select, text
from sqlalchemy.exc import IntegrityError

from arena.errors import HostFault
from arena.storage.schema import OWNERS
from arena.storage.store import Store


def _add(connection: Connection, name: str) -> None:
    connection.execute(insert(OWNERS).values(name=name, created=0))


def _count(store: Store) -> int:
    query = select(func.count()).select_from(OWNERS)
    return store.database.read(lambda connection: connection.scalar(query)) or 0


def test_what_is_written_is_there(store: Store) -> None:
    store.database.write(lambda connection: _add(connection, "one"))
    with store.database.writing() as connection:
        _add(connection, "two")
    assert _count(store) == 2


def test_an_exception_undoes_everything(store: Store) -> None:
    def fail(connection: Connection) -> None:
        _add(connection, "one")
        raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        store.database.write(fail)
    assert _count(store) == 0


def test_a_name_that_is_taken_is_for_the_repository_to_judge(store: Store) -> None:
    store.database.write(lambda connection: _add(connection, "one"))
    with pytest.raises(IntegrityError):
        store.database.write(lambda connection: _add(connection, "one"))
    assert _count(store) == 1


def test_whoever_reads_cannot_write(store: Store) -> None:
    with pytest.raises(HostFault, match=r"read-?only"), store.database.reading() as connection:
        _add(connection, "one")
    assert _count(store) == 0


def test_whoever_reads_sees_one_moment(store: Store) -> None:
    query = select(func.count()).select_from(OWNERS)
    with store.database.reading() as connection:
        before = connection.scalar(query)
        store.database.write(lambda writing: _add(writing, "one"))
        assert connection.scalar(query) == before
    assert _count(store) == 1


def test_writers_come_one_after_the_other(store: Store) -> None:
    # Each reads and then writes what it has read plus one: of two at once one would be lost.
    store.database.write(lambda connection: _add(connection, "counter"))

    def count_up(connection: Connection) -> None:
        value = connection.scalar(select(OWNERS.c.machine_time)) or 0
        connection.execute(OWNERS.update().values(machine_time=value + 1))

    def work() -> None:
        for _ in range(25):
            store.database.write(count_up)

    threads = [threading.Thread(target=work) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    with store.database.reading() as connection:
        assert connection.scalar(select(OWNERS.c.machine_time)) == 200


def test_a_transaction_inside_another_is_our_bug(store: Store) -> None:
    with pytest.raises(AssertionError, match="inside"), store.database.writing():
        store.database.write(lambda connection: _add(connection, "one"))
    store.database.write(lambda connection: _add(connection, "one"))


def test_many_readers_at_once(store: Store) -> None:
    ready = threading.Barrier(20, timeout=60)

    def read(connection: Connection) -> None:
        connection.scalar(select(func.count()).select_from(OWNERS))
        ready.wait()

    threads = [threading.Thread(target=store.database.read, args=(read,)) for _ in range(20)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert not ready.broken


SETTINGS = {
    "sqlite": {
        "PRAGMA journal_mode": "wal",
        "PRAGMA synchronous": "2",  # FULL
        "PRAGMA foreign_keys": "1",
        "PRAGMA busy_timeout": "5000",
    },
    "postgresql": {
        "SHOW fsync": "on",
        "SHOW full_page_writes": "on",
        "SHOW synchronous_commit": "on",
        "SHOW transaction_isolation": "serializable",
    },
}


def test_a_commit_is_on_the_disk(store: Store, url: str) -> None:
    settings = SETTINGS["postgresql" if url else "sqlite"]
    with store.database.writing() as connection:
        found = {ask: str(connection.scalar(text(ask))) for ask in settings}
    assert found == settings
