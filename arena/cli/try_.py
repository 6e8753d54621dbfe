"""`arena try`: what a server does with an upload, on one's own machine."""

from __future__ import annotations

import dataclasses
import os
import time
from collections.abc import Sequence
from dataclasses import replace
from itertools import groupby
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Final

import typer

from arena.cli.exits import ExitCode
from arena.cli.output import JsonOption, print_json, printable, remarks, results
from arena.cli.planning import check_jobs
from arena.cli.trying import (
    Setting,
    require_image,
    require_runnable,
    take_in,
    unchecked,
    why_no_engine,
)
from arena.errors import InputError
from arena.submissions.limits import ArchiveLimits
from arena.submissions.packing import Packed, pack_folder

if TYPE_CHECKING:
    from rich.status import Status

    from arena.submissions.bottoml import Manifest
    from arena.tournament.building import Build
    from arena.tournament.intake import Accepted, Refused, Step
    from arena.tournament.validation import Finding, Report

__all__ = ["try_"]

_MARGIN: Final = 10
_INDENT: Final = " " * _MARGIN
_MIB: Final = 1024 * 1024
_EVERY: Final = 10.0  # seconds between lines where there is no terminal


def try_(
    bot: Annotated[
        Path,
        typer.Argument(
            metavar="DIR_OR_ZIP",
            exists=True,
            help="The folder with the bot's bot.toml, or an archive.",
        ),
    ],
    image: Annotated[
        str,
        typer.Option(
            metavar="NAME", help="Build and play in this image instead: a language, a name, an id."
        ),
    ] = "",
    jobs: Annotated[
        int, typer.Option("--jobs", "-j", min=1, help="Tables that are played at once.")
    ] = min(2, os.cpu_count() or 1),
    keep: Annotated[
        Path | None,
        typer.Option(
            metavar="DIR",
            help="Keep archives, artefact, records and the build's log there: a new folder.",
        ),
    ] = None,
    no_docker: Annotated[
        bool, typer.Option("--no-docker", help="Without a sandbox; what that leaves out is said.")
    ] = False,
    as_json: JsonOption = False,
) -> None:
    """Try whether a server would accept a bot: pack, check, store, build, validate.

    Does all that a server does with an upload, with the same image, limits and
    code. The bot is built in a container without a network, and then plays one
    hand in every seat of every table that its bot.toml names, against the
    example bot cautious and against itself. Its first fault fails it. An archive
    goes the same way, but that it is packed already.

    Without a Docker engine the same games are played with plain processes, and
    what could not be checked is listed; of a bot that needs a build nothing can
    be told then.

    Exit code 0 if it is accepted, 1 if not or if that cannot be told, 2 if its
    folder, archive or bot.toml is wrong.
    """
    check_jobs(jobs, crowded=False)
    steps = _Steps(quiet=as_json, image=image)
    why = "--no-docker" if no_docker else why_no_engine()
    if why and image:
        raise InputError(f"--image {image}: there are no images without Docker: {why}")
    if image:
        require_image(image)
    setting = Setting(why_no_docker=why, image=image, jobs=jobs, keep=keep)
    with steps:
        upload = _packed(bot, steps, runs_here=bool(why)) if bot.is_dir() else bot
        taken = take_in(upload, setting, steps)
    from arena.tournament.intake import Refused, Step

    if isinstance(taken, Refused):
        if isinstance(upload, Path) and taken.step in (Step.CHECK, Step.STORE):
            taken = replace(taken, why=tuple(f"{bot.name}: {line}" for line in taken.why))
        steps.failed(taken.step, taken.why)
    left_out = tuple(unchecked(steps.bot)) if why and steps.bot is not None else ()
    if as_json:
        print_json(_as_json(taken, steps, (why, left_out)))
    else:
        _print(taken, steps, (why, left_out))
        if not isinstance(taken, Refused):
            digest = (
                "its SHA-256" if isinstance(upload, Path) else "the SHA-256 that arena pack prints"
            )
            steps.say(_accepted(taken, digest, in_full=not why))
    if isinstance(taken, Refused):
        bad_input = taken.step in (Step.CHECK, Step.STORE)
        raise typer.Exit(ExitCode.BAD_INPUT if bad_input else ExitCode.FAILED)


def _packed(folder: Path, steps: _Steps, *, runs_here: bool) -> bytes:
    """The archive of a bot's folder, whose program must be there if it `runs_here`."""
    steps.began("pack", None)
    packed = pack_folder(folder, ArchiveLimits())
    steps.ended("pack", _told(packed))
    if runs_here:
        require_runnable(packed.submission.manifest)
    return packed.content


def _accepted(taken: Accepted, digest: str, *, in_full: bool) -> str:
    """The closing line: what was accepted, and by which names it is known from now on."""
    version = taken.version
    how = f"{'accepted':<{_MARGIN}}" if in_full else "accepted as far as could be checked  "
    return (
        f"{how}{version.manifest.name} {version.manifest.version}: "
        f"archive {version.archive[:8]}... ({digest}), "
        f"version {version.digest[:16]} (bot, image and what was built)"
    )


def _told(packed: Packed) -> str:
    left_out = len(packed.left_out)
    tail = f"; {left_out} left out, see `arena pack`" if left_out else ""
    return f"{len(packed.files)} files in {len(packed.content):,} bytes{tail}"


class _Steps:
    """A line for each step when it is over, and what is going on meanwhile."""

    def __init__(self, *, quiet: bool, image: str = "") -> None:
        self.done: list[dict[str, object]] = []
        self.bot: Manifest | None = None
        self._quiet = quiet
        self._instead = image
        self._began = time.monotonic()
        self._status: Status | None = None
        self._console = remarks()
        self._tables = 0
        self._next_line = _EVERY

    def __enter__(self) -> _Steps:
        return self

    def __exit__(self, *_: object) -> None:
        self._hide()

    def began(self, step: Step | str, bot: Manifest | None) -> None:
        """See `tournament.intake.Listener`."""
        self._hide()
        self._began = time.monotonic()
        self.bot = bot or self.bot
        what = f"building: {' '.join(bot.build)}" if bot and step == "build" else f"{step}"
        self._status = self._console.status(printable(what))
        self._status.start()

    def ended(self, step: Step | str, told: str) -> None:
        """See `tournament.intake.Listener`."""
        self._over(step, told, told, passed=True)

    def failed(self, step: Step, why: Sequence[str]) -> None:
        """The step that was begun last did not go well."""
        self._over(step, "; ".join(why), "FAILED", passed=False)

    def _over(self, step: Step | str, told: str, shown: str, *, passed: bool) -> None:
        self._hide()
        seconds = self.seconds
        self.done.append(
            {"step": str(step), "passed": passed, "told": told, "seconds": round(seconds, 3)}
        )
        if not self._quiet:
            self.say(f"{step:<{_MARGIN}}{shown} ({seconds:.1f} s)")

    def table_done(self, finding: Finding, count: int) -> None:
        """See `tournament.intake.Listener`."""
        self._tables += 1
        failed = f", FAILED: {finding.table}" if finding.problems else ""
        text = f"validate: {self._tables} of {count} tables{failed}"
        if self._status is not None:
            self._status.update(printable(text))
        if not self._console.is_terminal and self.seconds >= self._next_line:
            self._console.print(printable(text), soft_wrap=True)
            self._next_line = self.seconds + _EVERY

    @property
    def seconds(self) -> float:
        """Since the step began."""
        return time.monotonic() - self._began

    @property
    def image(self) -> str:
        """What the bot runs in, in words."""
        from arena.tournament.validation_hints import image_in_words

        return "its image" if self.bot is None else image_in_words(self.bot, self._instead)

    def say(self, text: str) -> None:
        """A line of the result."""
        results().print(printable(text), soft_wrap=True)

    def _hide(self) -> None:
        if self._status is not None:
            self._status.stop()
            self._status = None


# -- as text ----------------------------------------------------------------------------------


def _print(taken: Accepted | Refused, steps: _Steps, unseen: tuple[str, tuple[str, ...]]) -> None:
    from arena.tournament.intake import Refused

    why, left_out = unseen
    if isinstance(taken, Refused):
        for line in taken.why if taken.report is None else ():
            steps.say(f"{_INDENT}{line}")
        if taken.report is None and taken.build is not None:
            _print_log(taken.build, steps)
    if taken.report is not None:
        _print_report(taken.report, steps)
    for number, line in enumerate(left_out):
        start = f"not checked, for want of a sandbox ({why}):"
        if number == 0:
            steps.say(start)
        steps.say(f"{_INDENT}{line}")


def _print_log(build: Build, steps: _Steps) -> None:
    if build.log:
        steps.say(f"{_INDENT}the build wrote:")
    _print_lines("", build.log, [build.problem], steps)


def _print_lines(start: str, lines: Sequence[str], problems: Sequence[str], steps: _Steps) -> None:
    """Lines of a log, and what they and the problems hint at."""
    from arena.tournament.validation_hints import hints

    for line, same in groupby(lines):
        count = len(list(same))
        steps.say(f"{_INDENT}  {start}{line}" + (f" ({count} times)" if count > 1 else ""))
    for hint in hints([*problems, *lines], steps.image):
        steps.say(f"{_INDENT}  hint: {hint}")


def _print_report(report: Report, steps: _Steps) -> None:
    for one in report.failures:
        for problem in one.problems:
            steps.say(f"{_INDENT}{one.table}: {problem}")
        if (moment := one.moment) is not None and moment.prompt:
            seat = "" if moment.seat is None else f"in seat {moment.seat}, "
            steps.say(f"{_INDENT}  {seat}at prompt {moment.prompt}, {moment.asked}")
            fault = "" if moment.fault in one.problems else f" ({moment.fault})"
            steps.say(f"{_INDENT}  it answered: {moment.answered}{fault}")
        _print_lines("it wrote: ", one.log, one.problems, steps)
    if report.not_played:
        tables = "1 table was" if report.not_played == 1 else f"{report.not_played} tables were"
        steps.say(f"{_INDENT}{tables} not played after that")
    for one in report.findings:
        for warning in one.warnings:
            steps.say(f"{_INDENT}warning: {one.table}: {warning}")
    steps.say(f"{_INDENT}{_measured(report)}")


def _measured(report: Report) -> str:
    """What it took: a line."""
    from arena.tournament.validation import VALIDATION_LIMITS

    time_control = VALIDATION_LIMITS.time
    found = report.findings
    start_up = max(one.start_up for one in found)
    parts = []
    if start_up:
        limit = time_control.start_up / 1e9
        parts.append(f"started in {start_up:.2f} s at most, of {limit:g} s")
        longest = 1000 * max(one.longest for one in found)
        parts.append(f"answered in {longest:.1f} ms at most, of {time_control.turn / 1e6:,.0f} ms")
    if used := [one.processor_time for one in found if one.processor_time is not None]:
        parts.append(f"{max(used):.2f} s of processor time at most in a match")
    if peaks := [one.peak for one in found if one.peak is not None]:
        parts.append(f"{max(peaks) / _MIB:.0f} MiB of memory at most")
    parts.append(f"longest match {max(one.seconds for one in found):.1f} s")
    return "; ".join(parts)


# -- as JSON ----------------------------------------------------------------------------------


def _as_json(
    taken: Accepted | Refused, steps: _Steps, unseen: tuple[str, tuple[str, ...]]
) -> dict[str, object]:
    from arena.tournament.intake import Refused

    is_refused = isinstance(taken, Refused)
    report, build = taken.report, taken.build
    value: dict[str, object] = {
        "accepted": not is_refused,
        "failed_step": str(taken.step) if isinstance(taken, Refused) else None,
        "why": list(taken.why) if isinstance(taken, Refused) else [],
        "steps": steps.done,
        "build": None,
        "tables": [] if report is None else [dataclasses.asdict(one) for one in report.findings],
        "tables_not_played": 0 if report is None else report.not_played,
        "docker": not unseen[0],
        "not_checked": list(unseen[1]),
    }
    if build is not None:
        value["build"] = {
            "problem": build.problem,
            "log": list(build.log),
            "processor_time": build.processor_time,
            "peak": build.peak,
        }
    if not isinstance(taken, Refused):
        version = taken.version
        value["version"] = {
            "digest": version.digest,
            "archive": version.archive,
            "artefact": version.artefact,
            "image": version.image,
        }
    return value
