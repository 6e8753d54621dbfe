"""`arena build-bot`: build a bot here, with the tools of this machine, to play it as a process."""

from __future__ import annotations

import os
import re
import shlex
import shutil
import subprocess
import sys
from collections import deque
from collections.abc import Sequence
from time import monotonic
from typing import Annotated, Any, Final

import typer

from arena.cli.builds import fetching, touch_built
from arena.cli.exits import ExitCode
from arena.cli.output import JsonOption, print_json, printable, remarks, results
from arena.errors import BotError
from arena.submissions.manifest import Manifest, find_bot

__all__ = ["build_bot"]

_COLOURS: Final = re.compile(r"\x1b\[[0-9;]*[A-Za-z]")
_LINES: Final = 30
"""The last lines of a build that are shown with --json."""


def build_bot(
    bots: Annotated[
        list[str],
        typer.Argument(metavar="BOT...", help="Folders with a bot.toml, or names of example bots."),
    ],
    as_json: JsonOption = False,
) -> None:
    """Build bots where they lie, as their bot.toml says, to play them without a sandbox.

    Runs the command `build` in the bot's folder, with your own tools and your
    own network: only for bots that you trust. A server builds an upload
    itself, in a container and without a network; `arena try` shows that.

    A bot without `build` needs nothing. Exit code 1 if a build failed.
    """
    found = [find_bot(bot) for bot in bots]
    rows = [_build(bot, aside=as_json) for bot in found]
    if as_json:
        print_json({"bots": rows})
    failed = [row for row in rows if row["problem"]]
    if failed:
        raise typer.Exit(ExitCode.FAILED)


def _build(bot: Manifest, *, aside: bool) -> dict[str, Any]:
    """Build one bot and say what came of it; with `aside` its output is kept instead of shown."""
    row: dict[str, Any] = {"bot": bot.name, "folder": str(bot.folder), "problem": "", "log": []}
    commands = [one for one in (fetching(bot), bot.build) if one]
    if not commands:
        _say(f"{bot.name}: nothing to build", aside=aside)
        return row | {"seconds": 0.0}
    began = monotonic()
    for command in commands:
        _require_tool(bot, command[0])
        code = _run(bot, command, row, aside=aside)
        if code:
            row["problem"] = f"{shlex.join(command)}: ended with {code}"
            problem = printable(row["problem"])
            remarks().print(f"{printable(bot.name)}: the build failed: {problem}", markup=False)
            break
    seconds = monotonic() - began
    if not row["problem"]:
        touch_built(bot)
        _say(f"{bot.name}: built in {seconds:.0f} s", aside=aside)
    return row | {"seconds": round(seconds, 1)}


def _run(bot: Manifest, command: Sequence[str], row: dict[str, Any], *, aside: bool) -> int:
    """Run one command in the bot's folder; its exit code."""
    if not aside:
        shown = printable(shlex.join(command))
        remarks().print(f"{printable(bot.name)}: {shown}", markup=False)
        if sys.stderr.isatty():
            return subprocess.run(
                command, cwd=bot.folder, check=False, stdin=subprocess.DEVNULL, stdout=sys.stderr
            ).returncode
    kept: deque[str] = deque(maxlen=_LINES)
    with subprocess.Popen(
        command,
        cwd=bot.folder,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
    ) as running:
        assert running.stdout is not None
        for content in running.stdout:
            # Some tools colour what they say even where nobody sees it.
            line = _COLOURS.sub("", content.decode("utf-8", "replace")).rstrip("\r\n")
            if aside:
                kept.append(line)
            elif line or content in (b"\n", b"\r\n"):
                typer.echo(line, err=True)
    row["log"] = list(kept)
    return running.returncode


def _say(line: str, *, aside: bool) -> None:
    if not aside:
        results().print(printable(line), markup=False, soft_wrap=True)


def _require_tool(bot: Manifest, program: str) -> None:
    """Refuse a build whose program is not there.

    Raises:
        BotError: naming it.
    """
    if os.sep in program:
        missing = not os.access(bot.folder / program, os.X_OK)
    else:
        missing = shutil.which(program) is None
    if missing:
        raise BotError(
            f"bot {bot.name!r}: no program {program!r} to build it with: install the tools of "
            f"{bot.language}, or play it with --sandbox docker"
        )
