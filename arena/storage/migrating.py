"""From the tables that a database has to those that this program knows: all at once or not at all.

The steps lie in `migrations/versions`, and Alembic runs them, in one transaction on SQLite and on
PostgreSQL alike: whoever is killed in the middle of it leaves what was there before. Of a file
that holds something a copy is made first.
"""

from __future__ import annotations

import contextlib
import sqlite3
from pathlib import Path
from typing import Final

from alembic import command
from alembic.config import Config
from alembic.script import ScriptDirectory
from sqlalchemy import Connection, inspect, text

from arena.errors import HostFault
from arena.storage import failpoints
from arena.storage.database import Database
from arena.storage.files import sync_folder
from arena.storage.schema import METADATA

__all__ = ["MIGRATIONS", "check_schema", "migrate", "revision_of"]

MIGRATIONS: Final = Path(__file__).with_name("migrations")
_TABLE: Final = "schema_version"


def migrate(database: Database, steps: Path = MIGRATIONS) -> bool:
    """Bring a database up to the newest tables; whether there was anything to do.

    Raises:
        HostFault: it is another program's, a newer one's, or parts of it are missing; it is as it
            was before.
    """
    config = _config(steps)
    before = database.read(lambda connection: check_schema(connection, steps))
    if before == _newest(config):
        return False
    if before and database.is_sqlite:
        _copy(Path(database.url.database or ""), before)
    with database.migrating() as connection:
        config.attributes["connection"] = connection
        config.attributes["version_table"] = _TABLE
        command.upgrade(config, "head")
        _check_references(database, connection)
    failpoints.reached(failpoints.AFTER_MIGRATION)
    return True


def check_schema(connection: Connection, steps: Path = MIGRATIONS) -> str:
    """The revision that a database is at; empty if nothing is in it.

    Raises:
        HostFault: it is another program's, a newer one's, or parts of it are missing.
    """
    config = _config(steps)
    tables = set(inspect(connection).get_table_names())
    if not tables:
        return ""
    title = connection.engine.url.database
    ours = tables & (set(METADATA.tables) | {_TABLE})
    if not ours:
        raise HostFault(
            f"database {title}: holds {sorted(tables)[0]!r} and nothing of a server: "
            "it is another program's; name another one"
        )
    if _TABLE not in tables:
        raise HostFault(
            f"database {title}: {_TABLE} is missing: it is half of one; restore a backup"
        )
    return _judged(connection, config, tables)


def revision_of(connection: Connection) -> str:
    """The revision that a database says it is at, whatever it is; empty if it says nothing."""
    if not inspect(connection).has_table(_TABLE):
        return ""
    found = connection.execute(text(f"SELECT version_num FROM {_TABLE}")).scalars().all()  # noqa: S608
    return " ".join(sorted(found))


def _judged(connection: Connection, config: Config, tables: set[str]) -> str:
    title = connection.engine.url.database
    found = revision_of(connection)
    newest = _newest(config)
    known = {one.revision for one in ScriptDirectory.from_config(config).walk_revisions()}
    if found not in known:
        raise HostFault(
            f"database {title}: its tables are of revision {found or 'none'!r}, and this program "
            f"knows those up to {newest!r}: it is a newer program's; start that one"
        )
    missing = sorted(set(METADATA.tables) - tables)
    if found == newest and missing:
        raise HostFault(f"database {title}: table {missing[0]!r} is missing; restore a backup")
    return found


def _copy(path: Path, revision: str) -> None:
    """Put a copy of a database's file beside it, whole or not at all."""
    copy = path.with_name(f"{path.stem}-before-migration-from-{revision}{path.suffix}")
    aside = copy.with_suffix(".new")
    try:
        aside.unlink(missing_ok=True)
        with contextlib.closing(sqlite3.connect(path)) as source:
            source.execute("VACUUM INTO ?", [str(aside)])
        aside.replace(copy)
        sync_folder(path.parent)
    except (OSError, sqlite3.Error) as error:
        raise HostFault(f"{copy}: the copy before a migration cannot be made: {error}") from None


def _check_references(database: Database, connection: Connection) -> None:
    if not database.is_sqlite:
        return
    broken = connection.exec_driver_sql("PRAGMA foreign_key_check").fetchone()
    if broken is not None:
        raise HostFault(
            f"database {database.title}: a row of {broken[0]!r} refers to one of {broken[2]!r} "
            "that is not there; it stays as it was; restore a backup"
        )


def _config(steps: Path) -> Config:
    config = Config()
    # A percent sign in a path would be taken for the beginning of a variable.
    config.set_main_option("script_location", str(steps).replace("%", "%%"))
    config.set_main_option("path_separator", "os")
    return config


def _newest(config: Config) -> str:
    head = ScriptDirectory.from_config(config).get_current_head()
    assert head is not None, "there are no migrations"
    return head
