"""Random games for the property tests: rule sets over all options, seatings, decks, play.

A `Setup` says everything about a hand before its first card is played; its `str` is what one needs
to play a failing hand again. Setups are chosen by a `Pick`, so that one function serves a seeded
generator (many hands, quick) and hypothesis (few hands, shrinks).
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from itertools import permutations
from random import Random
from typing import Any, Final, NamedTuple, TypeVar

from hypothesis import strategies as st

from arena.engine.actions import ACTIONS, Action, Verb
from arena.engine.cards import CARDS, SAFETIES, Card
from arena.engine.codes import PLAIN
from arena.engine.deal import deck_cards
from arena.engine.flow import start_hand
from arena.engine.rules import apply, asked, legal
from arena.engine.rulesets import PRESETS, RuleSet, Value, make_ruleset
from arena.engine.seating import make_seating
from arena.engine.state import HandState, TableView, make_frame
from arena.errors import RuleSetError

T = TypeVar("T")
Pick = Callable[[Sequence[Any]], Any]
Teams = tuple[tuple[int, ...], ...]

VALUES: Final[dict[str, tuple[Value, ...]]] = {
    "target": (1000, 700),
    "extension": (False, True),
    "failed_extension_bonus": (False, True),
    "max_200": (2, None, 0, 1, 3, 4),
    "late_safety_restarts": (False, True),
    "exhausted_safety_replays": (True, False),
    "discard_visible": (True, False),
    "forced_play": (False, True),
    "reshuffle": (False, True),
    "delayed_action_trigger": ("pile_empty", "empty_at_turn_start"),
    "four_safeties_bonus": (300, 0, 700),
    "shutout_rule": ("all", "any", "dujardin"),
    "match_points": (5000, 1, 2000),
    "match_tie": ("extra_hand", "draw"),
    "max_hands": (1000, 1, 3),
    "deck_2p_reduction": (False, True),
    "allow_individual_4": (False, True),
    "first_dealer": (None, 0, 1),
    "first_player": (0, 1),
    "safety_km": (100, 0, 25, 33, 300, 1000),
    "coup_fourre_km": (300, 0, 75, 100, 400, 1000),
    "bonus_overflow": ("forfeit", "clamp", "allow"),
    "express_safety_draw": ("pile", "choice"),
    "express_exhausted_draw": ("none", "discard", "reshuffle"),
    "express_stall_rounds": (2, 0, 1, 5),
    "top_choice": (False, True),
    "plateau_green_light_to_start": (False, True),
    "plateau_exhaustion": ("play_out", "reshuffle"),
}
"""For every option the values that the tests play with; numbers are examples of all there are."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Setup:
    """A hand before its first card is played."""

    preset: str
    options: tuple[tuple[str, Value], ...] = ()
    teams: Teams = ((0,), (1,))
    dealer: int = 0
    striped: bool = False
    ask_all: bool = False
    seed: int = 0

    @property
    def players(self) -> int:
        return sum(map(len, self.teams))

    @property
    def rules(self) -> RuleSet:
        return make_ruleset(self.preset, dict(self.options), players=self.players)

    @property
    def chance(self) -> bytes:
        """The key of the reshuffles."""
        return Random(~self.seed).randbytes(32)

    @property
    def order(self) -> bytes:
        """The shuffled deck."""
        cards = list(deck_cards(self.rules.deck(self.players)))
        Random(self.seed).shuffle(cards)
        return bytes(cards)

    def start(self, order: bytes | None = None) -> HandState:
        """Deal the hand, from another deck than its own if `order` is given."""
        rules = self.rules
        frame = make_frame(rules, make_seating(rules, self.teams), dealer=self.dealer)
        return start_hand(
            frame,
            self.order if order is None else order,
            striped=self.striped,
            ask_all=self.ask_all,
            chance=self.chance,
        )


# -- rule sets and seatings -------------------------------------------------------------------


def values_of(preset: str, name: str) -> tuple[Value, ...]:
    """The values of `VALUES` that `preset` allows for an option; none if it has no such option."""
    return tuple(value for value in VALUES[name] if is_allowed(preset, {name: value}))


def is_allowed(preset: str, options: dict[str, Value]) -> bool:
    """Whether a rule set with these options exists."""
    try:
        make_ruleset(preset, completed(preset, options))
    except RuleSetError:
        return False
    return True


def completed(preset: str, options: dict[str, Value]) -> dict[str, Value]:
    """`options` without contradiction: only a target of 700 km can be extended (R32)."""
    if options.get("extension"):
        return options | {"target": 700}
    if options.get("target") == 1000 and PRESETS[preset].defaults.get("extension"):
        return options | {"extension": False}
    return options


def seatings(rules: RuleSet) -> list[Teams]:
    """Every seating that the rules allow, in every order of the teams (R01, X02, P12)."""
    splits: list[Teams] = []
    for players, teams in ((2, 2), (3, 3), (4, 4), (4, 2), (6, 3)):
        split = tuple(tuple(range(team, players, teams)) for team in range(teams))
        try:
            make_seating(rules, split)
        except RuleSetError:
            continue
        splits += permutations(split)
    return splits


CHANGE_ONE_IN: Final = 3
"""A random rule set changes about one option in so many."""


def choose_setup(pick: Pick, *, seed: int, presets: Sequence[str] = tuple(PRESETS)) -> Setup:
    """Choose a setup over all presets, options, seatings and ways to draw and ask."""
    preset = pick(presets)
    options: dict[str, Value] = {}
    for name in VALUES:
        allowed = _ALLOWED[preset, name]
        if allowed and pick(range(CHANGE_ONE_IN)) == CHANGE_ONE_IN - 1:
            options[name] = pick(allowed)
    options = completed(preset, options)
    teams = pick(seatings(make_ruleset(preset, options)))
    return Setup(
        preset=preset,
        options=tuple(options.items()),
        teams=teams,
        dealer=pick(range(sum(map(len, teams)))),
        striped=pick((False, True)),
        ask_all=pick((False, True)),
        seed=seed,
    )


_ALLOWED: Final = {(preset, name): values_of(preset, name) for preset in PRESETS for name in VALUES}


def random_setups(seed: int, count: int, presets: Sequence[str] = tuple(PRESETS)) -> list[Setup]:
    """`count` setups by a seeded generator."""
    rng = Random(seed)
    return [
        choose_setup(rng.choice, seed=rng.getrandbits(32), presets=presets) for _ in range(count)
    ]


def every_option_value(seed: int) -> list[Setup]:
    """Each preset with each number of players, and each value of each option with each."""
    rng = Random(seed)
    return [
        _with_one_change(preset, completed(preset, change), teams, rng)
        for preset in PRESETS
        for change in _single_changes(preset)
        for teams in _one_seating_each(preset, completed(preset, change), rng)
    ]


def _single_changes(preset: str) -> list[dict[str, Value]]:
    return [{}, *({name: value} for name in VALUES for value in _ALLOWED[preset, name])]


def _one_seating_each(preset: str, options: dict[str, Value], rng: Random) -> list[Teams]:
    """A seating for each number of players and size of teams."""
    found = seatings(make_ruleset(preset, options))
    rng.shuffle(found)
    return list({(len(teams), len(teams[0])): teams for teams in found}.values())


def _with_one_change(preset: str, options: dict[str, Value], teams: Teams, rng: Random) -> Setup:
    return Setup(
        preset=preset,
        options=tuple(options.items()),
        teams=teams,
        dealer=rng.randrange(sum(map(len, teams))),
        striped=rng.random() < 0.3,
        ask_all=rng.random() < 0.5,
        seed=rng.getrandbits(32),
    )


@st.composite
def setups(draw: st.DrawFn, presets: Sequence[str] = tuple(PRESETS)) -> Setup:
    """Setups that shrink towards the classic game of two with its defaults."""

    def pick(options: Sequence[T]) -> T:
        return draw(st.sampled_from(list(options)))

    return choose_setup(pick, seed=draw(st.integers(0, 2**32 - 1)), presets=presets)


# -- play -------------------------------------------------------------------------------------


class Move(NamedTuple):
    """A decision: the state before it, who decides, and what is chosen."""

    state: HandState
    seat: int
    action: Action


Policy = tuple[float, ...]
"""How much a policy likes each action, by its code."""


def policy(liking: Callable[[Action], float]) -> Policy:
    """The weights of every action."""
    return tuple(liking(action) for action in ACTIONS)


def class_of(action: Action) -> str:
    card = action.card
    if action.verb is not Verb.PLAY or card is None:
        return action.text if action.verb is Verb.DRAW else action.verb.value
    if card.is_hazard:
        return "attack"
    if card.is_safety:
        return "safety"
    return "distance" if card.is_distance else "remedy"


def _liking(**weights: float) -> Policy:
    by_class = {name.replace("_", " ", 1) if name.startswith("draw") else name: weight
                for name, weight in weights.items()}  # fmt: skip
    return policy(lambda action: by_class.get(class_of(action), 1.0))


UNIFORM: Final = _liking()
POLICIES: Final[dict[str, Policy]] = {
    "uniform": UNIFORM,
    "eager": _liking(discard=0.05, coup_fourre=9),
    "driver": _liking(distance=60, remedy=60, coup_fourre=9, attack=0.3, discard=0.3),
    "fighter": _liking(attack=60, remedy=9, coup_fourre=9, discard=0.3),
    "hoarder": _liking(safety=0.02, coup_fourre=50, discard=0.5),
    "scavenger": _liking(draw_discard=9, attack=3, remedy=9),
    "waster": _liking(discard=20),
    "ambusher": _liking(attack=60, remedy=9, safety=0.02, discard=0.3),
}


def choose(state: HandState, seat: int, rng: Random, liking: Policy) -> Action:
    """An action of an asked seat, at random by the policy's weights."""
    options = legal(state, seat)
    if liking is UNIFORM or len(options) == 1:
        return rng.choice(options)
    return rng.choices(options, [liking[option.code] for option in options])[0]


def table_of_policies(rng: Random, players: int) -> list[Policy]:
    """One policy per seat; half of all tables play one policy only."""
    names = list(POLICIES)
    if rng.random() < 0.5:
        return [POLICIES[rng.choice(names)]] * players
    return [POLICIES[rng.choice(names)] for _ in range(players)]


def moves(state: HandState, rng: Random, policies: Sequence[Policy] = ()) -> Iterator[Move]:
    """Play `state` to its end in place; yields each decision before it is applied.

    Who looks at a move may not change its state: take a copy.
    """
    seats = policies or table_of_policies(rng, state.players)
    while not state.over:
        waiting = asked(state)
        seat = waiting[0] if len(waiting) == 1 else rng.choice(waiting)
        action = choose(state, seat, rng, seats[seat])
        yield Move(state, seat, action)
        apply(state, seat, action)


def play(setup: Setup, policies: Sequence[Policy] = ()) -> Iterator[Move]:
    """Play a setup's hand to its end at random; see `moves`."""
    yield from moves(setup.start(), Random(setup.seed ^ 0x5EED), policies)


def played_out(setup: Setup, policies: Sequence[Policy] = ()) -> HandState:
    """The state at the end of a setup's hand."""
    state = setup.start()
    for _ in moves(state, Random(setup.seed ^ 0x5EED), policies):
        pass
    return state


# -- cards ------------------------------------------------------------------------------------


def all_cards(state: HandState) -> list[int]:
    """19 counts of all cards that there are: what lies on a Plateau table is no card (P09)."""
    lying = state.draw_pile() + state.discard.translate(PLAIN)
    if state.frame.on_table:
        lying += b"".join(cards_on(table) for table in state.tables)
    return [lying.count(card) + sum(hand[card] for hand in state.hands) for card in CARDS]


def cards_on(table: TableView) -> bytes:
    """What lies on a table, as cards."""
    safeties = bytes(card for card in SAFETIES if has(table.safeties, card))
    return table.battle + table.speed + table.distance + safeties


def has(safeties: int, card: Card) -> bool:
    """Whether a mask of safeties holds a card."""
    return bool(safeties >> card - Card.RIGHT_OF_WAY & 1)
