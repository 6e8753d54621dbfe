"""`arena replay`: a recorded match, action by action."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Final

import typer
from rich.console import Console
from rich.text import Text

from arena.cli.frames import Frames, OpenFrames, SeatFrames
from arena.cli.output import JsonOption, print_json, results
from arena.cli.records import load_record
from arena.cli.replayjson import open_facts, seat_facts
from arena.cli.replayjump import Jumps, there_are
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
        int | None, typer.Option("--from", min=1, metavar="N", help="Begin with action N.")
    ] = None,
    game: Annotated[
        int | None, typer.Option(min=0, help="Only this game; the first one is 0.")
    ] = None,
    prompt: Annotated[
        int | None,
        typer.Option(
            min=1, metavar="N", help="Begin with the action that a bot's prompt N led to."
        ),
    ] = None,
    seat: Annotated[
        int | None,
        typer.Option(min=0, help="Whose prompt; needed if several seats have had one of that."),
    ] = None,
    line: Annotated[
        int | None,
        typer.Option(
            min=1, metavar="N", help="Begin with the action on line N of the record, or the next."
        ),
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
    back, n to the next hand, g to the next game, c to the next coup fourré, q to quit; a number and
    enter to the action of that number, a number and p or l to that prompt or line. Elsewhere it
    prints a line for each action, with what lies on the tables after it; with --full also the cards
    that it was chosen from, its time, windows, faults and points.

    Prompts are numbered by bot, through the whole match, from 1: "no answer to prompt 41" in a
    forfeit is found with --prompt 41, and with --seat if several bots have had so many.

    With --as-seat nothing is shown that the bot on that seat was not told: no other hands, no draw
    pile, no face-down discards, and of time and faults only its own.

    A record that does not hold is not replayed; `arena verify` says more. Numbers of games, hands,
    seats and bots are those of the record, from 0. Times are the referee's: what the bot took,
    without the lag of the referee itself, and what its bank held then.
    """
    record = load_record(file)
    frames = OpenFrames(record) if as_seat is None else SeatFrames(record, as_seat)
    whole = _chosen(frames, game, hand)
    jumps = Jumps(frames)
    start = _start(jumps, whole, _Wanted(first, prompt, seat, line), game)
    chosen = range(max(start, whole.start), whole.stop)
    if as_json:
        if isinstance(frames, SeatFrames):
            print_json(seat_facts(frames, chosen))
        else:
            print_json(open_facts(frames, chosen))
        return
    shower = _Shower(frames, results())
    if chosen and not full and sys.stdin.isatty() and shower.console.is_terminal:
        shower.step_through(whole, jumps, start)
    else:
        shower.print(chosen, full=full)


@dataclass(frozen=True, slots=True)
class _Wanted:
    """Where somebody wants to begin: with an action, a prompt, a line."""

    first: int | None
    prompt: int | None
    seat: int | None
    line: int | None


def _chosen(frames: Frames, game: int | None, hand: int | None) -> range:
    """The frames of a game and a hand, by number from 0.

    Raises:
        InputError: there is no such game or hand; the message says which there are.
    """
    games = frames.replay.games
    if game is not None and game >= len(games):
        raise InputError(f"game {game}: {there_are(len(games), 'game', 'the record')}")
    if hand is not None and game is None and len(games) != 1:
        raise InputError(f"hand {hand}: of which game? Add --game, from 0 to {len(games) - 1}")
    if hand is not None:
        game = game or 0
        hands = len(games[game].hands)
        if hand >= hands:
            raise InputError(f"hand {hand}: {there_are(hands, 'hand', f'game {game}')}")
    found = [
        at
        for at, place in enumerate(frames.places)
        if game in (None, place.game) and hand in (None, place.hand)
    ]
    # A game or a hand is a row of frames without a gap.
    return range(found[0], found[-1] + 1) if found else range(0)


def _start(jumps: Jumps, whole: range, wanted: _Wanted, game: int | None) -> int:
    """The frame to begin with.

    Raises:
        InputError: there is none that is wanted, or not among these, or too much is wanted.
    """
    ways = (("--from", wanted.first), ("--prompt", wanted.prompt), ("--line", wanted.line))
    given = [f"{name} {number}" for name, number in ways if number is not None]
    if len(given) > 1:
        raise InputError(f"{' and '.join(given)} each say where to begin; give one")
    if wanted.seat is not None and wanted.prompt is None:
        raise InputError(f"--seat {wanted.seat} says whose prompt; add --prompt, or say --as-seat")
    start = whole.start
    if wanted.first is not None:
        # An action before a game or a hand that is asked for: it begins with that.
        return max(start, jumps.action(wanted.first))
    if wanted.prompt is not None:
        start = jumps.prompt(wanted.prompt, wanted.seat, game)
    elif wanted.line is not None:
        start = jumps.line(wanted.line)
    if len(whole) and start not in whole:
        raise InputError(f"{given[0]} leads to action {start + 1}; {_are(whole)}")
    return start


_WAYS: Final = {"action": Jumps.action, "line": Jumps.line}


def _are(chosen: range) -> str:
    return f"these are actions {chosen.start + 1} to {chosen.stop}"


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

    def step_through(self, chosen: range, jumps: Jumps, start: int) -> None:
        """Show them one at a time, by keys, from `start` on."""
        places = [self.frames.places[at] for at in chosen]
        begin = min(max(start, chosen.start), chosen.stop - 1)

        def find(what: str, number: int) -> list[int]:
            found = jumps.prompts(number) if what == "prompt" else [_WAYS[what](jumps, number)]
            here = [at - chosen.start for at in found if at in chosen]
            if not here:
                raise InputError(f"{what} {number} is action {found[0] + 1}; {_are(chosen)}")
            return here

        position = Position(places, begin - chosen.start, find)
        with keys() as pressed:
            walk(self.console, position, pressed, lambda at: self._page(chosen[at], chosen))

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
