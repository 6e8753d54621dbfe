"""A record as a match that can be walked through: every action with the hand before it.

`load` verifies a record while it reads it, so what is replayed is what the rules allow. States are
not kept but played again from the deal of their hand.

    replay = load(file)
    for step in coups_fourres(replay):
        hand = replay.hand_of(step)
        before = hand.state(step.place)     # a HandState that is the caller's own
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import BinaryIO

from arena.engine.actions import BY_TEXT, Action, Verb
from arena.engine.rules import apply
from arena.engine.state import HandState, Stage
from arena.referee.entries import (
    ForfeitLine,
    GameLine,
    HandLine,
    PlayLine,
    RejectedLine,
    ResultLine,
    StartLine,
    SurplusLine,
    WindowLine,
)
from arena.referee.events import BotNo, SeatNo
from arena.referee.game import Game, MatchPlan
from arena.referee.heading import Header
from arena.referee.matchcheck import MatchCheck
from arena.referee.reading import Line
from arena.referee.verifying import Verified, verify

__all__ = ["Asked", "GameLog", "HandLog", "Replay", "Step", "coups_fourres", "load"]


@dataclass(frozen=True, slots=True)
class Step:
    """One action of a record.

    Attributes:
        number: Its number among all actions of the record, from 1.
        line: Its line.
        game, hand: Where it was played.
        place: How many actions of the hand come before it.
        seat, bot: Whose action.
        stage: What was asked.
        action: What was played.
        strikes: The bot's strikes in the match, with those of this action.
        said: The line itself, with its times.
    """

    number: int
    line: int
    game: int
    hand: int
    place: int
    seat: SeatNo
    bot: BotNo
    stage: Stage
    action: Action
    strikes: int
    said: PlayLine


@dataclass(frozen=True, slots=True)
class Asked:
    """A prompt that a bot was sent: its number, and the actions of the hand before it.

    Whether it was answered stands in the step that has its number; a prompt without one was
    withdrawn, because a partner had settled the question or the game was over.
    """

    bot: BotNo
    number: int
    place: int


Note = WindowLine | RejectedLine | SurplusLine | ForfeitLine
"""What else happened while a hand was played."""


@dataclass(slots=True)
class HandLog:
    """One hand of a record.

    Attributes:
        game, number: Its number in the game, and the game's in the match.
        steps: Its actions.
        asked: Its prompts.
        notes: What else happened, each with the number of actions before it.
        end: What it brought; None if it was broken off.
    """

    game: int
    number: int
    _first: HandState
    steps: list[Step] = field(default_factory=list)
    asked: list[Asked] = field(default_factory=list)
    notes: list[tuple[int, Note]] = field(default_factory=list)
    end: HandLine | None = None
    _last: tuple[int, HandState] | None = None

    def state(self, place: int) -> HandState:
        """The hand after its first `place` actions."""
        # Whoever walks forward comes from a place close by.
        at, state = 0, self._first
        if self._last is not None and self._last[0] <= place:
            at, state = self._last
        state = state.copy()
        for step in self.steps[at:place]:
            apply(state, step.seat, step.action)
        self._last = (place, state.copy())
        return state


@dataclass(slots=True)
class GameLog:
    """One game of a record; `result` is None if the attempt was void before it ended."""

    began: GameLine
    leg: int
    in_leg: int
    hands: list[HandLog] = field(default_factory=list)
    result: ResultLine | None = None

    def seat_of(self, bot: int) -> SeatNo:
        """Where a bot sits."""
        return SeatNo(self.began.bots.index(bot))


@dataclass(frozen=True, slots=True, kw_only=True)
class Replay:
    """A record that holds, as a match.

    Attributes:
        verified: The header, the verdict, the head.
        plan: What was agreed, with the boards.
        games: The games that began, by number.
        lost: Forfeits before a game began.
    """

    verified: Verified
    plan: MatchPlan
    games: tuple[GameLog, ...]
    lost: tuple[ForfeitLine, ...]

    @property
    def header(self) -> Header:
        return self.verified.header

    @property
    def steps(self) -> Iterator[Step]:
        """Every action, in order."""
        return (step for game in self.games for hand in game.hands for step in hand.steps)

    def hand_of(self, step: Step) -> HandLog:
        """The hand that an action belongs to."""
        return self.games[step.game].hands[step.hand]

    def new_game(self, number: int) -> Game:
        """A game as it was before its first action, to be played on by the caller."""
        log = self.games[number]
        return Game(self.plan, number, leg=log.leg, in_leg=log.in_leg)


def coups_fourres(replay: Replay) -> tuple[Step, ...]:
    """The coups fourrés of a record."""
    return tuple(step for step in replay.steps if step.action.verb is Verb.COUP_FOURRE)


def load(file: BinaryIO) -> Replay:
    """Read and verify the record in a file that can be read twice.

    Raises:
        UnknownRecord, BrokenOff, RecordError, OSError: see `verify`.
    """
    builder = _Builder()
    verified = verify(file, builder.see)
    assert builder.plan is not None  # a record has at least its seeds and its verdict
    return Replay(
        verified=verified,
        plan=builder.plan,
        games=tuple(builder.games),
        lost=tuple(builder.lost),
    )


class _Builder:
    """Puts a replay together while the record is verified."""

    def __init__(self) -> None:
        self.plan: MatchPlan | None = None
        self.games: list[GameLog] = []
        self.lost: list[ForfeitLine] = []
        self._leg = 0
        self._before_leg = 0
        self._hand: HandLog | None = None
        self._prompts: dict[BotNo, int] = {}
        self._steps = 0

    def see(self, line: Line, match: MatchCheck) -> None:
        """See a line that holds, and what it has led to."""
        self.plan = match.plan
        entry = line.entry
        match entry:
            case PlayLine():
                self._play(line.number, entry, match)
            case WindowLine() | RejectedLine() | SurplusLine() | ForfeitLine():
                self._note(entry)
            case StartLine() if entry.leg != self._leg:
                self._leg, self._before_leg = entry.leg, len(self.games)
            case GameLine():
                in_leg = entry.game - self._before_leg
                self.games.append(GameLog(entry, self._leg, in_leg))
                self._deal(match)
            case HandLine():
                assert self._hand is not None
                self._hand.end = entry
                self._deal(match)
            case ResultLine():
                self._hand = None
                if entry.game < len(self.games):
                    self.games[entry.game].result = entry
            case _:
                pass
        self._look_who_is_asked(match)

    def _deal(self, match: MatchCheck) -> None:
        game = match.game
        if game is not None and not game.standing.over:
            self._hand = HandLog(game.number, game.hand, game.state.copy())
            self.games[-1].hands.append(self._hand)

    def _play(self, number: int, line: PlayLine, match: MatchCheck) -> None:
        hand, bot = self._hand, BotNo(line.bot)
        assert hand is not None
        self._steps += 1
        hand.steps.append(
            Step(
                number=self._steps,
                line=number,
                game=hand.game,
                hand=hand.number,
                place=len(hand.steps),
                seat=SeatNo(line.seat),
                bot=bot,
                stage=Stage[line.kind],
                action=BY_TEXT[line.action],
                strikes=match.accounts[bot].strikes,
                said=line,
            )
        )

    def _note(self, entry: Note) -> None:
        if self._hand is not None:
            self._hand.notes.append((len(self._hand.steps), entry))
        elif isinstance(entry, ForfeitLine):
            self.lost.append(entry)

    def _look_who_is_asked(self, match: MatchCheck) -> None:
        hand = self._hand
        if hand is None:
            return
        for bot, account in match.accounts.items():
            if account.asked_at is not None and account.prompts != self._prompts.get(bot, 0):
                self._prompts[bot] = account.prompts
                hand.asked.append(Asked(bot, account.prompts, len(hand.steps)))
