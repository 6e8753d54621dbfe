"""A PostgreSQL server of our own, for tests: in a temporary folder, on a unix socket."""

from __future__ import annotations

import contextlib
import os
import pwd
import shutil
import subprocess
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Final

import psycopg
import pytest
from sqlalchemy import make_url

from arena.storage.database import Database
from arena.storage.migrating import migrate

__all__ = ["Cluster", "running_cluster"]

_INSTALLED: Final = Path("/usr/lib/postgresql")
_USER: Final = "postgres"
_TEMPLATE: Final = "trial_template"
_SETTINGS: Final = (
    "listen_addresses = ''",
    "fsync = on",
    "synchronous_commit = off",  # the worst a server may be set to: our sessions ask for more
    "max_connections = 60",
    "shared_buffers = 16MB",
    "logging_collector = off",
)


class Cluster:
    """A server that is running; made by `running_cluster`."""

    def __init__(self, programs: Path, folder: Path, user: str | None) -> None:
        self._programs = programs
        self._folder = folder
        self._user = user
        self._count = 0

    def url(self, name: str) -> str:
        return f"postgresql+psycopg://{_USER}@/{name}?host={self._folder}"

    def start(self) -> None:
        options = f"-k {self._folder}"
        self._run("pg_ctl", "start", "-w", "-t", "60", "-o", options, "-l", self._folder / "log")

    def stop(self, mode: str = "fast") -> None:
        self._run("pg_ctl", "stop", "-w", "-m", mode)

    @contextlib.contextmanager
    def fresh(self) -> Iterator[str]:
        """The address of a database with our tables and nothing in them."""
        with self.empty(f"TEMPLATE {_TEMPLATE}") as url:
            yield url

    @contextlib.contextmanager
    def empty(self, of: str = "") -> Iterator[str]:
        """The address of a database without tables."""
        self._count += 1
        name = f"trial_{self._count}"
        self.execute(f"CREATE DATABASE {name} {of}")
        try:
            yield self.url(name)
        finally:
            self.execute(f"DROP DATABASE {name} WITH (FORCE)")

    def execute(self, statement: str) -> None:
        with self._session(_USER) as session:
            session.execute(statement)

    def cut_all(self) -> None:
        """End every session but our own, as when a cable is pulled."""
        self.execute(
            "SELECT pg_terminate_backend(pid, 5000) FROM pg_stat_activity "
            "WHERE pid <> pg_backend_pid() AND backend_type = 'client backend'"
        )

    def session(self, url: str) -> psycopg.Connection:
        """A session of somebody else in a database of ours."""
        return self._session(make_url(url).database or "")

    def prepare(self) -> None:
        self._run("initdb", "-A", "trust", "-U", _USER, "-E", "UTF8", "--no-instructions")
        with (self._folder / "data" / "postgresql.conf").open("a") as file:
            file.write("\n".join(_SETTINGS) + "\n")
        self.start()
        self.execute(f"CREATE DATABASE {_TEMPLATE}")
        with contextlib.closing(Database(make_url(self.url(_TEMPLATE)))) as database:
            migrate(database)

    def _session(self, name: str) -> psycopg.Connection:
        address = f"host={self._folder} user={_USER} dbname={name}"
        return psycopg.connect(address, autocommit=True)

    def _run(self, program: str, *arguments: str | Path) -> None:
        data = ("-D", str(self._folder / "data"))
        subprocess.run(
            [self._programs / program, *data, *arguments],
            user=self._user,
            cwd=self._folder,
            check=True,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            timeout=90,
        )


@contextlib.contextmanager
def running_cluster() -> Iterator[Cluster]:
    """A server, from its making to its end; skips the test if none is installed."""
    programs = _programs()
    user = None
    # Short, because the path of a socket may have only 107 bytes.
    folder = Path(tempfile.mkdtemp(prefix="pg-", dir="/tmp"))
    try:
        if os.geteuid() == 0:  # the server refuses to be root
            user = _USER
            os.chown(folder, _uid(), -1)
        cluster = Cluster(programs, folder, user)
        try:
            cluster.prepare()
            yield cluster
        finally:
            with contextlib.suppress(subprocess.CalledProcessError):  # a test has stopped it
                cluster.stop("immediate")
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def _programs() -> Path:
    found = shutil.which("initdb")
    if found:
        return Path(found).resolve().parent
    versions = sorted(_INSTALLED.glob("*/bin/initdb"), key=lambda path: float(path.parts[-3]))
    if not versions:
        pytest.skip("no PostgreSQL server is installed: initdb is not found")
    return versions[-1].parent


def _uid() -> int:
    try:
        return pwd.getpwnam(_USER).pw_uid
    except KeyError:
        pytest.skip(f"there is no user {_USER}, and PostgreSQL refuses to run as root")
