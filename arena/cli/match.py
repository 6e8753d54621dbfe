"""`arena match`: games between bots, and what they say about who plays better."""

from __future__ import annotations

import typer

from arena.cli.exits import ExitCode
from arena.cli.matchfacts import SeriesFacts
from arena.cli.matchoptions import (
    BankOption,
    BoardsOption,
    BotsArgument,
    CrowdedOption,
    CsvOption,
    ErrorOption,
    HandsOption,
    InProcessOption,
    JobsOption,
    LimitsOption,
    LogsOption,
    MatchBoardsOption,
    PointsOption,
    PonderingOption,
    PortOption,
    RecordOption,
    ResumeOption,
    RotationsOption,
    RuntimeOption,
    SandboxOption,
    SeedOption,
    SprtOption,
    StartOption,
    StrictOption,
    TurnOption,
    WidthOption,
    WindowOption,
    WindowTimeOption,
)
from arena.cli.matchreport import SeriesReport
from arena.cli.options import OptionsOption, RulesetOption
from arena.cli.output import JsonOption, print_json, remarks, results
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
from arena.cli.playing import Files, keep, play
from arena.errors import InputError
from arena.stats.sprt import Sprt
from arena.stats.stopping import WidthStop
from arena.tournament.matches import Venue
from arena.tournament.series import Series
from arena.tournament.standings import Standings, Stops

__all__ = ["Conditions", "match", "read_limits"]


def match(
    bots: BotsArgument,
    boards: BoardsOption = 10,
    rotations: RotationsOption = "all",
    seed: SeedOption = None,
    ruleset: RulesetOption = "classic",
    option: OptionsOption = None,
    hands: HandsOption = None,
    match_points: PointsOption = None,
    match_boards: MatchBoardsOption = 10,
    jobs: JobsOption = 1,
    crowded: CrowdedOption = False,
    in_process: InProcessOption = False,
    turn_time: TurnOption = None,
    bank: BankOption = None,
    response_window: WindowTimeOption = None,
    start_up: StartOption = None,
    window: WindowOption = None,
    limits: LimitsOption = None,
    strict: StrictOption = False,
    sprt: SprtOption = None,
    alpha: ErrorOption = 0.05,
    beta: ErrorOption = 0.05,
    until_width: WidthOption = None,
    resume: ResumeOption = None,
    record: RecordOption = None,
    logs: LogsOption = None,
    port: PortOption = None,
    sandbox: SandboxOption = None,
    pondering: PonderingOption = None,
    runtime: RuntimeOption = "",
    as_json: JsonOption = False,
    as_csv: CsvOption = False,
) -> None:
    """Let bots play each other, and say how sure it is who is better.

    A board is everything that chance decides in one game. Each is played once
    in every seat rotation by freshly started bots, so luck in the deal cancels
    out, and intervals are made from boards, not games. With 4 or 6 bots in
    classic, partners sit across and stay partners.

    For a bot that is late or plays something illegal a default action is
    played: a strike. The third one in a match costs it the game, as does a
    crash at once; the games after it are played all the same.
    """
    check_jobs(jobs, crowded=crowded)
    box = chosen(sandbox)
    given = {
        "turn": turn_time,
        "bank": bank,
        "response_window": response_window,
        "start_up": start_up,
        "window": window,
    }
    conditions = Conditions(
        ruleset=ruleset,
        options=option,
        boards=boards,
        rotations=rotations,
        match_boards=match_boards,
        seed=new_seed(resume) if seed is None else seed,
        hands=hands,
        match_points=match_points,
        limits=read_limits(limits, given, strict=strict, sandbox=box),
        venue=make_venue(
            Venue(
                in_process=in_process,
                port=port,
                strict_bots=strict,
                records=record,
                sandbox=box,
                runtime=runtime,
            ),
            pondering,
        ),
    )
    if as_json and as_csv:
        raise InputError("--json and --csv: standard output has room for one; give one")
    plan = make_plan(bots, conditions)
    stops = Stops(
        sprt=None if sprt is None else Sprt(elo0=sprt[0], elo1=sprt[1], alpha=alpha, beta=beta),
        width=None if until_width is None else WidthStop(until_width),
    )
    stops.check(len(plan.seating.teams))
    files = Files(state=resume, logs=logs, seed=conditions.seed)
    prepare(plan, jobs, files)
    report = SeriesReport(plan, conditions.seed)
    facts = SeriesFacts(plan, conditions.seed)
    remarks().print(report.plan_line(jobs), soft_wrap=True)

    def break_off(counted: Standings, series: Series) -> None:
        if series.finished and not (as_json or as_csv):
            report.print(counted, results())
        keep(series, files)

    standings = play(plan, jobs=jobs, stops=stops, files=files, on_break=break_off)
    if as_json:
        print_json(facts.facts(standings))
    elif as_csv:
        typer.echo(facts.csv(standings), nl=False)
    else:
        report.print(standings, results())
    if standings.void_boards:
        raise typer.Exit(ExitCode.FAILED)
