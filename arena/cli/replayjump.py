"""Finding the action of a replay that somebody names: by its own number, its prompt or its line."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

from arena.cli.frames import SeatFrames
from arena.errors import InputError

if TYPE_CHECKING:
    from arena.cli.frames import Frames
    from arena.referee.replay import HandLog, Step

__all__ = ["Jumps", "there_are"]


def there_are(count: int, noun: str, what: str, lowest: int = 0) -> str:
    """What there is, for whoever asked for something else: `the record has games 0 to 1`."""
    if not count:
        return f"{what} has none"
    last = count - 1 + lowest
    return f"{what} has {noun}s {lowest} to {last}" if count > 1 else f"{what} has {noun} {lowest}"


class Jumps:
    """Where the frames of a record are that somebody names; they are numbered from 0."""

    def __init__(self, frames: Frames) -> None:
        self._frames = frames
        self._steps: Sequence[Step] = frames.steps
        # A seat is not told what others were asked, nor how the record is written.
        self._own = frames.seat if isinstance(frames, SeatFrames) else None

    def action(self, number: int) -> int:
        """The action with this number, from 1.

        Raises:
            InputError: there is none.
        """
        count = len(self._steps)
        if not 1 <= number <= max(1, count):
            raise InputError(f"action {number}: {there_are(count, 'action', 'this', 1)}")
        return number - 1

    def line(self, number: int) -> int:
        """The action on this line of the record, or else the next one, or else the last one.

        Raises:
            InputError: the record has no such line, or the reader must not know its lines.
        """
        if self._own is not None:
            raise InputError(f"line {number}: no seat knows the lines; leave out --as-seat")
        lines = self._frames.replay.verified.lines
        if not 1 <= number <= lines:
            raise InputError(f"line {number}: {there_are(lines, 'line', 'the record', 1)}")
        return self._first(lambda step: step.line >= number)

    def prompt(self, number: int, seat: int | None = None, game: int | None = None) -> int:
        """The action that answered a bot's prompt with this number, or what came instead.

        Prompts are numbered by bot, from 1, through a whole match; a seat has another bot in
        another game.

        Raises:
            InputError: no seat was sent it, or several were; the message says which.
        """
        found = self.prompts(number, seat, game)
        if len(found) > 1:
            where = ", ".join(
                f"seat {self._steps[at].seat} of game {self._steps[at].game}" for at in found
            )
            raise InputError(f"prompt {number}: there are several: {where}; add --seat or --game")
        return found[0]

    def prompts(self, number: int, seat: int | None = None, game: int | None = None) -> list[int]:
        """Every place that `prompt` could mean, in their order; at least one.

        Raises:
            InputError: there is none.
        """
        if self._own is not None and seat not in (None, self._own):
            raise InputError(f"--seat {seat}: seat {self._own} knows its own prompts alone")
        seat = self._own if seat is None else seat
        found = []
        numbers: set[int] = set()
        for hand in self._hands(game):
            for asked in hand.asked:
                sits = self._frames.replay.games[hand.game].seat_of(asked.bot)
                if seat in (None, sits):
                    numbers.add(asked.number)
                    if asked.number == number:
                        found.append(self._at(hand, asked.place, number, sits))
        if not found:
            raise InputError(f"prompt {number}: {_which(numbers, seat, game)}")
        return found

    def _hands(self, game: int | None) -> list[HandLog]:
        games = self._frames.replay.games
        return [one for log in games if game in (None, log.began.game) for one in log.hands]

    def _at(self, hand: HandLog, place: int, number: int, seat: int) -> int:
        """The frame of an answer; of a prompt without one, what was played instead of it."""
        if not self._steps:
            return 0
        here = (hand.game, hand.number)
        answer = [
            step.place for step in hand.steps if (step.said.prompt, step.seat) == (number, seat)
        ]
        wanted = (*here, answer[0] if answer else place)
        at = self._first(lambda step: (step.game, step.hand, step.place) >= wanted)
        # The last prompt of a hand that was broken off: its end is told with the last action.
        is_here = (self._steps[at].game, self._steps[at].hand) == here
        return at if is_here or at == 0 else at - 1

    def _first(self, is_it: Callable[[Step], bool]) -> int:
        last = max(0, len(self._steps) - 1)
        return next((at for at, step in enumerate(self._steps) if is_it(step)), last)


def _which(numbers: set[int], seat: int | None, game: int | None) -> str:
    who = "bots" if seat is None else f"seat {seat}"
    where = "" if game is None else f" in game {game}"
    if not numbers:
        return f"{who} had none{where}"
    return f"the prompts of {who}{where} are {min(numbers)} to {max(numbers)}"
