"""`arena demo`: a first look, in the terminal."""

from __future__ import annotations

import tempfile
from pathlib import Path
from typing import Annotated, Final

import typer
from rich.console import Console
from rich.rule import Rule
from rich.text import Text

from arena.cli.frames import OpenFrames
from arena.cli.league import play_league
from arena.cli.output import results
from arena.cli.planning import Conditions
from arena.cli.records import bot_labels, load_record
from arena.cli.replaytext import block, game_line
from arena.referee.replay import coups_fourres
from arena.tournament.matches import Venue

__all__ = ["demo"]

BOTS: Final = ("keeper", "cautious", "racer", "random")
SEED: Final = "1000 bornes"
_BEFORE: Final = 2  # actions that are shown before the coup fourré
_AFTER: Final = 3  # itself, and what follows

INTRODUCTION: Final = """\
[bold]Mille Bornes[/bold] is a race of 1000 km with cards. A Green Light starts the car, distance \
cards (D25 to D200) drive it. Hazards (RED_LIGHT, SPEED_LIMIT, OUT_OF_GAS, FLAT_TIRE, ACCIDENT) \
stop or slow an opponent until the remedy is played. A safety makes immune to its hazard for ever; \
played at the very moment of the attack it is a [bold white on red]coup fourré[/], worth 300 \
points and the next turn. Hands are added up to 5000 points.

First a small league: every bot is a program of its own and plays over the real protocol.
"""
NEXT: Final = """\
What next: [cyan]arena match keeper cautious --boards 20[/cyan] for more of it, sdk/README.md to \
write a bot, arena/engine/README.md for the rules.
"""


def demo(
    boards: Annotated[
        int, typer.Option("--boards", "-n", min=1, max=1000, help="Boards for each pair of bots.")
    ] = 2,
    seed: Annotated[str, typer.Option(help="Any text; the same one deals the same cards.")] = SEED,
) -> None:
    """See a small league of example bots, and a coup fourré of it from its record."""
    console = results()
    console.print(Text.from_markup(INTRODUCTION))
    with tempfile.TemporaryDirectory(prefix="arena-demo-") as folder:
        conditions = Conditions(boards=boards, seed=seed, venue=Venue(records=Path(folder)))
        play_league(BOTS, conditions).print()
        _show_coup_fourre(console, sorted(Path(folder).rglob("*.jsonl")))
    console.print(Text.from_markup(NEXT))


def _show_coup_fourre(console: Console, records: list[Path]) -> None:
    """Replay the first coup fourré that there is, with the actions around it."""
    for path in records:
        replay = load_record(path)
        step = next(iter(coups_fourres(replay)), None)
        if step is None:
            continue
        hand = replay.hand_of(step)
        first, last = max(0, step.place - _BEFORE), min(len(hand.steps), step.place + _AFTER)
        console.print(Rule("a coup fourré, from the record of its match"))
        console.print(game_line(replay, replay.games[step.game]))
        frames = OpenFrames(replay)
        names = bot_labels(replay.header)
        for one in hand.steps[first:last]:
            for line in block(frames.frame(one.number - 1), names[one.bot]):
                console.print(line, soft_wrap=True)
        return
