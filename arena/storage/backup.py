"""A copy of a data folder, made while its server works, and the way back.

    BACKUP/arena.sqlite     all rows as they were at one moment, also of a PostgreSQL database
    BACKUP/archives ...     the files that these rows name
    BACKUP/arena.identity   as in the data folder
    BACKUP/backup.json      what is in it; was written last, so it is whole if that is there

Rows are taken first and files afterwards: a file is there before the row that names it, and is
never changed. Where a hard link will do none is copied. Every file is read and compared with its
name, on the way out and on the way back.
"""

from __future__ import annotations

import contextlib
import hashlib
import json
import os
import shutil
import sqlite3
from collections.abc import Callable, Iterator
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any, Final

from sqlalchemy import Connection, select

from arena.errors import HostFault, InputError
from arena.storage.copying import copy_rows
from arena.storage.database import Database
from arena.storage.engines import parse_url, sqlite_url
from arena.storage.facts import Clock, Moment
from arena.storage.failpoints import DURING_BACKUP, DURING_RESTORE, reached
from arena.storage.files import FileStore, sync_folder
from arena.storage.folder import DataFolder
from arena.storage.kept import Kept, files_of
from arena.storage.migrating import check_schema, migrate
from arena.storage.schema import PARAMETERS

__all__ = ["Contents", "back_up", "read_contents", "restore"]

_FORMAT: Final = 1
_CONTENTS: Final = "backup.json"
_PIECE: Final = 1 << 20

Tell = Callable[[int, int], None]
"""Is told how many of how many files are done."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Contents:
    """What is in a backup.

    Attributes:
        at: When its rows were taken.
        revision: Of its tables.
        database: SHA-256 of its `arena.sqlite`.
        files: How many files it has, and their bytes in all.
        missing: Files that rows name and that were not there, or had changed, each as STORE/DIGEST.
    """

    format: int
    at: Moment
    revision: str
    database: str
    files: int
    size: int
    missing: tuple[str, ...]


def back_up(
    data: Path, backup: Path, clock: Clock, *, url: str = "", tell: Tell = lambda *_: None
) -> Contents:
    """Copy a data folder, which a server may be using, into `backup`, which must not exist.

    Raises:
        InputError: there is no such data folder, or there is something at `backup`.
        HostFault: something cannot be read or written; at `backup` there is nothing then.
    """
    place = DataFolder(data)
    if not url and not place.database.is_file():
        raise InputError(f"data folder {data}: has no {place.database.name}")
    if os.path.lexists(backup):
        raise InputError(f"backup {backup}: exists; name one that does not")
    aside = backup.with_name(f"{backup.name}.partial")
    with _as_host_fault(backup):
        shutil.rmtree(aside, ignore_errors=True)  # of an earlier one that was killed
        aside.mkdir(mode=0o700, parents=True)
        try:
            contents = _filled(place, DataFolder(aside), url, clock, tell)
            aside.rename(backup)
            sync_folder(backup.parent)
        except BaseException:
            shutil.rmtree(aside, ignore_errors=True)
            raise
    return contents


def restore(backup: Path, data: Path, *, url: str = "", tell: Tell = lambda *_: None) -> Contents:
    """Make a data folder of a backup: `data` has to be empty or not there, and so has `url`.

    Raises:
        InputError: that is no backup, or there is something already.
        HostFault: the backup has changed, or something cannot be written. What was begun is no
            data folder then, and a server refuses it.
    """
    contents = read_contents(backup)
    source, place = DataFolder(backup), DataFolder(data)
    with _as_host_fault(data):
        if os.path.lexists(data) and (not data.is_dir() or any(data.iterdir())):
            raise InputError(f"data folder {data}: is not empty; name one that is, or a new one")
        _check_file(source.database, contents)
        place.prepare()
        with _opened(sqlite_url(source.database)) as rows:
            kept = rows.read(files_of)
            _carry(
                source, place, [one for one in kept if _named(one) not in contents.missing], tell
            )
            reached(DURING_RESTORE)
        _place_database(source.database, place.database, url)
        place.set_identity(source.identity())
    return contents


def read_contents(backup: Path) -> Contents:
    """What a backup says is in it.

    Raises:
        InputError: that is no backup, or one of another format.
    """
    try:
        told: dict[str, Any] = json.loads((backup / _CONTENTS).read_text("utf-8"))
        if told["format"] != _FORMAT:
            raise InputError(f"backup {backup}: is of format {told['format']!r}, not {_FORMAT}")
        return Contents(**{**told, "missing": tuple(told["missing"])})
    except OSError as error:
        raise InputError(f"backup {backup}: is none: {_CONTENTS}: {error.strerror}") from None
    except (ValueError, KeyError, TypeError):
        raise InputError(f"backup {backup}: {_CONTENTS}: is damaged") from None


def _filled(source: DataFolder, target: DataFolder, url: str, clock: Clock, tell: Tell) -> Contents:
    at = clock()
    with _opened(parse_url(url) if url else sqlite_url(source.database)) as database:
        revision = database.read(check_schema)
        if not revision:
            raise InputError(f"database {database.title}: holds nothing yet")
        _export(database, target.database)
    with _opened(sqlite_url(target.database)) as copy:
        _check_integrity(copy)
        kept = copy.read(files_of)
        identity = copy.read(lambda connection: connection.scalar(select(PARAMETERS.c.identity)))
    reached(DURING_BACKUP)
    if identity != source.identity():
        raise HostFault(f"data folder {source.path}: does not belong to this database")
    missing, size = _carry(source, target, kept, tell, may_miss=True)
    target.set_identity(identity)
    contents = Contents(
        format=_FORMAT,
        at=at,
        revision=revision,
        database=_sha256(target.database),
        files=len(kept) - len(missing),
        size=size,
        missing=tuple(missing),
    )
    _write(target.path / _CONTENTS, json.dumps(asdict(contents), indent=2) + "\n")
    return contents


def _export(database: Database, path: Path) -> None:
    """One moment of a database as a file of SQLite."""
    if database.is_sqlite:
        with contextlib.closing(sqlite3.connect(database.url.database or "", timeout=60)) as source:
            source.execute("VACUUM INTO ?", [str(path)])
    else:
        with _opened(sqlite_url(path)) as target:
            migrate(target)
            if database.read(check_schema) != target.read(check_schema):
                raise HostFault(f"database {database.title}: is older; start the server once")
            with database.reading() as source_rows, target.migrating() as target_rows:
                copy_rows(source_rows, target_rows)
        _without_log(path)
    _sync(path)


def _place_database(source: Path, target: Path, url: str) -> None:
    """Put a copy of a file of SQLite where the server looks for it, or its rows in PostgreSQL."""
    aside = target.with_suffix(".new")
    shutil.copyfile(source, aside)
    aside.chmod(0o600)
    if url:
        _fill(aside, url)
        aside.unlink()
        return
    _sync(aside)
    aside.rename(target)
    sync_folder(target.parent)


def _fill(path: Path, url: str) -> None:
    with _opened(sqlite_url(path)) as rows, _opened(parse_url(url)) as target:
        migrate(rows)  # a backup may be older than this program
        migrate(target)
        with rows.reading() as source_rows, target.migrating() as target_rows:
            if target_rows.scalar(select(PARAMETERS.c.identity)) is not None:
                raise InputError(f"database {target.title}: is not empty; name one that is")
            copy_rows(source_rows, target_rows)


def _carry(
    source: DataFolder,
    target: DataFolder,
    kept: list[Kept],
    tell: Tell,
    *,
    may_miss: bool = False,
) -> tuple[list[str], int]:
    """Bring files over; return those that were not there or had changed, and all bytes."""
    missing = []
    size = 0
    for done, (name, digest) in enumerate(kept):
        tell(done, len(kept))
        store = source.store(name)
        try:
            with store.open(digest) as file:
                size += os.fstat(file.fileno()).st_size
                _link(store, target.store(name), digest)
        except HostFault:
            if not may_miss:
                raise
            missing.append(_named((name, digest)))
    tell(len(kept), len(kept))
    return missing, size


def _link(source: FileStore, target: FileStore, digest: str) -> None:
    place = target.place(digest)
    place.parent.mkdir(parents=True, exist_ok=True)
    try:
        os.link(source.place(digest), place)
        sync_folder(place.parent)
    except OSError:  # another disk, or one that has no links
        target.put_file(source.place(digest))


def _check_file(path: Path, contents: Contents) -> None:
    found = _sha256(path)
    if found != contents.database:
        raise HostFault(f"{path}: has changed: its bytes now have the SHA-256 {found}")


def _check_integrity(database: Database) -> None:
    def ask(connection: Connection) -> str:
        return str(connection.exec_driver_sql("PRAGMA integrity_check(1)").scalar())

    found = database.read(ask)
    if found != "ok":
        raise HostFault(f"{database.title}: the copy is damaged: {' '.join(found.split())}")
    database.close()
    _without_log(Path(database.url.database or ""))


def _without_log(path: Path) -> None:
    """Have one file instead of three: a backup is carried about."""
    with contextlib.closing(sqlite3.connect(path)) as file:
        file.execute("PRAGMA journal_mode = DELETE")


@contextlib.contextmanager
def _opened(url: Any) -> Iterator[Database]:
    database = Database(url)
    try:
        yield database
    finally:
        database.close()


def _named(one: Kept) -> str:
    return "/".join(one)


def _sha256(path: Path) -> str:
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def _write(path: Path, text: str) -> None:
    path.write_text(text, "utf-8")
    _sync(path)
    sync_folder(path.parent)


def _sync(path: Path) -> None:
    with path.open("rb") as file:
        os.fsync(file.fileno())


@contextlib.contextmanager
def _as_host_fault(path: Path) -> Iterator[None]:
    try:
        yield
    except sqlite3.Error as error:
        raise HostFault(f"{path}: {error}") from None
    except OSError as error:
        raise HostFault(f"{error.filename or path}: {error.strerror or error}") from None
