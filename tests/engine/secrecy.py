"""The law of secrecy as a checker that can be turned on any `view`, a leaking one too.

Law: what a reader is told is a function of what everybody knows and of its own cards. Two worlds
that differ in two cards hidden from a reader are played with the same actions, and its views must
be equal. They may part only when the play itself does:

- the reader draws one of the two cards (everybody else must still see the same);
- an action is not legal in the other world: its seat holds another card there;
- the hand is over in one world only, or in each for another reason: R25 looks into all hands and
  X15 also at what lies face down. That nobody can play any more is told by the end of the hand.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from random import Random
from typing import Final

from arena.engine.actions import PASS
from arena.engine.codes import PUBLIC
from arena.engine.rules import apply, asked, legal
from arena.engine.state import HandState, Reason, Stage
from arena.engine.view import View, public_view, view
from tests.engine.exchange import Place, card_at, exchange, hidden_places
from tests.engine.games import Policy, Setup, choose, moves, table_of_policies

Look = Callable[[HandState, int], View]
"""What a reader is told of a state; PUBLIC reads too."""

FORKS: Final = 6
"""How often a hand is forked into two worlds."""


def honest(state: HandState, reader: int) -> View:
    """The engine's own view, with all events."""
    return public_view(state) if reader == PUBLIC else view(state, reader)


class Worlds:
    """Two worlds that differ in two cards hidden from `reader`."""

    def __init__(self, state: HandState, reader: int, places: tuple[Place, Place]) -> None:
        self.one = state.copy()
        self.other = exchange(state, *places)
        self.reader = reader
        self.start = f"exchanged {places} at event {state.event_count}"

    def advance(self, rng: Random, policies: list[Policy]) -> bool:
        """Play one action in both; False when the play parts or is over."""
        one, other = self.one, self.other
        if one.over:
            return False
        seat = rng.choice(asked(one))
        action = choose(one, seat, rng, policies[seat])
        if action is PASS and not one.ask_all:
            _let_go_by(one)
            _let_go_by(other)
        else:
            if other.stage != one.stage or action not in legal(other, seat):
                return False
            apply(one, seat, action)
            apply(other, seat, action)
            if one.stage != Stage.RESPOND and not one.ask_all:
                _let_go_by(other)
        return not self._ends_by_ruling()

    def _ends_by_ruling(self) -> bool:
        """R25, X15: whether only one hand is over, or both for another reason, without a finish."""
        reasons = {world.reason for world in (self.one, self.other)}
        return len(reasons) > 1 and Reason.TARGET not in reasons

    def reader_drew(self) -> bool:
        """Whether the reader has got one of the two cards."""
        reader = self.reader
        return reader != PUBLIC and self.one.hands[reader] != self.other.hands[reader]

    def difference(self, look: Look, reader: int) -> str | None:
        """What `reader` is told differently."""
        if self.one.stage != self.other.stage and not self.one.ask_all:
            return None  # a window that only the holder's own world has; see `_let_go_by`
        if self.one.ask_all and asked(self.one) != asked(self.other):
            return f"{self.start}: asked {asked(self.one)} or {asked(self.other)}"
        first, second = look(self.one, reader), look(self.other, reader)
        if first == second:
            return None
        fields = [name for name in View._fields if getattr(first, name) != getattr(second, name)]
        return f"{self.start}: reader {reader} can tell by {', '.join(fields)}"


def _let_go_by(state: HandState) -> None:
    """Pass every open window."""
    while state.stage == Stage.RESPOND:
        apply(state, asked(state)[0], PASS)


def leaks(setup: Setup, look: Look = honest) -> Iterator[str]:
    """Fork a random hand several times, the first time at its start, and report every leak."""
    rng = Random(setup.seed)
    yield from leaks_of(setup.start(), rng, look)
    for move in moves(setup.start(), rng):
        if rng.random() < FORKS / 100 and (setup.ask_all or move.state.stage != Stage.RESPOND):
            yield from leaks_of(move.state, rng, look)


def leaks_of(state: HandState, rng: Random, look: Look) -> Iterator[str]:
    """Fork a state for one reader and play both worlds on."""
    reader = rng.choice((PUBLIC, *range(state.players)))
    places = choose_places(state, reader, rng)
    if places is None:
        return
    worlds = Worlds(state, reader, places)
    policies = table_of_policies(rng, state.players)
    while True:
        difference = worlds.difference(look, reader)
        if difference:
            yield difference
            return
        if not worlds.advance(rng, policies):
            return
        if worlds.reader_drew():
            difference = worlds.difference(look, PUBLIC)
            if difference:
                yield difference
            return


def choose_places(state: HandState, reader: int, rng: Random) -> tuple[Place, Place] | None:
    """Two hidden places with different cards; each kind of place as likely as the others."""
    by_kind: dict[str, list[Place]] = {}
    for place in hidden_places(state, reader):
        by_kind.setdefault(place.where, []).append(place)
    if not by_kind:
        return None
    for _ in range(20):
        one, other = (rng.choice(by_kind[rng.choice(sorted(by_kind))]) for _ in range(2))
        same_hand = one.where == other.where == "hand" and one.seat == other.seat
        if not same_hand and card_at(state, one) != card_at(state, other):
            return one, other
    return None
