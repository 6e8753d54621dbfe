"""`python -m tests.figures BOT...`: what bots in different languages cost, in containers.

Each bot is built and started as in rated play, and told what bots were told in recorded games. A
line for each: the build, the image, the time to `join`, threads and memory at rest, the time for a
prompt, and the smallest memory limit under which it still plays to the end.
"""

from __future__ import annotations

import argparse
import asyncio
import contextlib
import json
import os
import statistics
import sys
import tempfile
from collections.abc import Callable
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from time import perf_counter
from typing import TYPE_CHECKING, Any, Final

from arena.app.seats import command_of
from arena.cli.planning import images_of
from arena.engine.state import Stage
from arena.referee.events import Prompt
from arena.sandbox.docker import DockerLauncher
from arena.sandbox.engine import connect
from arena.sandbox.launcher import CappedLog, Program
from arena.sandbox.policy import MIB, PLAYING, Policy
from arena.sandbox.slots import life
from arena.submissions.bottoml import Manifest
from arena.submissions.manifest import find_bot
from arena.tournament.building import Build, DockerBuilder
from arena.tournament.prepared import built
from millearena.v1 import match_service_pb2 as pb
from tests.languages.recorded import games
from tests.sdk.referee import Table, referee

if TYPE_CHECKING:
    from docker import APIClient

PROMPTS: Final = 1000
LIMITS: Final = (16, 24, 32, 48, 64, 96, 128, 192, 256, 384, 512)
"""Limits of memory that are tried, in MiB."""

_PATIENCE: Final = 60.0  # seconds


@dataclass(kw_only=True)
class Figures:
    """What one bot costs; times in seconds unless said otherwise, sizes in MiB."""

    bot: str
    sdk: str = ""
    image: float = 0.0
    build: float | None = None
    build_processor: float | None = None
    build_peak: float | None = None
    size: float = 0.0
    start_up: float = 0.0
    threads: int = 0
    memory: float = 0.0
    prompt_ms: float = 0.0
    least: int | None = None


class _Watched:
    """A builder that remembers what the build cost."""

    def __init__(self) -> None:
        self.builds: list[Build] = []

    async def build(self, source: Path, bot: Manifest, image: str) -> Build:
        found = await DockerBuilder().build(source, bot, image)
        self.builds.append(found)
        return found


def measure(name: str, prompts: int = PROMPTS) -> Figures:
    """Build a bot and play with it, under the limits of rated play and then under less."""
    bot = find_bot(name)
    found = Figures(bot=bot.name)
    (image,) = images_of([bot])
    with tempfile.TemporaryDirectory() as work, contextlib.closing(connect()) as engine:
        found.image = engine.inspect_image(image)["Size"] / MIB
        builder, began = _Watched(), perf_counter()
        (bot,) = built([bot], [image], Path(work), builder, asyncio.run)
        for build in builder.builds:
            found.build = perf_counter() - began
            found.build_processor = build.processor_time
            found.build_peak = None if build.peak is None else build.peak / MIB
        files = [path for path in bot.folder.rglob("*") if path.is_file()]
        found.size = sum(path.stat().st_size for path in files) / MIB
        program = Program(command=command_of(bot, image), folder=bot.folder, image=image)
        asyncio.run(play(engine, program, PLAYING, prompts, found))
        for least in LIMITS:
            policy = replace(PLAYING, memory=least * MIB)
            if _is_enough(engine, program, policy):
                found.least = least
                break
    return found


def _is_enough(engine: APIClient, program: Program, policy: Policy) -> bool:
    try:
        asyncio.run(play(engine, program, policy, 300, Figures(bot="")))
    except (AssertionError, TimeoutError):
        return False
    return True


async def play(
    engine: APIClient, program: Program, policy: Policy, prompts: int, found: Figures
) -> None:
    """Play so many prompts to a bot in a container.

    Raises:
        AssertionError: it has left.
        TimeoutError: it says nothing.
    """
    with life() as owner:
        launcher = DockerLauncher(engine, owner, policy=policy)
        slot = await launcher.make_ready(program)
        log = CappedLog()
        over = asyncio.Event()
        failed: list[BaseException] = []

        async def script(table: Table) -> None:
            try:
                join = (await asyncio.wait_for(table.hear(), _PATIENCE)).join
                found.sdk, found.start_up = join.sdk, perf_counter() - began
                await _tell(table, prompts, found)
                await asyncio.to_thread(_look, engine, slot.ident, found)
                await table.tell(match_over=pb.MatchOver(outcome=pb.OUTCOME_COMPLETED))
            except BaseException as error:
                failed.append(error)
                raise
            finally:
                over.set()

        assert slot.socket is not None
        try:
            async with referee(script, at=slot.socket):
                os.chmod(slot.socket, 0o666)
                began = perf_counter()
                async with slot.run(
                    {"ARENA_ADDRESS": slot.address, "ARENA_BOT_SEED": "1"}, log
                ) as running:
                    ended = asyncio.ensure_future(running.wait())
                    heard = asyncio.ensure_future(over.wait())
                    await asyncio.wait(
                        {ended, heard}, return_when=asyncio.FIRST_COMPLETED, timeout=_PATIENCE
                    )
                    ended.cancel()
                    heard.cancel()
            assert over.is_set(), "it has not come, or has left"
            assert not failed, str(failed)
        finally:
            await slot.close()


async def _tell(table: Table, prompts: int, found: Figures) -> None:
    seconds: list[float] = []
    for game in games():
        for message, raw in game.told:
            at = perf_counter()
            await table.say(pb.PlayResponse.FromString(raw))
            if isinstance(message, Prompt):
                await asyncio.wait_for(table.answer(), _PATIENCE)
                if message.view.stage is not Stage.RESPOND:
                    seconds.append(perf_counter() - at)
        if len(seconds) >= prompts:
            break
    found.prompt_ms = statistics.median(seconds) * 1000


def _look(engine: APIClient, ident: str, found: Figures) -> None:
    """What a container holds now."""
    told: dict[str, Any] = engine.stats(ident, stream=False, one_shot=True)
    memory = told["memory_stats"]
    held = memory["stats"]
    cache = held.get("total_inactive_file", held.get("inactive_file", 0))
    found.memory = (memory["usage"] - cache) / MIB
    found.threads = told["pids_stats"]["current"] - 1  # the keeper


def _shown(value: float | None, form: str) -> str:
    return "-" if value is None else format(value, form)


_COLUMNS: Final[tuple[tuple[str, Callable[[Figures], str]], ...]] = (
    ("bot", lambda one: one.bot),
    ("SDK", lambda one: one.sdk),
    ("image MiB", lambda one: f"{one.image:.0f}"),
    ("build s", lambda one: _shown(one.build, ".1f")),
    ("of it CPU s", lambda one: _shown(one.build_processor, ".1f")),
    ("build peak MiB", lambda one: _shown(one.build_peak, ".0f")),
    ("bot MiB", lambda one: f"{one.size:.2f}"),
    ("to join s", lambda one: f"{one.start_up:.2f}"),
    ("threads", lambda one: str(one.threads)),
    ("memory MiB", lambda one: f"{one.memory:.0f}"),
    ("prompt ms", lambda one: f"{one.prompt_ms:.2f}"),
    ("least limit MiB", lambda one: _shown(one.least, "d")),
)


def main() -> None:
    """Measure the bots that are named."""
    parser = argparse.ArgumentParser(prog="python -m tests.figures", description=__doc__)
    parser.add_argument("bots", nargs="+", metavar="BOT", help="a folder, or an example's name")
    parser.add_argument("--prompts", type=int, default=PROMPTS)
    parser.add_argument("--json", action="store_true")
    given = parser.parse_args()
    rows = []
    if not given.json:
        sys.stdout.write(f"| {' | '.join(name for name, _ in _COLUMNS)} |\n")
        sys.stdout.write(f"|{'---|' * len(_COLUMNS)}\n")
    for name in given.bots:
        found = measure(name, given.prompts)
        rows.append(asdict(found))
        if not given.json:
            sys.stdout.write(f"| {' | '.join(show(found) for _, show in _COLUMNS)} |\n")
            sys.stdout.flush()
    if given.json:
        sys.stdout.write(json.dumps(rows, indent=2) + "\n")


if __name__ == "__main__":
    main()
