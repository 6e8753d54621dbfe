"""Threads are given out in turn, and what nobody waits for is never begun."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Callable, Coroutine
from typing import Any

import pytest

from arena.tournament.refusals import OverQuota
from arena.transport.services.lanes import Lane, LaneLimits

ONE_THREAD = LaneLimits(threads=1, threads_each=1, waiting=5, waiting_each=3)


def in_lane(limits: LaneLimits, scene: Callable[[Lane], Coroutine[Any, Any, None]]) -> None:
    """Play a scene with a lane of its own; ten seconds at the most."""

    async def play() -> None:
        lane = Lane(limits, "test")
        try:
            async with asyncio.timeout(10):
                await scene(lane)
        finally:
            lane.close()

    asyncio.run(play())


class Held:
    """Work that goes on until it may end; `begun` has what was begun, in its order."""

    def __init__(self) -> None:
        self.begun: list[str] = []
        self.may_end = threading.Event()

    def work(self, name: str) -> str:
        self.begun.append(name)
        self.may_end.wait(10)
        return name


async def settle() -> None:
    """Let every task come to where it waits."""
    for _ in range(5):
        await asyncio.sleep(0)


def test_one_who_asks_for_much_waits_for_itself() -> None:
    async def scene(lane: Lane) -> None:
        held = Held()
        asked = [("ann", name) for name in ("a1", "a2", "a3")] + [("bob", "b1")]
        calls = []
        for payer, name in asked:
            calls.append(asyncio.create_task(lane.run(payer, held.work, name)))
            await settle()
        held.may_end.set()
        assert await asyncio.gather(*calls) == ["a1", "a2", "a3", "b1"]
        assert held.begun == ["a1", "a2", "b1", "a3"]

    in_lane(ONE_THREAD, scene)


def test_one_payer_leaves_a_thread_for_others() -> None:
    async def scene(lane: Lane) -> None:
        held = Held()
        of_ann = [asyncio.create_task(lane.run("ann", held.work, f"a{n}")) for n in range(2)]
        await settle()
        assert await lane.run("bob", lambda: "answered") == "answered"
        held.may_end.set()
        await asyncio.gather(*of_ann)

    in_lane(LaneLimits(threads=2, threads_each=1), scene)


def test_what_nobody_waits_for_any_more_is_never_begun() -> None:
    async def scene(lane: Lane) -> None:
        held = Held()
        first, *others = [asyncio.create_task(lane.run("ann", held.work, name)) for name in "abcd"]
        await settle()
        for gone in (first, *others[:2]):
            gone.cancel()
        await settle()
        # The one at work keeps its thread until it is done with it.
        kept = asyncio.create_task(lane.run("ann", held.work, "e"))
        await settle()
        assert not kept.done()
        held.may_end.set()
        await asyncio.wait([others[2], kept])
        assert (others[2].result(), kept.result()) == ("d", "e")
        assert held.begun == ["a", "d", "e"]

    in_lane(ONE_THREAD, scene)


def test_who_goes_in_the_moment_of_their_turn_gives_it_back() -> None:
    async def scene(lane: Lane) -> None:
        for moment in range(4):
            call = asyncio.create_task(lane.run("ann", lambda: "answered"))
            for _ in range(moment):
                await asyncio.sleep(0)
            call.cancel()
            await asyncio.wait([call])
            assert await lane.run("bob", lambda: "answered") == "answered"

    in_lane(ONE_THREAD, scene)


def test_too_much_that_waits_is_refused() -> None:
    async def scene(lane: Lane) -> None:
        held = Held()

        def asks(payer: str) -> asyncio.Task[str]:
            return asyncio.create_task(lane.run(payer, held.work, payer))

        calls = [asks("ann") for _ in range(4)]  # one at work, three wait
        await settle()
        with pytest.raises(OverQuota) as of_ann:
            await lane.run("ann", held.work, "ann")
        assert (of_ann.value.reason, of_ann.value.facts) == ("TOO_BUSY", {"wait_seconds": "1"})
        calls += [asks("bob") for _ in range(2)]
        await settle()
        with pytest.raises(OverQuota):  # five wait
            await lane.run("carl", held.work, "carl")
        held.may_end.set()
        assert len(await asyncio.gather(*calls)) == 6

    in_lane(ONE_THREAD, scene)


def test_what_fails_gives_its_thread_back() -> None:
    def fails() -> None:
        raise OSError("on purpose")

    async def scene(lane: Lane) -> None:
        for _ in range(2):
            with pytest.raises(OSError, match="on purpose"):
                await lane.run("ann", fails)

    in_lane(ONE_THREAD, scene)
