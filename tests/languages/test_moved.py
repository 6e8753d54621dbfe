"""A bot in C++ whose folder was moved or copied with its build: CMake would refuse it."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

import pytest

from tests.languages.conftest import SDKS

PROJECT = """\
cmake_minimum_required(VERSION 3.25)
project(moved LANGUAGES NONE)
file(MAKE_DIRECTORY ${CMAKE_BINARY_DIR}/arena_sdk)
"""


def build(folder: Path) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        ["cmake", "-P", str(SDKS / "cpp" / "build.cmake")],
        cwd=folder,
        capture_output=True,
        text=True,
        check=False,
        timeout=120,
    )


@pytest.mark.parametrize("how", ["copied", "moved", "linked"])
def test_a_bot_builds_wherever_its_folder_has_come_to(how: str, tmp_path: Path) -> None:
    if shutil.which("cmake") is None:
        pytest.skip("cpp: no cmake")
    first, then = tmp_path / "first bot", tmp_path / "then bot"
    first.mkdir()
    (first / "CMakeLists.txt").write_text(PROJECT)
    done = build(first)
    assert done.returncode == 0, done.stderr
    (first / "build" / "mark").write_text("")
    if how == "copied":
        shutil.copytree(first, then)
    elif how == "moved":
        first.rename(then)
    else:
        then.symlink_to(first)
    done = build(then)
    assert done.returncode == 0, done.stderr
    # What was compiled is kept where it is the same folder, and made anew elsewhere.
    assert (then / "build" / "mark").exists() == (how == "linked")
