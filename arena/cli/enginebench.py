"""Measures the engine: random legal play, views, copies, memory, all against the yardstick.

On a shared machine the same command varies by a third within minutes, so only ratios of things run
alternately in one process count. Each figure is measured in rounds: a run of ours, a run of the
yardstick, and so on; the first round is thrown away, and the ratio quoted is the median of the
rounds' ratios. Times are the process's own CPU seconds.
"""

from __future__ import annotations

import statistics
import sys
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from random import Random
from typing import Final, Protocol

from arena.cli import yardstick
from arena.engine.deal import deck_cards
from arena.engine.flow import start_hand
from arena.engine.randomplay import play_randomly
from arena.engine.rules import apply, asked, legal
from arena.engine.rulesets import make_ruleset
from arena.engine.seating import make_seating
from arena.engine.state import Frame, HandState, Stage, make_frame
from arena.engine.view import determinize, view

TABLES: Final = (
    ("classic", 2),
    ("classic", 3),
    ("classic", 4),
    ("classic", 6),
    ("leaflet", 2),
    ("express", 2),
    ("express", 3),
    ("express", 4),
    ("plateau", 2),
    ("plateau", 3),
    ("plateau", 4),
)
"""What is measured: preset and number of players."""

Work = Callable[[int], int]
"""Does something that many times and returns how many decisions that took."""


@dataclass(frozen=True, slots=True)
class Spread:
    """The median of some figures, with the lowest and the highest."""

    median: float
    low: float
    high: float


def spread(figures: list[float]) -> Spread:
    """Median, lowest and highest of `figures`, of which there must be one at least."""
    return Spread(statistics.median(figures), min(figures), max(figures))


@dataclass(frozen=True, slots=True, kw_only=True)
class Row:
    """What was measured of one preset and number of players.

    Rates are per CPU second, ratios to the yardstick's decisions per second of the same round.
    """

    preset: str
    players: int
    hands: Spread
    decisions: Spread
    ratio: Spread
    with_views: Spread
    with_views_ratio: Spread
    decisions_per_hand: float
    single: Costs


@dataclass(slots=True)
class Costs:
    """What single states cost, over states all along some random hands.

    Attributes:
        state_bytes: Memory of the largest, see `state_bytes`.
        copied, determinized: CPU seconds of all `states` together, one each.
        states: How many were looked at.
    """

    state_bytes: int = 0
    copied: float = 0
    determinized: float = 0
    states: int = 0

    @property
    def copy_us(self) -> float:
        """Microseconds of one `copy()`."""
        return 1e6 * self.copied / self.states

    @property
    def determinize_us(self) -> float:
        """Microseconds of one `determinize()`."""
        return 1e6 * self.determinized / self.states

    def add(self, state: HandState, rng: Random) -> None:
        """Measure one state that waits for somebody."""
        seen = view(state, asked(state)[0])
        self.state_bytes = max(self.state_bytes, state_bytes(state))
        self.copied += _seconds(state.copy, 20)
        self.determinized += _seconds(lambda: determinize(seen, rng), 3)
        self.states += 1


@dataclass(frozen=True, slots=True)
class Dealer:
    """Deals hands of one kind from its own stream of chance."""

    frame: Frame
    deck: list[int]
    rng: Random

    def deal(self) -> HandState:
        """The next hand."""
        self.rng.shuffle(self.deck)
        return start_hand(self.frame, bytes(self.deck))

    def play(self, hands: int) -> int:
        """Play that many hands at random."""
        return sum(play_randomly(self.deal(), self.rng) for _ in range(hands))

    def play_with_views(self, hands: int) -> int:
        """The same, each decision from a full view with the events since the seat's last one."""
        return sum(self._play_from_views() for _ in range(hands))

    def _play_from_views(self) -> int:
        state = self.deal()
        random = self.rng.random
        since = [0] * self.frame.seating.players
        decisions = 0
        while state.stage != _OVER:
            seat = asked(state)[0] if state.stage == _RESPOND else state.seat
            seen = view(state, seat, since[seat])
            since[seat] = seen.event_count
            options = seen.legal
            apply(state, seat, options[int(random() * len(options))])
            decisions += 1
        return decisions


_OVER: Final = Stage.OVER.value
_RESPOND: Final = Stage.RESPOND.value


def make_dealer(preset: str, players: int) -> Dealer:
    """A dealer with a fixed seed, so that every run measures the same hands."""
    rules = make_ruleset(preset, players=players)
    frame = make_frame(rules, make_seating(rules, players), dealer=players - 1)
    return Dealer(frame, list(deck_cards(rules.deck(players))), Random(f"{preset} {players}"))


def reference(hands: int) -> int:
    """The yardstick's work."""
    return yardstick.run(hands, 1)[0]


def rate(work: Work, amount: int) -> float:
    """Decisions per CPU second."""
    start = time.process_time()
    decisions = work(amount)
    return decisions / (time.process_time() - start)


def calibrate(work: Work, seconds: float) -> int:
    """How many hands take about `seconds`."""
    hands = 8
    while True:
        start = time.process_time()
        work(hands)
        taken = time.process_time() - start
        if taken > seconds / 4:
            return max(1, round(hands * seconds / taken))
        hands *= 2


def measure(rounds: int, seconds: float) -> Iterator[Row]:
    """Measure every table in `rounds` counted rounds of about `seconds` a run."""
    yard = calibrate(reference, seconds)
    for preset, players in TABLES:
        yield _row(preset, players, rounds, (yard, seconds))


def _row(preset: str, players: int, rounds: int, effort: tuple[int, float]) -> Row:
    yard, seconds = effort
    dealer = make_dealer(preset, players)
    hands = calibrate(dealer.play, seconds)
    viewed = calibrate(dealer.play_with_views, seconds)
    plain, views, ratios, view_ratios = [], [], [], []
    for number in range(rounds + 1):
        ours = rate(dealer.play, hands)
        yards = rate(reference, yard)
        with_views = rate(dealer.play_with_views, viewed)
        if number:
            plain.append(ours)
            views.append(with_views)
            ratios.append(ours / yards)
            view_ratios.append(with_views / yards)
    length = dealer.play(200) / 200
    return Row(
        preset=preset,
        players=players,
        hands=spread([one / length for one in plain]),
        decisions=spread(plain),
        ratio=spread(ratios),
        with_views=spread(views),
        with_views_ratio=spread(view_ratios),
        decisions_per_hand=length,
        single=_single_states(make_dealer(preset, players)),
    )


def _single_states(dealer: Dealer, hands: int = 20) -> Costs:
    costs = Costs()
    for _ in range(hands):
        state = dealer.deal()
        while not state.over:
            costs.add(state, dealer.rng)
            _play_on(state, dealer.rng, 10)
        costs.state_bytes = max(costs.state_bytes, state_bytes(state))
    return costs


def _play_on(state: HandState, rng: Random, decisions: int) -> None:
    for _ in range(decisions):
        if not state.over:
            seat = asked(state)[0]
            apply(state, seat, rng.choice(legal(state, seat)))


def _seconds(work: Callable[[], object], times: int) -> float:
    start = time.process_time()
    for _ in range(times):
        work()
    return (time.process_time() - start) / times


SHARED: Final = frozenset({"frame"})
"""Attributes of a state that all copies of a hand share."""


def state_bytes(state: HandState) -> int:
    """Memory of a state in bytes: `sys.getsizeof` summed over its parts, each counted once.

    Not counted: what other states share with it (`SHARED`), and objects of which Python keeps only
    one (None, true, false, small integers, empty and one-byte strings).
    """
    seen: dict[int, int] = {}
    for name in state.__slots__:
        if name not in SHARED:
            _add_parts(getattr(state, name), seen)
    return sys.getsizeof(state) + sum(seen.values())


def _add_parts(part: object, seen: dict[int, int]) -> None:
    if part is None or _is_single(part) or id(part) in seen:
        return
    seen[id(part)] = sys.getsizeof(part)
    if isinstance(part, list | tuple):
        for one in part:
            _add_parts(one, seen)
    elif not isinstance(part, int | bytes | bytearray):
        for name in getattr(part, "__slots__", ()):
            _add_parts(getattr(part, name), seen)


def _is_single(part: object) -> bool:
    """Whether CPython keeps one object for all that are equal to it."""
    if isinstance(part, int):
        return -5 <= part <= 256
    return isinstance(part, bytes) and len(part) <= 1


def open_spiel_rate(rounds: int, seconds: float) -> tuple[Spread, Spread] | None:
    """OpenSpiel's crazy_eights, random play from Python with its observation string.

    Returns its decisions per CPU second, and the ratio to it of our two-player classic game with
    full views in the same rounds; None where OpenSpiel is not installed.
    """
    try:
        import pyspiel  # type: ignore[import-not-found, unused-ignore]
    except ImportError:
        return None
    game = pyspiel.load_game("crazy_eights")
    rng = Random(1)

    def play(games: int) -> int:
        return sum(_play_open_spiel(game.new_initial_state(), rng) for _ in range(games))

    dealer = make_dealer("classic", 2)
    amount, ours_amount = calibrate(play, seconds), calibrate(dealer.play_with_views, seconds)
    theirs, ratios = [], []
    for number in range(rounds + 1):
        ours = rate(dealer.play_with_views, ours_amount)
        other = rate(play, amount)
        if number:
            theirs.append(other)
            ratios.append(ours / other)
    return spread(theirs), spread(ratios)


class _OpenSpielState(Protocol):
    """The part of OpenSpiel's state that is used."""

    def is_terminal(self) -> bool: ...
    def is_chance_node(self) -> bool: ...
    def chance_outcomes(self) -> list[tuple[int, float]]: ...
    def apply_action(self, action: int) -> None: ...
    def observation_string(self, player: int) -> str: ...
    def current_player(self) -> int: ...
    def legal_actions(self) -> list[int]: ...


def _play_open_spiel(game: _OpenSpielState, rng: Random) -> int:
    decisions = 0
    while not game.is_terminal():
        if game.is_chance_node():
            outcomes, chances = zip(*game.chance_outcomes(), strict=True)
            game.apply_action(rng.choices(outcomes, chances)[0])
            continue
        game.observation_string(game.current_player())
        options = game.legal_actions()
        game.apply_action(options[int(rng.random() * len(options))])
        decisions += 1
    return decisions
