"""What bots were told in many short games, as the bytes that travel: for bots in any language.

Games of every preset, table size and window mode, with options besides, are played by seats that do
anything. What one of them was told is kept, welcomes and ends of hands included.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from random import Random
from typing import Final

from arena.engine.actions import Verb
from arena.engine.rulesets import PRESETS
from arena.referee.events import MatchOver, Message, Prompt
from arena.referee.limits import WindowMode
from arena.referee.scripted import Reply, Script, ScriptedSeat
from arena.transport.convert import response_bytes
from tests.referee.plans import make_plan, simulate

_PLAYERS: Final = {"classic": (2, 3, 4, 6), "express": (2, 3, 4), "plateau": (2, 3, 4)}
_OPTIONS: Final[dict[str, tuple[dict[str, object], ...]]] = {
    "classic": (
        {},
        {"extension": True, "target": 700},
        {"discard_visible": True},
        {"reshuffle": True},
    ),
    "express": ({}, {"top_choice": True}, {"safety_km": 0}),
    "plateau": ({}, {"plateau_exhaustion": "reshuffle"}),
    "leaflet": ({},),
}


@dataclass(frozen=True, slots=True)
class Game:
    """What one seat was told in one game: its name, and the messages with their bytes."""

    name: str
    told: tuple[tuple[Message, bytes], ...]


def games(seed: str = "recorded") -> Iterator[Game]:
    """Games without end, of every kind in turn; the same for the same seed."""
    number = 0
    while True:
        for preset in PRESETS:
            for players in _PLAYERS.get(preset, _PLAYERS["classic"]):
                for options in _OPTIONS[preset]:
                    for window in WindowMode:
                        number += 1
                        yield _game(f"{seed}/{number}", preset, players, options, window)


def _game(
    seed: str, preset: str, players: int, options: dict[str, object], window: WindowMode
) -> Game:
    rng = Random(seed)
    seats = [ScriptedSeat(_anything(Random(f"{seed}/{seat}"))) for seat in range(players)]
    plan = make_plan(
        preset, players, hands=rng.choice((1, 1, 2)), seed=seed, window=window, options=options
    )
    simulate(plan, *seats)
    words = "".join(f" {name}={value}" for name, value in options.items())
    told = rng.choice(seats).told
    return Game(
        f"{preset} {players}{words} {window.value}",
        tuple((one, response_bytes(one)) for one in told if not isinstance(one, MatchOver)),
    )


def _anything(rng: Random) -> Script:
    """Mostly sensible, so that cars get somewhere, and often enough not."""

    def act(prompt: Prompt) -> list[Reply]:
        legal = prompt.view.legal
        pools = [
            [one for one in legal if one.verb is Verb.PLAY and one.team is None],
            [one for one in legal if one.team is not None],
            [one for one in legal if one.verb is Verb.COUP_FOURRE],
            list(legal),
        ]
        return [Reply(rng.choice(rng.choice([pool for pool in pools if pool])))]

    return act
