"""Migrations: the old tables or the new ones, never something between."""

from __future__ import annotations

import os
import shutil
import signal
import sqlite3
import subprocess
import sys
from pathlib import Path

import pytest
from alembic.autogenerate import compare_metadata
from alembic.migration import MigrationContext
from sqlalchemy import inspect, make_url, text

from arena.errors import HostFault
from arena.storage import failpoints
from arena.storage.database import Database
from arena.storage.migrating import MIGRATIONS, check_schema, migrate
from arena.storage.schema import METADATA
from arena.storage.store import Store, open_store
from tests.storage.conftest import FakeClock, OpenStore

_NEXT = """
import sqlalchemy as sa
from alembic import op

revision = "{number}"
down_revision = "{before}"
branch_labels = None
depends_on = None


def upgrade():
    op.create_table("{table}", sa.Column("number", sa.Integer(), primary_key=True))
    op.execute("INSERT INTO {table} (number) SELECT number FROM owners")
    with op.batch_alter_table("owners") as owners:
        owners.add_column(sa.Column("{table}", sa.Text(), nullable=False, server_default="new"))
"""

_MIGRATE = """
import sys
from pathlib import Path
from sqlalchemy import make_url
from arena.storage.database import Database
from arena.storage.migrating import migrate
migrate(Database(make_url(sys.argv[1])), Path(sys.argv[2]))
"""


@pytest.fixture
def steps(tmp_path: Path) -> Path:
    """Our migrations, and two of a later program."""
    folder = tmp_path / "100% later"
    shutil.copytree(MIGRATIONS, folder, ignore=shutil.ignore_patterns("__pycache__"))
    newest = max(path.name[:4] for path in (folder / "versions").glob("0*.py"))
    for number, before, table in (("9001", newest, "hats"), ("9002", "9001", "shoes")):
        body = _NEXT.format(number=number, before=before, table=table)
        (folder / "versions" / f"{number}_later.py").write_text(body)
    return folder


@pytest.fixture
def old(reopen: OpenStore) -> Store:
    """A store of today, with an owner, that is closed."""
    with reopen() as store:
        store.owners.create("ann")
    return store


def _shape(store: Store) -> tuple[str, list[str], list[str]]:
    """Revision, tables, and the columns of owners."""
    database = Database(store.database.url)
    try:
        with database.reading() as connection:
            found = inspect(connection)
            revision = connection.scalar(text("SELECT version_num FROM schema_version"))
            columns = [one["name"] for one in found.get_columns("owners")]
            assert connection.scalar(text("SELECT name FROM owners")) == "ann"
            return str(revision), sorted(found.get_table_names()), columns
    finally:
        database.close()


def _migrate(store: Store, steps: Path, point: str = "") -> int:
    url = store.database.url.render_as_string(hide_password=False)
    environment = {**os.environ, failpoints.VARIABLE: point} if point else None
    command = [sys.executable, "-c", _MIGRATE, url, str(steps)]
    return subprocess.run(command, env=environment, check=False).returncode


def test_the_migrations_make_the_tables(store: Store) -> None:
    with store.database.reading() as connection:
        context = MigrationContext.configure(connection, opts={"version_table": "schema_version"})
        assert compare_metadata(context, METADATA) == []


def test_there_is_nothing_to_do_twice(store: Store) -> None:
    assert migrate(store.database) is False


@pytest.mark.parametrize(
    ("point", "is_new"),
    [
        (failpoints.IN_MIGRATION, False),
        (f"{failpoints.IN_MIGRATION}:2", False),
        (failpoints.BEFORE_COMMIT, False),
        (failpoints.AFTER_MIGRATION, True),
    ],
)
def test_a_kill_leaves_the_old_or_the_new(
    old: Store, steps: Path, point: str, is_new: bool
) -> None:
    before = _shape(old)
    assert _migrate(old, steps, point) == -signal.SIGKILL
    after = _shape(old)
    if is_new:
        assert after[0] == "9002"
        assert set(after[1]) - set(before[1]) == {"hats", "shoes"}
        assert after[2] == [*before[2], "hats", "shoes"]
    else:
        assert after == before
    assert _migrate(old, steps) == 0  # whoever comes next finishes it
    assert _shape(old)[0] == "9002"


def test_of_a_file_a_copy_is_made_first(tmp_path: Path, clock: FakeClock, steps: Path) -> None:
    with open_store(tmp_path / "data", clock) as store:
        store.owners.create("ann")
        before = store.database.read(check_schema)
    copy = tmp_path / "data" / f"arena-before-migration-from-{before}.sqlite"
    assert not copy.exists()
    assert _migrate(store, steps, failpoints.IN_MIGRATION) == -signal.SIGKILL
    assert _migrate(store, steps) == 0  # over the copy of the one that was killed
    with sqlite3.connect(copy) as file:
        assert file.execute("SELECT name FROM owners").fetchall() == [("ann",)]
        assert file.execute("SELECT version_num FROM schema_version").fetchall() == [(before,)]
    file.close()


def test_a_migrated_database_is_too_new_for_an_old_program(
    old: Store, steps: Path, reopen: OpenStore
) -> None:
    assert _migrate(old, steps) == 0
    with pytest.raises(HostFault, match=r"revision '9002', .* newer program"):
        reopen()


def test_rows_that_refer_to_nothing_stop_a_migration(
    tmp_path: Path, clock: FakeClock, steps: Path
) -> None:
    with open_store(tmp_path / "data", clock) as store:
        store.owners.create("ann")
    with sqlite3.connect(tmp_path / "data" / "arena.sqlite") as file:
        columns = "owner, name, created, mu, sigma, conservative"
        file.execute(f"INSERT INTO entrants ({columns}) VALUES (99, 'x', 0, 25, 8, 1)")
    file.close()
    database = Database(make_url(str(store.database.url)))
    with pytest.raises(HostFault, match="a row of 'entrants' refers to one of 'owners'"):
        migrate(database, steps)
    database.close()
    assert _shape(store)[0] != "9002"
