"""The distribution: its version, and that what it names is there."""

from __future__ import annotations

import tomllib
from importlib.metadata import entry_points
from pathlib import Path

import pytest

import arena

ROOT = Path(__file__).parents[1]


def test_version_is_the_one_of_the_project_file() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    assert arena.__version__ == project["version"]


def test_unknown_attribute_is_refused_as_usual() -> None:
    with pytest.raises(AttributeError, match=r"module 'arena' has no attribute 'nonsense'"):
        _ = arena.nonsense  # type: ignore[attr-defined]


def test_command_is_installed() -> None:
    (command,) = entry_points(group="console_scripts", name="arena")
    assert command.value == "arena.cli:main"
