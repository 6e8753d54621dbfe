"""`python -m tests.equality FOLDER [--prompts N]`: does a bot decide as the Python keeper does?

A real server on a unix socket tells the bot's own process what bots were told in many games (see
`tests.languages.recorded`), and each of its answers is compared with what `example_bots/keeper`
answers to the same bytes. Prints a line for each kind of prompt, and the first differences.
"""

from __future__ import annotations

import argparse
import asyncio
import contextlib
import importlib.util
import os
import statistics
import subprocess
import sys
from collections import Counter
from collections.abc import AsyncIterator
from dataclasses import dataclass, field
from time import perf_counter
from typing import Any, Final

from arena.app.seats import command_of
from arena.referee.events import Prompt
from arena.submissions.manifest import Manifest, find_bot, require_program
from arena_sdk import Bot
from arena_sdk._convert import action_from, answer_message, prompt_from
from arena_sdk._convert_match import welcome_from
from arena_sdk._player import Player
from millearena.v1 import match_service_pb2 as pb
from tests.languages.recorded import Game, games
from tests.sdk.referee import Table, referee

PROMPTS: Final = 10_000
_SHOWN: Final = 5
_PATIENCE: Final = 60.0  # seconds in which a bot comes, and in which one answer comes


class BotLeft(Exception):  # noqa: N818 - what it says
    """The bot's process has ended before it should."""


@dataclass
class Comparison:
    """What came of it.

    Attributes:
        asked: Prompts, by family of the rules and stage.
        differ: Of them, answered otherwise.
        differences: The first of those, each in one line.
        seconds: From each prompt until its answer.
        join: What the bot said when it came.
        start_up: Seconds from the start of the process until then.
    """

    asked: Counter[str] = field(default_factory=Counter)
    differ: Counter[str] = field(default_factory=Counter)
    differences: list[str] = field(default_factory=list)
    seconds: list[float] = field(default_factory=list)
    join: pb.Join = field(default_factory=pb.Join)
    start_up: float = 0.0

    @property
    def is_equal(self) -> bool:
        """Whether something was asked, and every answer was the same."""
        return bool(self.asked) and not self.differ

    def take(self, game: Game, prompt: Prompt, answer: pb.Answer, expected: pb.Answer) -> None:
        """Count one answer."""
        kind = f"{prompt.view.rules.family.value} {prompt.view.stage.name.lower()}"
        self.asked[kind] += 1
        said, right = _text(prompt, answer), _text(prompt, expected)
        if said == right:
            return
        self.differ[kind] += 1
        if len(self.differences) < _SHOWN:
            cards = " ".join(map(str, prompt.view.cards))
            at = f"{game.name}, prompt {prompt.prompt_id}, hand {cards}"
            self.differences.append(f"{at}: {said}; keeper: {right}")


def _text(prompt: Prompt, answer: pb.Answer) -> str:
    """An answer in words: the action, and standing orders."""
    if answer.WhichOneof("choice") == "action":
        action = action_from(answer.action)
    else:
        action = prompt.view.legal[answer.legal_index]
    orders = " ".join(str(card) for card in sorted(answer.coup_fourre_on))
    return f"{action}, on {orders}" if orders else str(action)


async def compare(bot: Manifest, prompts: int = PROMPTS, *, seed: str = "recorded") -> Comparison:
    """Play so many recorded prompts, or a few more, to a bot's process.

    Raises:
        BotLeft: it has ended before it was over, or did not end well.
        TimeoutError: it did not come, did not answer, or did not end.
    """
    found = Comparison()
    began = perf_counter()
    over: asyncio.Future[None] = asyncio.get_running_loop().create_future()

    async def script(table: Table) -> None:
        try:
            found.join = (await asyncio.wait_for(table.hear(), _PATIENCE)).join
            found.start_up = perf_counter() - began
            await _tell_all(table, found, prompts, seed)
        except BaseException as error:
            over.set_exception(error)
            raise
        over.set_result(None)
        # A bot that has heard this may be gone before its writer is told that it was written.
        await table.tell(match_over=pb.MatchOver(outcome=pb.OUTCOME_COMPLETED))

    async with referee(script) as table, _running(bot, table.address) as process:
        ended = asyncio.create_task(process.wait())
        either: set[asyncio.Future[Any]] = {over, ended}
        await asyncio.wait(either, return_when=asyncio.FIRST_COMPLETED)
        if over.done():
            over.result()
        code = await asyncio.wait_for(ended, _PATIENCE)
        if code or not over.done():
            raise BotLeft(f"{bot.name} ended with {code} after {sum(found.asked.values())} prompts")
    return found


@contextlib.asynccontextmanager
async def _running(bot: Manifest, address: str) -> AsyncIterator[asyncio.subprocess.Process]:
    """The bot's process, as `arena match` would start it; it does not outlive this."""
    own = os.path.dirname(sys.executable)
    environment = os.environ | {
        "ARENA_ADDRESS": address,
        "ARENA_BOT_SEED": "1",
        "PATH": f"{own}{os.pathsep}{os.environ.get('PATH', os.defpath)}",
    }
    process = await asyncio.create_subprocess_exec(
        *command_of(bot, ""), cwd=bot.folder, env=environment, stdin=subprocess.DEVNULL
    )
    try:
        yield process
    finally:
        if process.returncode is None:
            process.kill()
            await process.wait()


async def _tell_all(table: Table, found: Comparison, prompts: int, seed: str) -> None:
    for game in games(seed):
        await _tell(table, game, found)
        if sum(found.asked.values()) >= prompts:
            break


async def _tell(table: Table, game: Game, found: Comparison) -> None:
    """Tell a bot everything that one seat was told in a game."""
    keeper = Player(_keeper())
    for message, raw in game.told:
        told = pb.PlayResponse.FromString(raw)
        if told.WhichOneof("message") == "welcome":
            keeper.welcome(welcome_from(told.welcome))
        at = perf_counter()
        await table.say(told)
        if isinstance(message, Prompt):
            answer = await asyncio.wait_for(table.answer(), _PATIENCE)
            found.seconds.append(perf_counter() - at)
            if answer.prompt_id != message.prompt_id:
                raise BotLeft(f"it answered {answer.prompt_id!r}, asked was {message.prompt_id!r}")
            found.take(game, message, answer, _expected(keeper, told.prompt))


def _expected(keeper: Player, message: pb.Prompt) -> pb.Answer:
    prompt = prompt_from(message)
    action = keeper.answer(prompt)
    return answer_message(message.prompt_id, prompt, action, keeper.orders(prompt))


def _keeper() -> Bot:
    """The Python keeper, out of the folder of the example."""
    path = find_bot("keeper").folder / "keeper_bot.py"
    spec = importlib.util.spec_from_file_location("keeper_bot", path)
    assert spec is not None
    assert spec.loader is not None
    if spec.name not in sys.modules:
        sys.modules[spec.name] = module = importlib.util.module_from_spec(spec)
        spec.loader.exec_module(module)
    bot: Bot = sys.modules[spec.name].KeeperBot()
    return bot


def report(name: str, found: Comparison) -> str:
    """What came of it, for people."""
    asked, differ = sum(found.asked.values()), sum(found.differ.values())
    lines = [f"{name} ({found.join.sdk}): {asked - differ:,} of {asked:,} answers as keeper's"]
    lines += [
        f"  {kind}: {count - found.differ[kind]:,} of {count:,}"
        for kind, count in sorted(found.asked.items())
    ]
    lines += [f"  differs: {one}" for one in found.differences]
    median = statistics.median(found.seconds) * 1000
    lines.append(f"  start-up {found.start_up:.2f} s; a prompt {median:.2f} ms (median, here)")
    return "\n".join(lines)


def main() -> None:
    """Compare the bots that are named; exit code 1 if one differs."""
    parser = argparse.ArgumentParser(prog="python -m tests.equality", description=__doc__)
    parser.add_argument("bots", nargs="+", metavar="BOT", help="a folder, or an example's name")
    parser.add_argument("--prompts", type=int, default=PROMPTS)
    given = parser.parse_args()
    code = 0
    for name in given.bots:
        bot = find_bot(name)
        require_program(bot, bot.folder)
        found = asyncio.run(compare(bot, given.prompts))
        sys.stdout.write(report(name, found) + "\n")
        code |= not found.is_equal
    sys.exit(code)


if __name__ == "__main__":
    main()
