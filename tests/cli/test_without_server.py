"""What a bot author installs is enough to load the command line; who needs more is told what."""

from __future__ import annotations

import subprocess
import sys
import tomllib
from pathlib import Path

ROOT = Path(__file__).parents[2]
EXTRA = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]["optional-dependencies"]
NAMES = {
    "SQLAlchemy": "sqlalchemy",
    "alembic": "alembic",
    "docker": "docker",
    "grpcio-health-checking": "grpc_health",
    "grpcio-reflection": "grpc_reflection",
    "jinja2": "jinja2",
    "numpy": "numpy",
    "prometheus-client": "prometheus_client",
    "rustworkx": "rustworkx",
    "structlog": "structlog",
}
"""The packages of the extra `server`, by what they are called when they are imported."""


def arena_without_server(*args: str, folder: Path) -> subprocess.CompletedProcess[str]:
    code = (
        f"import sys; sys.modules.update(dict.fromkeys({list(NAMES.values())!r})); "
        "from arena.cli import main; main()"
    )
    return subprocess.run(
        [sys.executable, "-c", code, *args],
        capture_output=True,
        text=True,
        check=False,
        cwd=folder,
        timeout=60,
    )


def test_every_package_of_the_server_is_known_here() -> None:
    assert {one.partition(">=")[0] for one in EXTRA["server"]} == set(NAMES)


def test_the_help_and_an_author_s_commands_need_no_server(tmp_path: Path) -> None:
    for args in (("--help",), ("competition", "--help"), ("rules", "classic")):
        done = arena_without_server(*args, folder=tmp_path)
        assert done.returncode == 0, done.stderr
    asked = arena_without_server("competition", "list", "--server", "127.0.0.1:1", folder=tmp_path)
    assert "127.0.0.1:1" in asked.stderr
    assert "mille-arena[server]" not in asked.stderr


def test_who_needs_more_is_told_what_in_a_line(tmp_path: Path) -> None:
    (tmp_path / "archive").mkdir()
    done = arena_without_server("competition", "verify", "archive", folder=tmp_path)
    assert done.returncode == 1
    assert done.stderr.count("\n") == 1
    assert done.stderr.endswith(" is missing: pip install 'mille-arena[server]'\n")
