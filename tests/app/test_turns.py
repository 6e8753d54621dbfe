"""Matches that wait for their turn."""

from __future__ import annotations

import asyncio
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from arena.app.turns import make_turns, turn
from arena.errors import HostFault

HOLDER = (
    "import asyncio, sys\n"
    "from pathlib import Path\n"
    "from arena.app.turns import turn\n"
    "async def hold():\n"
    "    async with turn(Path(sys.argv[1])):\n"
    "        print('mine', flush=True)\n"
    "        sys.stdin.read()\n"
    "asyncio.run(hold())\n"
)


def test_no_more_play_at_once_than_there_are_turns(tmp_path: Path) -> None:
    make_turns(tmp_path / "turns", 2)
    playing = most = played = 0

    async def match() -> None:
        nonlocal playing, most, played
        async with turn(tmp_path / "turns"):
            playing += 1
            most = max(most, playing)
            await asyncio.sleep(0)
            playing -= 1
            played += 1

    async def all_of_them() -> None:
        await asyncio.gather(*(match() for _ in range(7)))

    asyncio.run(all_of_them())
    assert (most, played, playing) == (2, 7, 0)


def test_the_turn_of_one_who_was_killed_is_the_next_ones(tmp_path: Path) -> None:
    make_turns(tmp_path / "turns", 1)

    async def take() -> None:
        async with turn(tmp_path / "turns"):
            pass

    with subprocess.Popen(
        [sys.executable, "-c", HOLDER, str(tmp_path / "turns")],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    ) as holder:
        assert holder.stdout is not None
        assert holder.stdout.readline() == "mine\n"

        async def wait_for_it() -> None:
            waiting = asyncio.create_task(take())
            done, _ = await asyncio.wait([waiting], timeout=0.1)
            assert not done
            holder.send_signal(signal.SIGKILL)
            await asyncio.wait_for(waiting, 20)

        asyncio.run(wait_for_it())


def test_without_a_folder_it_is_always_ones_turn() -> None:
    async def take() -> str:
        async with turn(None):
            return "mine"

    assert asyncio.run(take()) == "mine"


def test_a_folder_that_is_gone_is_told(tmp_path: Path) -> None:
    async def take() -> None:
        async with turn(tmp_path / "gone"):
            pass

    with pytest.raises(HostFault, match="gone: No such file"):
        asyncio.run(take())
    (tmp_path / "file").touch()
    with pytest.raises(HostFault, match="file: File exists"):
        make_turns(tmp_path / "file", 1)
