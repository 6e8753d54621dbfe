"""From a command line to a plan: what is played, and whether it can be."""

from __future__ import annotations

import contextlib
import os
import secrets
import socket
import tomllib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from arena.cli.builds import require_built
from arena.cli.exits import NOWHERE, is_somewhere
from arena.cli.files import read_text
from arena.cli.inprocess import require_python
from arena.cli.matchlogs import make_folder
from arena.cli.options import read_rules
from arena.cli.output import remarks
from arena.cli.playing import Files
from arena.engine.deal import seed_from_text
from arena.engine.scoring import Length
from arena.errors import HostFault, InputError, quoted
from arena.referee.limits import STANDARD_LIMITS, Limits, WindowMode, limits_from
from arena.submissions.manifest import Manifest, find_bot
from arena.tournament.matches import Pondering, Sandbox, Venue
from arena.tournament.series import SeriesPlan
from arena.tournament.statefile import seed_in

__all__ = [
    "Conditions",
    "check_jobs",
    "chosen",
    "images_of",
    "make_plan",
    "make_venue",
    "new_seed",
    "prepare",
    "read_limits",
]


@dataclass(frozen=True, kw_only=True)
class Conditions:
    """What bots play, as a command line says it."""

    ruleset: str = "classic"
    options: list[str] | None = None
    boards: int = 10
    rotations: str = "all"
    match_boards: int = 10
    seed: str = ""
    hands: int | None = None
    match_points: int | None = None
    limits: Limits = STANDARD_LIMITS
    venue: Venue = Venue()  # noqa: RUF009 - frozen


def new_seed(resume: Path | None) -> str:
    """The text of a seed where none was given: the one of the series that is taken up, or new."""
    text = None if resume is None else seed_in(resume)
    return secrets.token_hex(16) if text is None else text


def check_jobs(jobs: int, *, crowded: bool) -> None:
    """Refuse more jobs than cores: bots would wait for each other on their own time.

    Raises:
        InputError: there are too many.
    """
    cores = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count()
    if cores and jobs > cores and not crowded:
        raise InputError(
            f"--jobs {jobs}: each match keeps a core busy and this machine has {cores}, so bots "
            f"would lose time to each other; say at most {cores}, or --crowded"
        )


def chosen(sandbox: Sandbox | None) -> Sandbox:
    """The sandbox that is meant; who names one that is no wall is told so."""
    if sandbox is None:
        return Sandbox.PROCESS
    from arena.app.launchers import development_only

    if text := development_only(sandbox):
        remarks().print(text, soft_wrap=True)
    return sandbox


def make_venue(venue: Venue, pondering: Pondering | None) -> Venue:
    """A venue whose bots may ponder or not, as is said or as its sandbox has it by default.

    Raises:
        InputError: its parts do not go together.
    """
    docker = venue.sandbox is Sandbox.DOCKER
    if venue.in_process and venue.sandbox is not Sandbox.PROCESS:
        raise InputError(
            f"--sandbox {venue.sandbox} and --in-process: a bot in this process is in no sandbox; "
            "give one"
        )
    if venue.port is not None and venue.sandbox is not Sandbox.PROCESS:
        raise InputError(
            f"--sandbox {venue.sandbox} and --port: a bot in a sandbox has no network; give one"
        )
    if venue.runtime and not docker:
        raise InputError(f"--runtime {venue.runtime}: only --sandbox docker has one")
    if pondering is Pondering.FROZEN and not docker:
        raise InputError("--pondering frozen: only --sandbox docker can hold a bot still")
    return replace(venue, holds_still=docker and pondering is not Pondering.ALLOWED)


def read_limits(
    path: Path | None,
    given: Mapping[str, object],
    *,
    strict: bool,
    sandbox: Sandbox = Sandbox.PROCESS,
) -> Limits:
    """The limits of a file, changed by what is given on the command line.

    Where bots are in containers, windows are sealed unless something else is said.

    Raises:
        InputError: the file cannot be read, or holds what is no limit.
    """
    sealed = replace(STANDARD_LIMITS, window=WindowMode.SEALED)
    limits = sealed if sandbox is Sandbox.DOCKER else STANDARD_LIMITS
    if path is not None:
        try:
            values = tomllib.loads(read_text(path))
        except (ValueError, RecursionError) as error:
            raise InputError(f"{path}: not TOML: {error}") from None
        try:
            limits = limits_from(values, limits)
        except InputError as error:
            raise InputError(f"{path}: {error}") from None
    limits = limits_from(
        {name: value for name, value in given.items() if value is not None}, limits
    )
    return limits.strict() if strict else limits


def make_plan(bots: list[str], conditions: Conditions) -> SeriesPlan:
    """What is to be played.

    Raises:
        InputError: a bot, a rule or a number is wrong; the message says which.
    """
    if conditions.rotations not in ("all", "none"):
        raise InputError(f"--rotations {conditions.rotations}: must be all or none")
    if conditions.hands is not None and conditions.match_points is not None:
        raise InputError("--hands and --match-points both say how long a game is; give one")
    options = list(conditions.options or ())
    if conditions.match_points is not None:
        options.append(f"match_points={conditions.match_points}")
    rules, seating = read_rules(conditions.ruleset, options, len(bots))
    rotate = conditions.rotations == "all"
    found = tuple(find_bot(bot) for bot in bots)
    venue = conditions.venue
    for bot in found:
        _require_that_it_plays(bot, rules.preset, len(found))
        if venue.in_process:
            require_python(bot)
        elif venue.sandbox is Sandbox.PROCESS:
            require_built(bot)
        else:
            _require_folder(bot, venue.sandbox)
    if venue.sandbox is Sandbox.DOCKER:
        from arena.sandbox.slots import state_folder

        state_folder()  # what is wrong with it is told before anything is played
        venue = replace(venue, images=images_of(found, venue.runtime))
    return SeriesPlan(
        bots=found,
        rules=rules,
        seating=seating,
        seed=seed_from_text(conditions.seed),
        boards=conditions.boards,
        rotate=rotate,
        match_boards=min(conditions.match_boards, conditions.boards),
        limits=conditions.limits,
        length=Length(conditions.hands),
        # A board stays comparable when play diverges, if each seat draws from its own stripe.
        striped=rotate,
        venue=venue,
    )


def _require_that_it_plays(bot: Manifest, preset: str, players: int) -> None:
    if preset not in bot.rulesets or players not in bot.players:
        raise InputError(
            f"bot {bot.name!r}: its bot.toml does not say that it plays {preset} with {players} "
            f"players; it plays {', '.join(bot.rulesets)}, with {', '.join(map(str, bot.players))}"
        )


def _require_folder(bot: Manifest, sandbox: Sandbox) -> None:
    if not bot.version:  # which only a bot.toml gives it
        raise InputError(
            f"bot {bot.name!r}: --sandbox {sandbox} gives a bot its own folder and no more, so "
            "it takes a folder with a bot.toml"
        )


def images_of(bots: Sequence[Manifest], runtime: str = "") -> tuple[str, ...]:
    """The ids of the images that bots run in, as they are now.

    Raises:
        HostFault: the engine does not answer.
        InputError: there is no such image, or it must not be used; or no such runtime.
    """
    from arena.sandbox.engine import asking, connect
    from arena.sandbox.images import resolve

    with contextlib.closing(connect()) as engine:
        if runtime:
            with asking("describe itself"):
                known = engine.info()["Runtimes"]
            if runtime not in known:
                raise InputError(
                    f"--runtime {quoted(runtime)}: the Docker engine knows {', '.join(known)}"
                )
        return tuple(resolve(engine, bot.image_name).id for bot in bots)


def prepare(plan: SeriesPlan, jobs: int, files: Files) -> None:
    """Refuse before anything is played what could only fail after it; make the folders.

    Raises:
        HostFault: the present folder is gone.
        InputError: a port is not free, or there are records or options that do not go together.
        typer.BadParameter: a folder cannot be written to.
    """
    if not is_somewhere():
        raise HostFault(NOWHERE)  # bots could not be found in it, or started from it
    venue = plan.venue
    if venue.in_process and (venue.records is not None or venue.port is not None):
        raise InputError(
            "--record and --port are about what goes over the protocol: leave out --in-process"
        )
    if venue.port and jobs > 1:
        raise InputError(f"--port {venue.port}: one match at a time can have it; leave out --jobs")
    if venue.port:
        for port in range(venue.port, venue.port + len(plan.bots)):
            _require_port(port)
    if files.logs is not None:
        make_folder(files.logs, "--logs")
    if venue.records is not None:
        make_folder(venue.records, "--record")
        is_new = files.state is None or not files.state.exists()
        if is_new and any(venue.records.glob("*.jsonl")):
            raise InputError(f"--record {venue.records}: has records already; name an empty folder")


def _require_port(port: int) -> None:
    with socket.socket() as probe:
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            probe.bind(("127.0.0.1", port))
        except OSError as error:
            raise InputError(
                f"--port: 127.0.0.1:{port} cannot be had: {error.strerror}; name another one, or 0 "
                "for any free ones"
            ) from None
