"""A server's store: its data folder, its database, and what is kept in both."""

from __future__ import annotations

import contextlib
import secrets
from collections.abc import Callable
from dataclasses import asdict, dataclass
from pathlib import Path
from types import TracebackType
from typing import Any, Final

from sqlalchemy import Connection, insert, select

from arena.errors import HostFault
from arena.ladder.rating import Parameters
from arena.storage.audit import Audit
from arena.storage.competitions import Competitions
from arena.storage.database import PATIENCE, Database, Patience
from arena.storage.engines import parse_url, sqlite_url
from arena.storage.entrants import Entrants
from arena.storage.facts import Clock
from arena.storage.files import FileStore
from arena.storage.folder import DataFolder, file_system_of
from arena.storage.ledger import Ledger
from arena.storage.matches import Matches
from arena.storage.migrating import migrate
from arena.storage.owners import Owners
from arena.storage.schema import PARAMETERS
from arena.storage.standings import Standings
from arena.storage.switch import Switch
from arena.storage.tokens import Tokens
from arena.storage.uploads import Uploads

__all__ = ["Host", "Store", "open_store"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Host:
    """What a machine is like; a test has its own.

    Attributes:
        patience: How long a database that does not answer is waited for.
        file_system: Tells the kind of file system that a folder is on.
    """

    patience: Patience = PATIENCE
    file_system: Callable[[Path], str] = file_system_of


@dataclass(frozen=True, slots=True)
class Stored:
    """The one row of what holds for all ratings and pages.

    Attributes:
        parameters: What the ratings that are stored were worked out with.
        key: 32 bytes, a secret: it signs the tokens of pages.
        identity: What the data folder says too.
    """

    parameters: dict[str, Any]
    key: bytes
    identity: str


class Store:
    """What a server keeps, open; made by `open_store`, and to be closed.

    Attributes:
        folder: Where the files are.
        records, logs: What matches have written.
        owners, tokens, uploads, entrants, matches, competitions, ledger, standings, audit: What is
            in the database.
        parameters: What ratings are worked out with: those that are stored.
        parameters_differ: The server was started with other ones, so that `arena admin rebuild`
            has to be run before they hold.
    """

    def __init__(
        self, folder: DataFolder, database: Database, clock: Clock, stored: Stored
    ) -> None:
        self.folder = folder
        self.database = database
        self.clock = clock
        self.records: Final = folder.store("records")
        self.logs: Final = folder.store("logs")
        self.parameters = Parameters(**stored.parameters)
        self.parameters_differ = False
        self.page_key = stored.key
        self.owners: Final = Owners(database, clock)
        self.tokens: Final = Tokens(database, clock)
        self.uploads: Final = Uploads(database, clock)
        self.entrants: Final = Entrants(database, clock)
        self.matches: Final = Matches(database, clock)
        self.competitions: Final = Competitions(database, clock)
        self.ledger: Final = Ledger(database, clock)
        self.standings: Final = Standings(database, clock)
        self.audit: Final = Audit(database, clock)
        self.switch: Final = Switch(database)
        self._exits = contextlib.ExitStack()

    def close(self) -> None:
        """Let go of the database and of the folder; again is no fault."""
        self._exits.close()

    def closes(self, exits: contextlib.ExitStack) -> None:
        """Take over what has to be let go of in the end."""
        self._exits = exits

    def remove_leftovers(self) -> int:
        """Remove what writers that were killed have left; how many files that were."""
        stores: tuple[FileStore, ...] = (self.records, self.logs)
        return sum(one.remove_leftovers() for one in stores)

    def __enter__(self) -> Store:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.close()


def open_store(
    folder: Path,
    clock: Clock,
    *,
    url: str = "",
    parameters: Parameters = Parameters(),  # noqa: B008 - frozen
    host: Host = Host(),
) -> Store:
    """Open a data folder and its database as the only one who does; make what is not there.

    `url` is a PostgreSQL database's; without it the database is a file in the folder. Brings the
    tables up to date.

    Raises:
        InputError: the folder is none, holds something else, or `url` is no address.
        HostFault: another server has it; the disk is read-only, another user's or on a network;
            the database cannot be reached, is a newer or another program's, or does not belong to
            the folder. Nothing has changed then.
    """
    place = DataFolder(folder)
    address = parse_url(url) if url else sqlite_url(place.database)
    place.prepare(host.file_system)
    with contextlib.ExitStack() as exits:
        exits.enter_context(place.locked(clock))
        _check_presence(place, is_file=not url)
        database = Database(address, patience=host.patience)
        exits.callback(database.close)
        database.take_over()
        migrate(database)
        stored = _stored(place, database, parameters)
        store = Store(place, database, clock, stored)
        store.parameters_differ = store.parameters != parameters
        store.closes(exits.pop_all())
        return store


def _check_presence(place: DataFolder, *, is_file: bool) -> None:
    if is_file and not place.database.exists() and place.has_content:
        raise HostFault(
            f"{place.database}: is missing, though the folder holds files of matches or uploads; "
            "put it back, or restore a backup into another folder"
        )


def _stored(place: DataFolder, database: Database, parameters: Parameters) -> Stored:
    """What the database holds, after having put it there if nothing is."""
    found = database.read(_find)
    own = place.identity()
    if found is None:
        if place.has_content:
            raise HostFault(
                f"data folder {place.path}: holds files of matches or uploads, and the database "
                f"{database.title} nothing: they do not belong together"
            )
        return _first(database, Stored(asdict(parameters), b"", own or place.new_identity()))
    if not own and database.is_sqlite:
        place.set_identity(found.identity)
    elif own != found.identity:
        raise HostFault(
            f"data folder {place.path} and database {database.title}: do not belong together; "
            "name the folder that this database was made with, or restore a backup"
        )
    return found


def _first(database: Database, stored: Stored) -> Stored:
    key = secrets.token_bytes(32)

    def put(connection: Connection) -> None:
        values = {"rating": stored.parameters, "identity": stored.identity, "secret_key": key}
        connection.execute(insert(PARAMETERS).values(only=1, **values))

    database.write(put)
    return Stored(stored.parameters, key, stored.identity)


def _find(connection: Connection) -> Stored | None:
    row = connection.execute(select(PARAMETERS)).one_or_none()
    return None if row is None else Stored(row.rating, row.secret_key, row.identity)
