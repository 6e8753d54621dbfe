"""`arena replay`: a recorded match, action by action."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated

import typer
from rich.console import Console
from rich.text import Text

from arena.cli.frames import Frames, OpenFrames, SeatFrames
from arena.cli.output import JsonOption, print_json, results
from arena.cli.records import load_record
from arena.cli.replayjson import open_facts, seat_facts
from arena.cli.replaytext import blocks, brief, ending, game_line, hand_line, heading
from arena.cli.stepping import Position, keys, walk
from arena.errors import InputError
from arena.referee.replay import Replay

__all__ = ["replay"]


def replay(
    file: Annotated[
        Path, typer.Argument(metavar="FILE", help="The record of a match.", show_default=False)
    ],
    full: Annotated[
        bool, typer.Option("--full", help="Print everything about every action, at once.")
    ] = False,
    first: Annotated[
        int, typer.Option("--from", min=1, metavar="N", help="Begin with action N.")
    ] = 1,
    game: Annotated[
        int | None, typer.Option(min=0, help="Only this game; the first one is 0.")
    ] = None,
    hand: Annotated[
        int | None, typer.Option(min=0, help="Only this hand of the game; the first one is 0.")
    ] = None,
    as_seat: Annotated[
        int | None,
        typer.Option(
            min=0, metavar="SEAT", help="Show only what this seat knew, numbered as it saw it."
        ),
    ] = None,
    as_json: JsonOption = False,
) -> None:
    """Replay the record of a match.

    In a terminal it goes action by action, by keys: space or right for the next one, b or left
    back, n to the next hand, g to the next game, c to the next coup fourré, q to quit. Elsewhere it
    prints a line for each action, with what lies on the tables after it; with --full also the cards
    that it was chosen from, its time, windows, faults and points.

    With --as-seat nothing is shown that the bot on that seat was not told: no other hands, no draw
    pile, no face-down discards, and of time and faults only its own.

    A record that does not hold is not replayed; `arena verify` says more. Numbers of games, hands,
    seats and bots are those of the record, from 0. Times are the referee's: what the bot took,
    without the lag of the referee itself, and what its bank held then.
    """
    record = load_record(file)
    frames = OpenFrames(record) if as_seat is None else SeatFrames(record, as_seat)
    chosen = _chosen(frames, game, hand, first)
    if as_json:
        if isinstance(frames, SeatFrames):
            print_json(seat_facts(frames, chosen))
        else:
            print_json(open_facts(frames, chosen))
        return
    shower = _Shower(frames, results())
    if chosen and not full and sys.stdin.isatty() and shower.console.is_terminal:
        shower.step_through(chosen)
    else:
        shower.print(chosen, full=full)


def _chosen(frames: Frames, game: int | None, hand: int | None, first: int) -> range:
    """The frames that are asked for, by number from 0.

    Raises:
        InputError: there is no such game, hand or action; the message says which there are.
    """
    games = frames.replay.games
    if game is not None and game >= len(games):
        raise InputError(f"game {game}: {_there_are(len(games), 'game', 'the record')}")
    if hand is not None and game is None and len(games) != 1:
        raise InputError(f"hand {hand}: of which game? Add --game, from 0 to {len(games) - 1}")
    if hand is not None:
        game = game or 0
        hands = len(games[game].hands)
        if hand >= hands:
            raise InputError(f"hand {hand}: {_there_are(hands, 'hand', f'game {game}')}")
    places = frames.places
    if first > max(1, len(places)):
        raise InputError(f"--from {first}: {_there_are(len(places), 'action', 'this', 1)}")
    found = [
        at
        for at, place in enumerate(places)
        if game in (None, place.game) and hand in (None, place.hand)
    ]
    # A game or a hand is a row of frames without a gap.
    return range(max(found[0], first - 1), found[-1] + 1) if found else range(0)


def _there_are(count: int, noun: str, what: str, lowest: int = 0) -> str:
    if not count:
        return f"{what} has none"
    last = count - 1 + lowest
    return f"{what} has {noun}s {lowest} to {last}" if count > 1 else f"{what} has {noun} {lowest}"


@dataclass(frozen=True, slots=True)
class _Shower:
    """Shows frames on a console."""

    frames: Frames
    console: Console

    @property
    def _replay(self) -> Replay:
        return self.frames.replay

    def print(self, chosen: range, *, full: bool) -> None:
        """Print them, with the headings of games and hands."""
        whole = len(chosen) == len(self.frames.places)
        if whole:
            self._put(heading(self._replay))
        last: tuple[int, int] | None = None
        for at in chosen:
            place = self.frames.places[at]
            if last is None or last[0] != place.game:
                self._put([game_line(self._replay, self._replay.games[place.game])])
            if last != place[:2]:
                self._put([hand_line(place.hand)])
            last = place[:2]
            self._put(blocks(self.frames, [at]) if full else [brief(self.frames, at)])
        if whole:
            self._put(ending(self._replay))

    def step_through(self, chosen: range) -> None:
        """Show them one at a time, by keys."""
        places = [self.frames.places[at] for at in chosen]
        with keys() as pressed:
            walk(self.console, Position(places), pressed, lambda at: self._page(chosen[at], chosen))

    def _page(self, at: int, chosen: range) -> Iterator[Text]:
        replay, place = self._replay, self.frames.places[at]
        yield Text(f"{replay.header.match}: action {at + 1} of {len(self.frames.places)}", "dim")
        yield game_line(replay, replay.games[place.game])
        yield hand_line(place.hand)
        yield from blocks(self.frames, [at])
        if at == chosen[-1]:
            yield from ending(replay)

    def _put(self, lines: Iterator[Text] | list[Text]) -> None:
        for line in lines:
            self.console.print(line, soft_wrap=True)
