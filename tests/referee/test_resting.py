"""Seats that are held still while nothing is asked of them."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import Any

import pytest

from arena.engine.rulesets import make_ruleset
from arena.engine.scoring import Length
from arena.engine.seating import make_seating
from arena.engine.state import Stage
from arena.referee.events import MatchOver, Message, Prompt
from arena.referee.game import MatchPlan, every_rotation
from arena.referee.limits import Limits, Nanos, TimeControl, WindowMode
from arena.referee.match import Match
from arena.referee.scripted import ScriptedSeat
from arena.referee.seat import Deliver
from arena.tournament.matches import board_of
from tests.referee.driving import brisk, drive

MS = 1_000_000
TIME = TimeControl(response_window=Nanos(5 * MS))


@dataclass
class Resting(ScriptedSeat):
    """A seat that notes when it is held still, and when it is let go."""

    match: Match | None = None
    still: bool = False
    rests: int = 0
    problems: list[str] = field(default_factory=list)

    @property
    def can_rest(self) -> bool:
        return True

    def rest(self) -> None:
        assert self.match is not None
        if not self.match.is_idle(self.bot):
            self.problems.append("held still while something is asked of it")
        self.rests += not self.still
        self.still = True

    def tell(self, message: Message) -> None:
        if isinstance(message, Prompt | MatchOver):
            self.still = False
        super().tell(message)

    async def serve(self, leg: int, deliver: Deliver) -> None:
        self.still = False
        await super().serve(leg, deliver)


def played(mode: WindowMode, script: Any = brisk, players: int = 2) -> list[Resting]:
    rules = make_ruleset("classic", players=players)
    plan = MatchPlan(
        rules=rules,
        seating=make_seating(rules, players),
        boards=(board_of(b"resting".ljust(32, b"."), 0),),
        legs=every_rotation(1, players)[:2],
        length=Length(2),
        limits=Limits(time=TIME, window=mode),
    )
    match = Match(plan, b"secret")
    seats = [Resting(script if number == 0 else brisk, match=match) for number in range(players)]
    drive(match, *seats)
    assert match.verdict is not None
    assert match.verdict.kind == "COMPLETED"
    return seats


@pytest.mark.parametrize("mode", WindowMode)
@pytest.mark.parametrize("players", [2, 4])
def test_who_is_not_asked_is_held_still_and_who_is_asked_is_not(
    mode: WindowMode, players: int
) -> None:
    for seat in played(mode, players=players):
        assert seat.problems == []
        prompts = sum(isinstance(one, Prompt) for one in seat.told)
        # It is held still once it has joined, and at least whenever its turn has ended.
        assert seat.rests > prompts / 4
        assert not seat.still  # it was told that it is over, and may leave


def test_who_misses_its_prompts_is_held_still_all_the_same() -> None:
    def silent_in_windows(prompt: Prompt) -> list[Any]:
        return [] if prompt.view.stage is Stage.RESPOND else list(brisk(prompt))

    for mode in (WindowMode.SEALED, WindowMode.PROMPT):
        (first, second) = played(mode, silent_in_windows)
        assert first.problems == second.problems == []
        assert first.rests > 10


def test_seats_that_cannot_rest_are_never_asked_to() -> None:
    class Restless(ScriptedSeat):
        def rest(self) -> None:
            raise AssertionError("asked to rest")

    rules = make_ruleset("classic", players=2)
    plan = MatchPlan(
        rules=rules,
        seating=make_seating(rules, 2),
        boards=(board_of(b"resting".ljust(32, b"."), 0),),
        legs=every_rotation(1, 2)[:1],
        length=Length(1),
    )
    match = Match(replace(plan), b"secret")
    drive(match, Restless(brisk), Restless(brisk))
    assert match.over
