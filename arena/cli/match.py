"""`arena match`: games between bot programs, and a table of what came of them."""

from __future__ import annotations

import secrets
import time
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Final

import typer
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

from arena.cli.matchlogs import make_folder, write_logs
from arena.cli.matchreport import MatchReport, labels, plan_line
from arena.cli.options import OptionsOption, RulesetOption, read_rules
from arena.cli.output import JsonOption, print_json, remarks, results
from arena.engine.deal import seed_from_text
from arena.engine.scoring import Length
from arena.referee.events import Effect, GameEnded
from arena.referee.limits import STANDARD, TimeControl, nanos
from arena.submissions.manifest import find_bot

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from arena.app import MatchOutcome, MatchSpec

__all__ = ["Conditions", "match", "play_and_report"]

_DAY: Final = 86_400

BotsArgument = Annotated[
    list[str],
    typer.Argument(
        metavar="BOT...",
        help="An example bot's name (cautious, random), or a folder with a bot.toml. "
        "As many as play; the same one may be named again.",
    ),
]
GamesOption = Annotated[
    int, typer.Option("--games", "-n", min=1, max=100_000, help="How many games.")
]
SeedOption = Annotated[
    str | None,
    typer.Option(
        help="Any text; the same one deals the same cards. Without it a new one is made and shown."
    ),
]
HandsOption = Annotated[
    int | None,
    typer.Option(
        min=1,
        help="Hands in each game. Without it a game is what the rules call one: in classic hands "
        "until 5000 points, about ten of them; in express and plateau a single hand.",
    ),
]
TurnOption = Annotated[
    float,
    typer.Option(
        metavar="SECONDS",
        help="Free time for each decision.",
        min=0.001,
        max=_DAY,
    ),
]
BankOption = Annotated[
    float,
    typer.Option(
        metavar="SECONDS",
        help="What decisions may take beyond that, in one game.",
        min=0,
        max=_DAY,
    ),
]
WindowOption = Annotated[
    float,
    typer.Option(
        metavar="SECONDS",
        help="Time to answer an attack.",
        min=0.001,
        max=_DAY,
    ),
]
LogsOption = Annotated[
    Path | None,
    typer.Option(
        metavar="DIR",
        file_okay=False,
        help="Write what each bot printed to a file in this folder, made if need be.",
    ),
]


def match(
    bots: BotsArgument,
    games: GamesOption = 10,
    seed: SeedOption = None,
    ruleset: RulesetOption = "classic",
    option: OptionsOption = None,
    hands: HandsOption = None,
    turn_time: TurnOption = 1.0,
    bank: BankOption = 30.0,
    response_window: WindowOption = 0.1,
    logs: LogsOption = None,
    as_json: JsonOption = False,
) -> None:
    """Let bots play each other, each in a process of its own.

    They take their seats in the order in which they are named and move one seat
    on from game to game. With 4 or 6 bots in classic, partners sit across and
    stay partners.

    For a bot that is late or plays something illegal a default action is
    played; for one that dies, until the game is over: it is started again for
    the next.
    """
    conditions = Conditions(
        ruleset=ruleset,
        options=option,
        hands=hands,
        time=TimeControl(
            turn=nanos(turn_time), bank=nanos(bank), response_window=nanos(response_window)
        ),
        logs=logs,
    )
    seed = secrets.token_hex(16) if seed is None else seed
    play_and_report(bots, games=games, seed=seed, conditions=conditions, as_json=as_json)


@dataclass(frozen=True, kw_only=True)
class Conditions:
    """What a match is played under, as the command line says it, and where logs go."""

    ruleset: str = "classic"
    options: list[str] | None = None
    hands: int | None = None
    time: TimeControl = STANDARD
    logs: Path | None = None


def play_and_report(
    bots: Sequence[str],
    *,
    games: int,
    seed: str,
    conditions: Conditions | None = None,
    watch: Callable[[Effect], None] | None = None,
    as_json: bool = False,
) -> MatchSpec:
    """Say what will be played, play it, and print what came of it; return what was played.

    Raises:
        InputError: a bot, a rule or a number is wrong; the message says which.
    """
    conditions = conditions or Conditions()
    spec = _spec(bots, games, seed, conditions)
    if conditions.logs is not None:
        make_folder(conditions.logs)
    remarks().print(plan_line(spec, seed), markup=False)
    with _Progress(games, watch) as progress:
        outcome = _play(spec, progress.watch, conditions.logs)
    report = MatchReport(spec, outcome, seed)
    if as_json:
        print_json(report.facts())
    else:
        _print(report)
    return spec


def _spec(bots: Sequence[str], games: int, seed: str, conditions: Conditions) -> MatchSpec:
    from arena.app import MatchSpec  # gRPC: slow to load

    rules, seating = read_rules(conditions.ruleset, conditions.options, len(bots))
    return MatchSpec(
        bots=tuple(find_bot(bot) for bot in bots),
        rules=rules,
        seating=seating,
        seed=seed_from_text(seed),
        games=games,
        length=Length(conditions.hands),
        time=conditions.time,
    )


def _play(spec: MatchSpec, watch: Callable[[Effect], None], folder: Path | None) -> MatchOutcome:
    """Play, and write the logs to `folder` also if the match breaks off."""
    from arena.app import play_match

    written: list[str] = []
    try:
        return play_match(spec, watch=watch, keep=written.extend)
    finally:
        if folder is not None and written:
            write_logs(folder, labels(spec), written)


def _print(report: MatchReport) -> None:
    console = results()
    console.print(report.table())
    for line in report.fault_lines():
        console.print(line, markup=False)
    console = remarks()
    for line in report.log_lines(max(console.width, 20)):
        console.print(line, markup=False, soft_wrap=True)


_PATIENCE: Final = 2.0  # seconds before progress is shown


class _Progress:
    """Games done, shown once it takes longer than one likes to wait in the dark."""

    def __init__(self, games: int, watch: Callable[[Effect], None] | None) -> None:
        self._watch = watch
        self._progress = Progress(
            TextColumn("{task.description}"),
            BarColumn(),
            MofNCompleteColumn(),
            TimeRemainingColumn(),
            console=remarks(),
            transient=True,
        )
        self._task = self._progress.add_task("games", total=games)
        self._show_at = time.monotonic() + _PATIENCE
        self._shown = False

    def __enter__(self) -> _Progress:
        return self

    def __exit__(self, *_: object) -> None:
        if self._shown:
            self._progress.stop()

    def watch(self, effect: Effect) -> None:
        """See what the referee does, and pass it on."""
        if self._watch is not None:
            self._watch(effect)
        if not self._shown and time.monotonic() >= self._show_at:
            self._shown = True
            self._progress.start()
        if isinstance(effect, GameEnded):
            self._progress.advance(self._task)
