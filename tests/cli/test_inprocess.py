"""What a bot of one process finds around it, and what is as before when it has been called."""

from __future__ import annotations

import os
import sys
from importlib import import_module
from pathlib import Path
from typing import Any

import pytest

from arena.cli.inprocess import Home
from arena.sandbox.launcher import CappedLog


def home(folder: Path, **files: str) -> tuple[Home, CappedLog]:
    folder.mkdir()
    for name, text in files.items():
        (folder / f"{name}.py").write_text(text)
    log = CappedLog()
    return Home(folder, log), log


def test_everything_is_as_it_was_after_a_call(tmp_path: Path) -> None:
    mine, log = home(tmp_path / "mine", helper_of_mine="x = 1\n")
    before = (os.getcwd(), sys.stdout, sys.stderr, list(sys.path), set(sys.modules))

    def be_called() -> None:
        import_module("helper_of_mine")
        assert os.getcwd() == str(tmp_path / "mine")
        sys.stdout.write("to its log\n")
        raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError), mine:
        be_called()
    assert (os.getcwd(), sys.stdout, sys.stderr, list(sys.path), set(sys.modules)) == before
    assert log.text() == "to its log\n"


def test_a_bot_s_modules_are_its_own_and_last_until_the_leg_is_over(tmp_path: Path) -> None:
    one, _ = home(tmp_path / "one", helper="calls = 10\n")
    two, _ = home(tmp_path / "two", helper="calls = 20\n")
    found = []
    for place in (one, two, one, two):
        with place:
            helper: Any = import_module("helper")
            helper.calls += 1
            found.append(helper.calls)
    one.clear()
    with one:
        helper = import_module("helper")
        found.append(helper.calls)
    assert found == [11, 21, 12, 22, 10]


def test_clearing_within_a_call_forgets_too(tmp_path: Path) -> None:
    mine, _ = home(tmp_path / "mine", helper="calls = 1\n")
    with mine:
        helper: Any = import_module("helper")
        helper.calls = 5
    with mine:
        mine.clear()
        helper = import_module("helper")
        assert helper.calls == 1


def test_what_all_share_stays_where_it_is(tmp_path: Path) -> None:
    """Modules of this project and of installed packages are not a bot's, wherever they lie."""
    packages = tmp_path / "mine" / ".venv" / "lib" / "site-packages"
    mine, _ = home(tmp_path / "mine")
    packages.mkdir(parents=True)
    (packages / "installed_for_all.py").write_text("")
    sys.path.insert(0, str(packages))
    try:
        with mine:
            import_module("installed_for_all")
        assert "installed_for_all" in sys.modules
    finally:
        sys.path.remove(str(packages))
        del sys.modules["installed_for_all"]


def test_what_a_bot_does_to_the_path_is_undone_as_far_as_it_is_its_folder(tmp_path: Path) -> None:
    mine, _ = home(tmp_path / "mine")
    with mine:
        sys.path.remove(str(tmp_path / "mine"))
    assert str(tmp_path / "mine") not in sys.path
