"""Bots behind the bridge, played by the real referee, and what they leave behind."""

from __future__ import annotations

import contextlib
import os
import secrets
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from arena.app import play_match
from arena.engine.deal import seed_from_text
from arena.engine.rulesets import make_ruleset
from arena.engine.scoring import Length
from arena.engine.seating import make_seating
from arena.referee.events import OutcomeKind
from arena.referee.game import every_rotation
from arena.referee.limits import STANDARD_LIMITS, Limits
from arena.referee.tally import Tally
from arena.referee.verdict import described
from arena.submissions.manifest import Manifest, find_bot
from arena.tournament.matches import MatchSpec, Venue

MARK: Final = "BRIDGE_TEST_MARK"  # not ARENA_: such variables do not reach a bot

TALK: Final = """\
import json, os, signal, subprocess, sys, time

def write(text):
    sys.stdout.write(text)
    sys.stdout.flush()

def say(**arms):
    write(json.dumps(arms) + "\\n")

def join(**more):
    say(join={"protocolVersion": 1, "botName": "tested", **more})

def prompts():
    for line in sys.stdin:
        message = json.loads(line)
        if "prompt" in message:
            yield message["prompt"]

def answer(prompt, index=None):
    index = prompt["defaultIndex"] if index is None else index
    say(answer={"promptId": prompt["promptId"], "legalIndex": index})

def first_prompt():
    for prompt in prompts():
        return prompt

def play():
    for prompt in prompts():
        answer(prompt)

"""
"""What the bots here begin with."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Seen:
    """What came of a match against an honest bot.

    Attributes:
        verdict: `COMPLETED`, `VOID`, or `FORFEIT` and its reason; the tested bot forfeits.
        words: The same in words.
        log: The log of the tested bot.
        tally: Its faults.
        left: Processes that are left.
    """

    verdict: str
    words: str
    log: str
    tally: Tally
    left: tuple[str, ...]


def manifest(folder: Path, script: str, *run: str) -> Manifest:
    """A bot whose program is Python with `script` after `TALK`, or is `run`."""
    (folder / "bot.py").write_text(TALK + script)
    return Manifest(
        name="tested",
        version="1",
        language="python",
        run=run or (sys.executable, "bot.py"),
        folder=folder,
        bridge="stdio-json",
    )


def played(
    bot: Manifest,
    *,
    hands: int = 2,
    limits: Limits = STANDARD_LIMITS,
    venue: Venue = Venue(),  # noqa: B008 - frozen
) -> Seen:
    """Let a bot play a game of some hands against a racer."""
    rules = make_ruleset("classic", players=2)
    spec = MatchSpec(
        bots=(bot, find_bot("racer")),
        rules=rules,
        seating=make_seating(rules, 2),
        seed=seed_from_text("bridge"),
        boards=(0,),
        legs=every_rotation(1, 2)[:1],
        limits=limits,
        length=Length(hands),
        venue=venue,
    )
    with _marked() as mark:
        outcome = play_match(spec)
        left = tuple(_processes(mark))
    verdict = str(outcome.verdict.kind)
    if outcome.verdict.kind is OutcomeKind.FORFEIT:
        assert [one.bot for one in outcome.verdict.forfeits] == [0]
        verdict += f" {outcome.verdict.forfeits[0].reason}"
    return Seen(
        verdict=verdict,
        words=described(outcome.verdict, ["tested", "racer"]),
        log=outcome.logs[0],
        tally=outcome.tallies[0],
        left=left,
    )


@contextlib.contextmanager
def _marked() -> Iterator[str]:
    mark = os.environ[MARK] = secrets.token_hex(16)
    try:
        yield mark
    finally:
        del os.environ[MARK]


def _processes(mark: str) -> Iterator[str]:
    line = f"{MARK}={mark}".encode()
    own = str(os.getpid())
    for folder in Path("/proc").glob("[0-9]*"):
        with contextlib.suppress(OSError):
            if folder.name != own and line in (folder / "environ").read_bytes().split(b"\0"):
                yield (folder / "cmdline").read_bytes().replace(b"\0", b" ").decode()
