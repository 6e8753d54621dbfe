"""What the bridge costs: `python -m tests.bridgecost [--prompts N] [--rounds N]`.

One referee asks two bots the same prompts, in turns: one with the SDK, and one that does the same
behind the bridge, with Python's own JSON. Both are Python, so the difference is the bridge. What
machines differ in is in both columns; the ratios are what to look at.
"""

from __future__ import annotations

import argparse
import asyncio
import os
import sys
import time
from asyncio.subprocess import DEVNULL
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from statistics import median
from typing import Final

from arena_sdk.testing import prompts
from millearena.v1 import match_service_pb2 as pb
from tests.sdk.bots import wire_prompt
from tests.sdk.bridgehouse import TALK
from tests.sdk.referee import Table, referee
from tests.sdk.wire import LONG, OVER, welcome

WITH_SDK: Final = """
from arena_sdk import Bot, run

class Least(Bot):
    def choose(self, prompt):
        return prompt.default

run(Least())
"""
COMMANDS: Final = {
    "SDK": ("-c", WITH_SDK),
    "bridge": ("-P", "-m", "arena_sdk.bridge", "--", sys.executable, "-c", TALK + "join(); play()"),
}
_TICK: Final = os.sysconf("SC_CLK_TCK")


@dataclass
class Cost:
    """What a bot has cost, round by round: seconds, seconds, seconds, MiB."""

    start: list[float] = field(default_factory=list)
    wall: list[float] = field(default_factory=list)
    processor: list[float] = field(default_factory=list)
    memory: list[float] = field(default_factory=list)


def family(pid: int) -> Iterator[int]:
    """A process and all that it has started."""
    yield pid
    for tasks in Path(f"/proc/{pid}/task").iterdir():
        for child in (tasks / "children").read_text().split():
            yield from family(int(child))


def processor_time(pid: int) -> float:
    """What a process has used, in seconds."""
    facts = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    return (int(facts[11]) + int(facts[12])) / _TICK


def memory(pid: int) -> float:
    """What a process holds that nobody else does, and its share of what others do, in MiB."""
    lines = Path(f"/proc/{pid}/smaps_rollup").read_text().splitlines()
    return next(int(one.split()[1]) for one in lines if one.startswith("Pss:")) / 1024


async def play_round(name: str, questions: Sequence[pb.PlayResponse], cost: Cost) -> None:
    """Let a bot answer all the questions once."""
    pid = 0
    began = time.perf_counter()

    async def script(table: Table) -> None:
        await table.hear()
        cost.start.append(time.perf_counter() - began)
        await table.tell(welcome=welcome())
        for question in questions[:100]:
            await table.say(question)
            await table.answer()
        used = sum(map(processor_time, family(pid)))
        for question in questions:
            asked = time.perf_counter()
            await table.say(question)
            await table.answer()
            cost.wall.append(time.perf_counter() - asked)
        used = sum(map(processor_time, family(pid))) - used
        cost.processor.append(used / len(questions))
        cost.memory.append(sum(map(memory, family(pid))))
        await table.tell(match_over=OVER)

    async with asyncio.timeout(600), referee(script) as table:
        process = await asyncio.create_subprocess_exec(
            sys.executable,
            *COMMANDS[name],
            env={**os.environ, "ARENA_ADDRESS": table.address},
            stdin=DEVNULL,
        )
        pid = process.pid
        if await process.wait():
            sys.exit(f"the bot with the {name} ended with {process.returncode}")


def table_of(costs: dict[str, Cost]) -> Iterator[str]:
    """The figures, as lines of a table in Markdown."""
    rows = {
        "an answer, median": [1000 * median(one.wall) for one in costs.values()],
        "an answer, 99 of 100": [
            1000 * sorted(one.wall)[-len(one.wall) // 100] for one in costs.values()
        ],
        "processor time for it": [1000 * median(one.processor) for one in costs.values()],
        "from start to join": [1000 * median(one.start) for one in costs.values()],
        "memory": [median(one.memory) for one in costs.values()],
    }
    yield f"| | {' | '.join(costs)} | |"
    yield f"|---|{'---:|' * len(costs)}---:|"
    for name, (sdk, bridge) in rows.items():
        unit = "MiB" if name == "memory" else "ms"
        digits = 0 if name in ("memory", "from start to join") else 2
        cells = [f"{one:.{digits}f} {unit}" for one in (sdk, bridge)]
        yield f"| {name} | {' | '.join(cells)} | {bridge / sdk:.1f} x |"


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n", 1)[0])
    parser.add_argument("--prompts", type=int, default=1000, help="in a round, for each bot")
    parser.add_argument("--rounds", type=int, default=5)
    chosen = parser.parse_args()
    if chosen.prompts < 100 or chosen.rounds < 1:
        parser.error("it takes 100 prompts and 1 round at least")
    asked = [one for one in prompts(seed=3, hands=chosen.prompts // 40 + 1) if one.has_choice]
    questions = [
        pb.PlayResponse(prompt=wire_prompt(one, f"id {number}", LONG))
        for number, one in enumerate(asked[: chosen.prompts])
    ]
    costs = {name: Cost() for name in COMMANDS}
    for _ in range(chosen.rounds):
        for name, cost in costs.items():
            asyncio.run(play_round(name, questions, cost))
    sys.stdout.write("".join(f"{line}\n" for line in table_of(costs)))


if __name__ == "__main__":
    main()
