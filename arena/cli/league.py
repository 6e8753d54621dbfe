"""`arena league`: every bot against every other, with ratings and a cross table."""

from __future__ import annotations

import shutil
import tempfile
from collections.abc import Callable, Sequence
from dataclasses import replace
from itertools import combinations
from pathlib import Path
from typing import Annotated

import typer

from arena.cli.exits import ExitCode
from arena.cli.labels import labels, so_many
from arena.cli.leaguetable import Group, League
from arena.cli.matchlogs import make_folder
from arena.cli.matchoptions import (
    CrowdedOption,
    HandsOption,
    InProcessOption,
    JobsOption,
    LimitsOption,
    MatchBoardsOption,
    PointsOption,
    PonderingOption,
    RecordOption,
    RuntimeOption,
    SandboxOption,
    SeedOption,
    StrictOption,
    WindowOption,
)
from arena.cli.options import OptionsOption, RulesetOption
from arena.cli.output import JsonOption, print_json, printable, remarks
from arena.cli.planning import (
    Conditions,
    check_jobs,
    chosen,
    make_plan,
    make_venue,
    new_seed,
    prepare,
    read_limits,
)
from arena.cli.playing import Files, play_all
from arena.errors import HostFault, InputError
from arena.submissions.manifest import FORMS, find_bot
from arena.tournament.matches import Venue
from arena.tournament.series import Series, SeriesPlan
from arena.tournament.standings import Standings

__all__ = ["League", "league", "play_league"]

LeagueBots = Annotated[
    list[str],
    typer.Argument(
        metavar="BOT...",
        help=f"{FORMS[0].upper()}{FORMS[1:]}. As many as a table has or more, each one once.",
    ),
]
TableOption = Annotated[
    int, typer.Option("--players", "-p", min=2, max=6, help="Bots at a table, each for itself.")
]
BoardsOption = Annotated[
    int,
    typer.Option(
        "--boards", "-n", min=1, max=1_000_000, help="Boards that each group of bots plays."
    ),
]
ResumeOption = Annotated[
    Path | None,
    typer.Option(
        metavar="DIR",
        file_okay=False,
        help="Keep finished matches in files in this folder, and go on from what it holds already.",
    ),
]


def league(
    bots: LeagueBots,
    boards: BoardsOption = 10,
    players: TableOption = 2,
    seed: SeedOption = None,
    ruleset: RulesetOption = "classic",
    option: OptionsOption = None,
    hands: HandsOption = None,
    match_points: PointsOption = None,
    match_boards: MatchBoardsOption = 10,
    jobs: JobsOption = 1,
    crowded: CrowdedOption = False,
    in_process: InProcessOption = False,
    window: WindowOption = None,
    limits: LimitsOption = None,
    strict: StrictOption = False,
    record: RecordOption = None,
    resume: ResumeOption = None,
    sandbox: SandboxOption = None,
    pondering: PonderingOption = None,
    runtime: RuntimeOption = "",
    as_json: JsonOption = False,
) -> None:
    """Play every group of bots against each other on the same boards, and rate them.

    Bots are ranked by their share of all games, since everybody has played the same number against
    everybody else. In the cross table each share has its 95 % interval below it, made from boards;
    --json has them however narrow the terminal is.

    mu and sigma are TrueSkill's, a game being one result. As TrueSkill depends a little on the
    order of games, all are rated twice, in the order of their boards and in the reverse one, and
    the mean is shown.
    """
    check_jobs(jobs, crowded=crowded)
    box = chosen(sandbox)
    conditions = Conditions(
        ruleset=ruleset,
        options=option,
        boards=boards,
        match_boards=match_boards,
        seed=new_seed(resume and _state(resume, 1)) if seed is None else seed,
        hands=hands,
        match_points=match_points,
        limits=read_limits(limits, {"window": window}, strict=strict, sandbox=box),
        venue=make_venue(
            Venue(
                in_process=in_process,
                strict_bots=strict,
                records=record,
                sandbox=box,
                runtime=runtime,
            ),
            pondering,
        ),
    )
    if resume is not None:
        make_folder(resume, "--resume")
    states = _temporary() if resume is None else resume

    kept = resume is not None

    def break_off(sofar: League) -> None:
        nonlocal kept
        kept = True
        if not as_json:
            sofar.print()
        remarks().print(
            f"finished matches are kept; go on with the same command and --resume {states}",
            soft_wrap=True,
        )

    try:
        done = play_league(
            bots, conditions, players=players, jobs=jobs, states=states, on_break=break_off
        )
    finally:
        if not kept:
            shutil.rmtree(states, ignore_errors=True)
    if as_json:
        print_json(done.facts())
    else:
        done.print()
    if any(group.standings.void_boards for group in done.groups):
        raise typer.Exit(ExitCode.FAILED)


def _temporary() -> Path:
    try:
        return Path(tempfile.mkdtemp(prefix="arena-league-"))
    except OSError as error:
        raise HostFault(f"no folder for what is finished: {error.strerror}; set TMPDIR") from None


def _state(folder: Path, number: int) -> Path:
    """Where the state of a group is kept; numbers begin with 1."""
    return folder / f"group-{number:04}.resume"


def play_league(
    bots: Sequence[str],
    conditions: Conditions,
    *,
    players: int = 2,
    jobs: int = 1,
    states: Path | None = None,
    on_break: Callable[[League], None] = lambda league: None,
) -> League:
    """Play a league, with progress on standard error.

    Each group has a folder of its own for its records, and a file in `states` for what is finished.
    When the league is broken off, `on_break` gets what it has come to, if that is anything.

    Raises:
        InputError: a bot is there twice, there are too few, or a rule or number is wrong.
    """
    names, plans = _plans(bots, conditions, players)
    files = [
        Files(state=states and _state(states, number), seed=conditions.seed)
        for number in range(1, len(plans) + 1)
    ]
    for own, (_, plan) in zip(files, plans, strict=True):
        prepare(plan, jobs, own)
    remarks().print(
        f"plan: {so_many(len(bots), 'bot')}, {so_many(len(plans), 'group')} of {players}, "
        f"{so_many(conditions.boards, 'board')} in {players} rotations each; "
        f"seed {printable(conditions.seed)}",
        soft_wrap=True,
    )
    groups = [group for group, _ in plans]

    def made(standings: Sequence[Standings]) -> League:
        found = [Group(names, one) for names, one in zip(groups, standings, strict=True)]
        return League(names, found, conditions)

    def break_off(found: Sequence[tuple[Standings, Series]]) -> None:
        if any(series.finished for _, series in found):
            on_break(made([standings for standings, _ in found]))

    return made(play_all([plan for _, plan in plans], jobs=jobs, files=files, on_break=break_off))


def _plans(
    bots: Sequence[str], conditions: Conditions, players: int
) -> tuple[tuple[str, ...], list[tuple[tuple[str, ...], SeriesPlan]]]:
    """What the bots are called, and for each group its names and its plan."""
    found = [find_bot(bot) for bot in bots]
    for place, bot in enumerate(found):
        if bot in found[:place]:
            raise InputError(f"bot {bot.name!r} is there twice; a league has every bot once")
    if len(found) < players:
        raise InputError(f"{so_many(len(found), 'bot')}: a table has {players}; name more")
    names = labels(found)
    plans = []
    for number, table in enumerate(combinations(range(len(found)), players), 1):
        group = tuple(names[bot] for bot in table)
        plan = make_plan([bots[bot] for bot in table], _in_own_folder(conditions, number, group))
        if len(plan.seating.teams) != players:
            raise InputError(f"{players} players of this game are partners; say --players 2 or 3")
        plans.append((group, plan))
    return names, plans


def _in_own_folder(conditions: Conditions, number: int, group: Sequence[str]) -> Conditions:
    records = conditions.venue.records
    if records is None:
        return conditions
    safe = "-".join("".join(c if c.isalnum() else "_" for c in name) for name in group)
    own = records / f"{number:04}-{safe[:100]}"
    return replace(conditions, venue=replace(conditions.venue, records=own))
