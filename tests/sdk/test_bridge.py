"""The bridge as a program, against a referee that says what a test tells it to say."""

from __future__ import annotations

import asyncio
import os
import signal
import sys
from asyncio.subprocess import PIPE, Process
from collections.abc import Awaitable, Callable, Mapping
from pathlib import Path
from types import MappingProxyType
from typing import Final

import grpc
import pytest

from millearena.v1 import match_service_pb2 as pb
from tests.sdk.bots import wire_prompt
from tests.sdk.bridgehouse import TALK
from tests.sdk.referee import Script, Table, referee
from tests.sdk.wire import LONG, OVER, TURNS, welcome

BRIDGE: Final = (sys.executable, "-P", "-m", "arena_sdk.bridge")
BOTS: Final = (sys.executable, "-c")


class Ended:
    """How a bridge has ended, and what its standard error was."""

    def __init__(self, code: int, log: str, table: Table) -> None:
        self.code = code
        self.log = log
        self.table = table


def talk(
    script: Script,
    bot: str,
    *,
    meanwhile: Callable[[Process], Awaitable[None]] | None = None,
    environment: Mapping[str, str] = MappingProxyType({}),
) -> Ended:
    """Let a bot, Python after `TALK`, meet a referee through the bridge."""

    async def main() -> Ended:
        async with asyncio.timeout(60), referee(script) as table:
            process = await asyncio.create_subprocess_exec(
                *(*BRIDGE, "--", *BOTS, TALK + bot),
                env={**os.environ, "ARENA_ADDRESS": table.address, **environment},
                stdin=asyncio.subprocess.DEVNULL,
                stderr=PIPE,
            )
            if meanwhile is not None:
                await meanwhile(process)
            _, log = await process.communicate()
        assert process.returncode is not None
        return Ended(process.returncode, log.decode(), table)

    return asyncio.run(main())


async def one_prompt(table: Table) -> None:
    """A leg with a single question."""
    await table.hear()
    await table.tell(welcome=welcome())
    await table.tell(prompt=wire_prompt(TURNS[0], "one", LONG))
    await table.answer()
    await table.tell(match_over=OVER)


@pytest.mark.parametrize(
    ("says", "is_asked"),
    [
        ("own = open(1, 'w', closefd=False); own.write('{\"join\":{}}\\n')", True),
        ("sys.stdout.write('{\"join\":{}}'); sys.stdout.flush()", True),  # no line yet
        ("print('{\"join\":{}}', flush=True)", False),
    ],
    ids=["kept back", "without an end", "as it should"],
)
def test_a_bot_that_says_nothing_is_asked_whether_it_flushes(says: str, is_asked: bool) -> None:
    async def script(table: Table) -> None:
        await table.hear()
        await table.tell(match_over=OVER)

    bot = f"import time\n{says}\ntime.sleep(6)\nsys.exit(3)\n"
    ended = talk(script, bot)
    assert ended.code == 3
    assert ("flush its output after each line?" in ended.log) is is_asked


def test_it_carries_what_both_say_and_ends_as_the_bot_does() -> None:
    async def script(table: Table) -> None:
        await table.hear()
        await table.tell(welcome=welcome())
        for number, prompt in enumerate(TURNS[:20]):
            await table.tell(prompt=wire_prompt(prompt, f"id {number}", LONG))
            answer = await table.answer()
            assert (answer.prompt_id, answer.legal_index) == (f"id {number}", number % 2)
        await table.tell(match_over=OVER)

    bot = """
join(botVersion="7")
for number, prompt in enumerate(prompts()):
    say(note={"text": f"at {number}"})
    answer(prompt, number % 2)
sys.stderr.write("read to the end\\n")
sys.exit(6)
"""
    ended = talk(script, bot)
    assert (ended.code, ended.log) == (6, "read to the end\n")
    join = ended.table.heard[0].join
    assert (join.bot_name, join.bot_version) == ("tested", "7")
    assert join.sdk.startswith("stdio-json bridge 0.")
    assert ended.table.notes == [f"at {number}" for number in range(20)]


def test_a_bot_that_says_through_what_it_speaks_is_believed() -> None:
    ended = talk(one_prompt, "join(sdk='own 3')\nplay()")
    assert ended.table.heard[0].join.sdk == "own 3"
    assert ended.code == 0


def test_of_the_arena_a_bot_is_told_its_seed_and_how_strict_it_is() -> None:
    bot = """
join(botName=",".join(sorted(one for one in os.environ if one.startswith("ARENA_"))))
play()
"""
    given = {"ARENA_TOKEN": "s3cret", "ARENA_BOT_SEED": "5", "ARENA_STRICT": "1"}
    given |= {"ARENA_MARK": "whose", "ARENA_SETTINGS": "private"}
    ended = talk(one_prompt, bot, environment=given)
    assert ended.table.heard[0].join.bot_name == "ARENA_BOT_SEED,ARENA_MARK,ARENA_STRICT"
    assert ended.table.metadata["arena-token"] == "s3cret"


def test_a_message_of_a_newer_kind_is_passed_over() -> None:
    async def script(table: Table) -> None:
        await table.hear()
        for _ in range(2):
            await table.say(pb.PlayResponse.FromString(b"\x9a\x06\x03abc"))
        await table.tell(match_over=OVER)

    ended = talk(script, "join()\nassert list(json.loads(sys.stdin.readline())) == ['matchOver']")
    assert ended.code == 0
    assert ended.log.count("newer than this bridge") == 1


def test_a_refusal_is_told() -> None:
    async def script(table: Table) -> None:
        await table.hear()
        assert table.context is not None
        await table.context.abort(grpc.StatusCode.FAILED_PRECONDITION, "version 9 is spoken here")

    ended = talk(script, "join()\nplay()\ntime.sleep(99)")
    assert ended.code == 1
    assert ended.log == "arena_sdk.bridge: FAILED_PRECONDITION: version 9 is spoken here\n"


def test_a_stream_that_ends_early_is_told() -> None:
    async def script(table: Table) -> None:
        await table.hear()
        await table.tell(welcome=welcome())

    ended = talk(
        script, "signal.signal(signal.SIGTERM, signal.SIG_IGN)\njoin()\nwhile True: time.sleep(9)"
    )
    assert ended.code == 1
    assert ended.log == (
        "arena_sdk.bridge: the referee ended the stream before the match was over\n"
    )


def test_it_dies_as_the_bot_does() -> None:
    assert talk(one_prompt, "os.kill(os.getpid(), signal.SIGABRT)").code == -signal.SIGABRT
    assert talk(one_prompt, "os.kill(os.getpid(), signal.SIGKILL)").code == -signal.SIGKILL


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT, signal.SIGHUP])
def test_a_signal_ends_both(number: signal.Signals, tmp_path: Path) -> None:
    told = asyncio.Event()

    async def script(table: Table) -> None:
        await table.hear()
        told.set()
        await asyncio.Event().wait()

    async def meanwhile(process: Process) -> None:
        await told.wait()
        process.send_signal(number)

    bot = f"""
signal.signal(signal.SIGTERM, signal.SIG_IGN)
open({str(tmp_path / "pid")!r}, "w").write(str(os.getpid()))
join()
sys.stdin.read()
while True: time.sleep(9)
"""
    assert talk(script, bot, meanwhile=meanwhile).code == -number
    with pytest.raises(ProcessLookupError):
        os.kill(int((tmp_path / "pid").read_text()), 0)


def test_a_bot_whose_bridge_is_killed_reads_to_the_end() -> None:
    told = asyncio.Event()

    async def script(table: Table) -> None:
        await table.hear()
        told.set()
        await asyncio.Event().wait()

    async def meanwhile(process: Process) -> None:
        await told.wait()
        process.kill()

    # The bot holds the standard error that is read to its end here, so it has ended as well.
    ended = talk(script, "join()\nsys.stdin.read()\nsys.stderr.write('gone')", meanwhile=meanwhile)
    assert (ended.code, ended.log) == (-signal.SIGKILL, "gone")


def test_a_bot_that_does_not_read_makes_the_bridge_wait_and_not_grow() -> None:
    sizes: list[int] = []
    sent = 0

    async def script(table: Table) -> None:
        nonlocal sent
        await table.hear()
        await table.tell(welcome=welcome())
        prompt = pb.PlayResponse(prompt=wire_prompt(TURNS[0], "x" * 10_000, LONG))
        try:
            async with asyncio.timeout(5):
                for sent in range(5_000):  # noqa: B007
                    await table.say(prompt)
        except TimeoutError:
            sizes.append(sent)
        await asyncio.Event().wait()

    async def meanwhile(process: Process) -> None:
        before = 0
        while not sizes:
            await asyncio.sleep(0.1)
            before = before or resident(process.pid)
        assert resident(process.pid) - before < 48 * 2**20
        process.terminate()

    talk(script, "join()\ntime.sleep(99)", meanwhile=meanwhile)
    assert 0 < sizes[0] < 4_000


def resident(pid: int) -> int:
    """Bytes that a process holds, once it has begun."""
    pages = int(Path(f"/proc/{pid}/statm").read_text().split()[1])
    return pages * os.sysconf("SC_PAGE_SIZE")


def test_one_that_was_held_still_for_longer_than_anything_lasts_plays_on() -> None:
    at = asyncio.Event()
    go_on = asyncio.Event()

    async def script(table: Table) -> None:
        await table.hear()
        await table.tell(welcome=welcome())
        at.set()
        await go_on.wait()
        await table.tell(prompt=wire_prompt(TURNS[0], "one", LONG))
        await table.answer()
        await table.tell(match_over=OVER)

    async def meanwhile(process: Process) -> None:
        await at.wait()
        process.send_signal(signal.SIGSTOP)
        await asyncio.sleep(1.5)  # longer than each of the bridge's own limits
        process.send_signal(signal.SIGCONT)
        go_on.set()

    ended = talk(script, "join()\nplay()", meanwhile=meanwhile)
    assert (ended.code, ended.log) == (0, "")


async def run(*arguments: str, **environment: str) -> tuple[int, str]:
    own = {name: value for name, value in os.environ.items() if not name.startswith("ARENA_")}
    process = await asyncio.create_subprocess_exec(
        *BRIDGE, *arguments, env={**own, **environment}, stderr=PIPE
    )
    _, log = await process.communicate()
    assert process.returncode is not None
    return process.returncode, log.decode()


@pytest.mark.parametrize(
    ("arguments", "address", "code", "log"),
    [
        ((), "unix:/s", 1, "usage: python -m arena_sdk.bridge -- PROGRAM [ARGUMENT ...]\n"),
        (("true",), "unix:/s", 1, "usage: python -m arena_sdk.bridge -- PROGRAM [ARGUMENT ...]\n"),
        (
            ("--", "true"),
            "",
            1,
            "arena_sdk: ARENA_ADDRESS is not set; start the bot with `arena match`\n",
        ),
        (
            ("--", "true"),
            "nowhere",
            1,
            "arena_sdk: ARENA_ADDRESS 'nowhere': must be unix:PATH or HOST:PORT\n",
        ),
        (
            ("--", "./no-such"),
            "unix:/s",
            127,
            "arena_sdk.bridge: cannot start './no-such': No such file or directory\n",
        ),
        (("--", "/"), "unix:/s", 127, "arena_sdk.bridge: cannot start '/': Permission denied\n"),
    ],
)
def test_what_cannot_begin_says_why_in_one_line(
    arguments: tuple[str, ...], address: str, code: int, log: str
) -> None:
    assert asyncio.run(run(*arguments, ARENA_ADDRESS=address)) == (code, log)
