"""The import contracts of `pyproject.toml` bite: planted imports break the contract they should.

`lint-imports` runs on a skeleton of the whole architecture in which each package has one module,
so that the contracts are tried for packages that do not exist yet as well.
"""

from __future__ import annotations

import re
import shutil
import subprocess
import sys
import tomllib
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import pytest

ROOT = Path(__file__).parents[1]
PACKAGES = (
    *("cli", "web", "transport", "tournament", "workers", "submissions", "storage", "sandbox"),
    *("referee", "ladder", "formats", "stats", "engine"),
)
MODULES = ("app", "settings", "errors")
PURE = ("engine", "ladder", "formats", "stats")


def contracts() -> dict[str, Mapping[str, Any]]:
    config = tomllib.loads((ROOT / "pyproject.toml").read_text())["tool"]["importlinter"]
    return {contract["id"]: contract for contract in config["contracts"]}


def skeleton(root: Path, imports: Sequence[tuple[str, str]]) -> None:
    """Lay out every package with one empty module, then add `imports`, pairs of module and line."""
    shutil.copy(ROOT / "pyproject.toml", root)
    files = [f"arena/{package}/{name}.py" for package in PACKAGES for name in ("__init__", "inner")]
    files += [f"arena/{name}.py" for name in ("__init__", *MODULES)]
    files += ["arena/referee/runner.py", "arena_sdk/__init__.py", "arena_sdk/inner.py"]
    for name in files:
        (root / name).parent.mkdir(parents=True, exist_ok=True)
        (root / name).touch()
    for module, line in imports:
        path = root / f"{module.replace('.', '/')}.py"
        path.write_text(f"{path.read_text()}{line}\n")


def broken_contracts(root: Path) -> set[str]:
    done = subprocess.run(
        [Path(sys.executable).with_name("lint-imports"), "--no-cache"],
        cwd=root,
        capture_output=True,
        text=True,
        check=False,
    )
    verdicts = dict(re.findall(r"^(.+?) (KEPT|BROKEN)", done.stdout, flags=re.MULTILINE))
    known = {contract["name"]: name for name, contract in contracts().items()}
    assert verdicts.keys() == known.keys(), done.stdout + done.stderr
    return {known[name] for name, verdict in verdicts.items() if verdict == "BROKEN"}


ALLOWED = [
    ("arena.cli.inner", "import time, arena_sdk.inner, arena.app, arena.engine.inner"),
    ("arena.app", "import datetime, time, arena.transport.inner, arena.web.inner, arena.settings"),
    ("arena.transport.inner", "import grpc, google.protobuf, millearena.v1.cards_pb2"),
    ("arena.transport.inner", "from arena.tournament import inner"),
    ("arena.tournament.inner", "from arena.workers import inner"),
    ("arena.workers.inner", "import arena.storage.inner, arena.sandbox.inner, arena.submissions"),
    ("arena.referee.runner", "import asyncio, time, arena.engine.inner"),
    ("arena.referee.inner", "import asyncio, arena.stats"),
    ("arena.engine.inner", "import enum, hashlib, json, arena.errors"),
    ("arena.ladder.inner", "import statistics, trueskill, arena.errors"),
    ("arena_sdk.inner", "import grpc, time, millearena.v1, arena.engine.inner, arena.errors"),
    ("arena_sdk.inner", "from arena.referee import runner"),
]

PLANTED = [
    ("arena.engine.inner", "import arena.referee.inner", "layers"),
    ("arena.engine.inner", "import arena.stats.inner", "layers"),
    ("arena.referee.inner", "from arena.storage import inner", "layers"),
    ("arena.web.inner", "from arena.transport.inner import x", "layers"),
    ("arena.settings", "import arena.app", "layers"),
    ("arena.errors", "import arena.engine", "layers"),
    ("arena.engine.inner", "import random", "pure"),
    ("arena.engine.inner", "from pathlib import Path", "pure"),
    ("arena.engine.inner", "def later():\n    import time", "pure clock"),
    ("arena.errors", "import os", "pure"),
    ("arena.stats.inner", "import random", "pure"),
    ("arena.referee.inner", "from time import monotonic", "clock"),
    ("arena.storage.inner", "import datetime", "clock"),
    ("arena.referee.inner", "from google.protobuf import message", "protobuf"),
    ("arena.cli.inner", "import grpc.aio", "protobuf"),
    ("arena.app", "from millearena.v1 import cards_pb2", "protobuf"),
    ("arena.referee.inner", "import arena_sdk.inner", "server-without-sdk"),
    ("arena_sdk.inner", "import arena.transport.inner", "sdk-without-server"),
    ("arena_sdk.__init__", "from arena.storage import inner", "sdk-without-server"),
]


def test_allowed_imports_break_nothing(tmp_path: Path) -> None:
    skeleton(tmp_path, ALLOWED)
    assert broken_contracts(tmp_path) == set()


@pytest.mark.parametrize(("module", "line", "broken"), PLANTED)
def test_planted_import_breaks_its_contract(
    tmp_path: Path, module: str, line: str, broken: str
) -> None:
    skeleton(tmp_path, [(module, line)])
    assert broken_contracts(tmp_path) == set(broken.split())


def test_new_package_must_be_given_its_place(tmp_path: Path) -> None:
    skeleton(tmp_path, [])
    (tmp_path / "arena" / "helpers.py").touch()
    assert broken_contracts(tmp_path) == {"layers"}


def test_every_pure_package_is_held_to_purity() -> None:
    there = {f"arena.{name}" for name in PURE if (ROOT / "arena" / name).is_dir()}
    assert there <= set(contracts()["pure"]["source_modules"])
