"""A bot as a program: a process that is started with an address, and its exit code."""

from __future__ import annotations

import asyncio
import os
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

import pytest

from arena.transport.convert_hand import rule_set_message, team_messages
from arena_sdk import Stage, run
from arena_sdk.testing import prompts
from millearena.v1 import match_service_pb2 as pb
from tests.sdk.bots import Chooses, wire_prompt
from tests.sdk.referee import Script, Table, referee

ODD_BOT = Path(__file__).with_name("odd_bot.py")
TURN = next(prompts(Stage.PLAY))
LONG = 3600.0


@dataclass
class Ended:
    """How a bot's process ended."""

    code: int
    out: list[str]
    err: list[str]


async def one_question(table: Table) -> None:
    """A hand with one question, to its end."""
    await table.hear()
    view = TURN.view
    await table.tell(
        welcome=pb.Welcome(
            seat=view.seat,
            teams=team_messages(view.seating),
            rule_set=rule_set_message(view.rules),
            game_count=1,
        )
    )
    await table.tell(prompt=wire_prompt(TURN, "p", LONG))
    await table.answer()
    await table.tell(hand_over=pb.HandOver())
    await table.tell(match_over=pb.MatchOver(outcome=pb.OUTCOME_COMPLETED))


def start(kind: str, script: Script = one_question, *args: str, **environment: str) -> Ended:
    """Let one of the odd bots meet a referee."""

    async def main() -> Ended:
        async with asyncio.timeout(60), referee(script) as table:
            bot = await asyncio.create_subprocess_exec(
                *(sys.executable, str(ODD_BOT), kind, *args),
                env={**os.environ, "ARENA_ADDRESS": table.address, **environment},
                stdout=asyncio.subprocess.PIPE,
                stderr=asyncio.subprocess.PIPE,
            )
            out, err = await bot.communicate()
        assert bot.returncode is not None
        return Ended(bot.returncode, out.decode().splitlines(), err.decode().splitlines())

    return asyncio.run(main())


def test_a_bot_plays_and_ends_well() -> None:
    assert start("Plain") == Ended(0, ["asked PLAY", "over completed "], [])


def test_what_a_bot_prints_is_no_part_of_the_protocol() -> None:
    """It printed a line while it was asked, and the referee has heard two messages."""
    heard: list[str | None] = []

    async def script(table: Table) -> None:
        try:
            await one_question(table)
        finally:  # a bot that has ended may end this as well
            heard.extend(one.WhichOneof("message") for one in table.heard)

    assert start("Plain", script).out[0] == "asked PLAY"
    assert heard == ["join", "answer"]


@pytest.mark.parametrize("strict", ["", "0"])
def test_a_bot_that_raises_goes_on(strict: str) -> None:
    ended = start("Raises", ARENA_STRICT=strict)
    assert ended.code == 0
    assert ended.err[0] == "Traceback (most recent call last):"
    assert ended.err[-1] == (
        "arena_sdk: choose raised 1 time (last: RuntimeError: dropped my cards); "
        "default actions were played"
    )


@pytest.mark.parametrize(
    ("kind", "what"),
    [
        ("Raises", "choose raised RuntimeError: dropped my cards"),
        ("RaisesLast", "match_over raised RuntimeError: sore loser"),
    ],
)
def test_in_strict_play_it_ends_at_once(kind: str, what: str) -> None:
    async def script(table: Table) -> None:
        try:
            await one_question(table)
        except AssertionError as error:
            assert "the bot has left" in str(error)  # noqa: PT017 - it may have to

    ended = start(kind, script, ARENA_STRICT="1")
    assert ended.code == 1
    assert ended.err[0] == "Traceback (most recent call last):"
    assert f"arena_sdk: strict play ends here: {what}" in ended.err


def test_a_bot_may_leave() -> None:
    assert start("Exits").code == 7


def test_the_end_of_a_match_reaches_a_bot_that_thinks(tmp_path: Path) -> None:
    """Somebody else has forfeited: the stream is over while this bot still has a question."""
    flag = tmp_path / "go on"

    async def script(table: Table) -> None:
        await table.hear()
        await table.tell(prompt=wire_prompt(TURN, "p", LONG))
        await table.tell(
            match_over=pb.MatchOver(outcome=pb.OUTCOME_FORFEIT, detail="another bot crashed")
        )
        table.when_over(flag.touch)

    ended = start("Waits", script, str(flag))
    assert ended == Ended(0, ["asked PLAY", "over forfeit another bot crashed"], [])


def test_a_referee_that_goes_away_is_told_of() -> None:
    async def script(table: Table) -> None:
        await table.hear()

    ended = start("Plain", script)
    assert ended == Ended(
        1, [], ["arena_sdk: the referee ended the stream before the match was over"]
    )


# -- the environment --------------------------------------------------------------------------


def test_a_class_is_told_from_a_bot() -> None:
    with pytest.raises(SystemExit, match=r"takes a bot, not its class: run\(Chooses\(\)\)"):
        run(Chooses)  # type: ignore[arg-type]


def test_without_an_address_a_bot_says_how_it_is_started(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.delenv("ARENA_ADDRESS", raising=False)
    with pytest.raises(SystemExit, match="ARENA_ADDRESS is not set; start the bot with `arena"):
        run(Chooses())


@pytest.mark.parametrize("address", ["unix:", "localhost", "127.0.0.1:http", "a\nb"])
def test_an_address_that_cannot_be_one_is_refused(
    address: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("ARENA_ADDRESS", address)
    with pytest.raises(SystemExit) as ended:
        run(Chooses())
    assert ended.value.code == (
        f"arena_sdk: ARENA_ADDRESS {address!r}: must be unix:PATH or HOST:PORT"
    )


@pytest.mark.parametrize("token", ["s3cret\n", "s3crét"])
def test_a_token_that_cannot_be_sent_is_refused_and_not_shown(
    token: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("ARENA_ADDRESS", "127.0.0.1:1")
    monkeypatch.setenv("ARENA_TOKEN", token)
    with pytest.raises(SystemExit) as ended:
        run(Chooses())
    assert ended.value.code == "arena_sdk: ARENA_TOKEN: must be printable ASCII"


def test_a_bot_loads_only_what_it_needs() -> None:
    """Not the command line, and before it plays neither gRPC nor what it takes to ask versions."""
    code = "import sys, arena_sdk, arena_sdk.testing, arena_sdk.simulate; print(*sys.modules)"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    loaded = set(done.stdout.split())
    assert "arena_sdk._bot" in loaded
    assert not loaded & {
        *("typer", "rich", "click", "arena.cli", "arena.referee"),
        *("grpc", "google.protobuf", "asyncio", "importlib.metadata"),
    }
