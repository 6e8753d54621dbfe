"""Laws of a hand, held over every preset, option value and number of players.

Each law is a function of a `Setup` that plays one hand and asserts; its docstring names the rulings
it rests on. `test_law` holds all of them against hands with every value of every option. What the
engine says is compared with slow second answers in `test_second_referee`.
"""

from __future__ import annotations

from collections.abc import Callable
from random import Random
from typing import Final

import pytest

from arena.engine.actions import ACTIONS, PASS, Action, Verb
from arena.engine.cards import CARDS, KM, SAFETY_FOR, Card, cards_of
from arena.engine.rules import apply, asked, default_action, kind, legal
from arena.engine.rulesets import Family
from arena.engine.scoring import Item, hand_result
from arena.engine.state import NOBODY, HandState, Reason, Stage
from arena.engine.view import View, public_view, view
from arena.errors import IllegalAction
from tests.engine.games import (
    Setup,
    all_cards,
    every_option_value,
    has,
    play,
    played_out,
)
from tests.engine.reference import plays_of
from tests.engine.sheets import sheets_by_the_rules

Law = Callable[[Setup], None]
HANDS: Final = every_option_value(seed=2)
QUICK: Final = HANDS[::9]
SCOPES: Final = (
    pytest.param(QUICK, id="quick"),
    pytest.param(HANDS, id="all", marks=pytest.mark.slow),
)


# -- laws -------------------------------------------------------------------------------------


def cards_are_conserved(setup: Setup) -> None:
    """K01-K05, X01, P01, P09: all cards are in hands, piles or on tables; tokens are no cards."""
    deck = list(setup.rules.deck(setup.players))
    move = None
    for move in play(setup):
        assert all_cards(move.state) == deck, setup
    assert move is not None
    assert all_cards(move.state) == deck, setup


def hands_are_full(setup: Setup) -> None:
    """K12, K13, X02, R17: until the pile runs out, a hand is full whenever its owner is idle."""
    full = setup.rules.hand_size
    for move in play(setup):
        state = move.state
        if state.ran_out:
            break
        drawn = {Stage.PLAY: 1, Stage.DRAW: 1 - state.due}.get(kind(state), 0)
        missing = int(state.stage == Stage.EXTEND and state.resume != 0)
        for seat, size in enumerate(state.sizes):
            own = drawn - missing if seat == state.seat else 0
            assert size == full + own, setup


def asking_is_consistent(setup: Setup) -> None:
    """Issue 2: a hand always says who is asked what, and who is asked has a legal action."""
    verbs = {
        Stage.DRAW: {Verb.DRAW},
        Stage.PLAY: {Verb.PLAY, Verb.DISCARD},
        Stage.RESPOND: {Verb.PASS, Verb.COUP_FOURRE},
        Stage.EXTEND: {Verb.EXTEND, Verb.STOP},
        Stage.TOP: {Verb.TOP},
    }
    for move in play(setup):
        state = move.state
        seats = asked(state)
        assert seats, setup
        assert list(seats) == sorted(set(seats))
        if state.stage == Stage.RESPOND:
            assert {state.frame.seating.team_of[seat] for seat in seats} == {state.attacked}
        else:
            assert seats == (state.seat,)
        for seat in range(setup.players):
            options = legal(state, seat)
            assert bool(options) == (seat in seats), setup
            assert len(set(options)) == len(options)
            assert {option.verb for option in options} <= verbs[kind(state)]


def default_is_legal(setup: Setup) -> None:
    """The default action is legal in every reachable state."""
    for move in play(setup):
        state = move.state
        for seat in asked(state):
            options = legal(state, seat)
            default = default_action(state, seat)
            assert default in options, setup
            assert default.text == default_by_protocol(options), setup


def default_by_protocol(options: tuple[Action, ...]) -> str:
    """What is played for a seat that does not answer, read again."""
    texts = [option.text for option in options]
    for fixed in ("draw pile", "pass", "stop"):
        if fixed in texts:
            return fixed
    if options[0].verb is Verb.TOP:
        return next(one.text for one in options if one.card is not None and one.card.is_remedy)
    discards = [one for one in options if one.verb is Verb.DISCARD and one.card is not None]
    if not discards:
        return texts[0]  # R04 `forced_play`
    return min(discards, key=lambda one: (one.kind >= Card.RIGHT_OF_WAY, one.kind)).text


def km_stay_within_the_target(setup: Setup) -> None:
    """R30, P07, X08, X10: nobody passes the target, and who reaches it ends the hand."""
    may_pass = setup.rules.bonus_overflow == "allow"
    move = None
    for move in play(setup):
        state = move.state
        for table in state.tables:
            assert table.km == sum(KM[card] for card in table.distance) + table.bonus_km, setup
            assert table.km < state.target or state.stage == Stage.EXTEND, setup
    assert move is not None
    state = move.state
    assert may_pass or all(table.km <= state.target for table in state.tables), setup
    reached = [team for team, table in enumerate(state.tables) if table.km >= state.target]
    assert reached == ([state.winner] if state.reason == Reason.TARGET else []), setup


def two_hundreds_are_limited(setup: Setup) -> None:
    """R29, P06: at most `max_200` cards of 200 km per team and hand."""
    limit = setup.rules.max_200
    for table in played_out(setup).tables:
        assert limit is None or table.distance.count(Card.D200) <= limit, setup


def safeties_are_exposed_once(setup: Setup) -> None:
    """K05, K31: one of each; what is exposed stays so. Only a Plateau deck made anew deals it again
    (P09, P11), and never to the same team twice."""
    exposed = [0] * len(setup.teams)
    move = None
    for move in play(setup):
        now = [table.safeties for table in move.state.tables]
        for before, after in zip(exposed, now, strict=True):
            assert before & after == before, setup
        if move.action.card is not None and move.action.card.is_safety:
            table = move.state.tables[move.state.frame.seating.team_of[move.seat]]
            lays = move.action.verb is not Verb.DISCARD
            assert not (lays and has(table.safeties, move.action.card)), setup
        exposed = now
    assert move is not None
    state = move.state
    assert all(table.coups_fourres & ~table.safeties == 0 for table in state.tables), setup
    if state.rules.plateau_exhaustion != "reshuffle":
        masks = [table.safeties for table in state.tables]
        assert sum(mask.bit_count() for mask in masks) == sum(masks).bit_count(), setup


def coup_fourre_needs_the_exact_safety_in_hand(setup: Setup) -> None:
    """R15, R16, R19: the safety of the attack just laid, held by a seat of the attacked team when
    it was laid. Without `ask_all` exactly the seats that hold it are asked."""
    held: list[bytes] = []
    attack: Card | None = None
    team = NOBODY
    for move in play(setup):
        state, seat, action = move
        if state.stage == Stage.RESPOND:
            assert attack is not None
            answer = SAFETY_FOR[attack]
            assert (state.attack, state.attacked) == (attack, team), setup
            holders = {one for one in setup.teams[team] if held[one][answer]}
            assert setup.ask_all or set(asked(state)) == holders, setup
            answers = {option.card for option in legal(state, seat)} - {None}
            assert answers == ({answer} if seat in holders else set()), setup
        else:
            assert action.verb is not Verb.COUP_FOURRE, setup
            held = [bytes(hand) for hand in state.hands]
            attack, team = action.card, NOBODY if action.team is None else action.team


def turn_goes_to_the_left(setup: Setup) -> None:
    """R03, R18, R24: to the left of who played or declared; only who has no card is passed over."""
    players = setup.players
    last: tuple[int, Action] | None = None
    for move in play(setup):
        state, seat, action = move
        if last is not None:
            before, done = last
            seats_between = (state.seat - before) % players
            keeps = done.verb in (Verb.DRAW, Verb.COUP_FOURRE, Verb.EXTEND) or is_safety(done)
            if not (keeps and seats_between == 0) and state.stage != Stage.RESPOND:
                skipped = range(before + 1, before + (seats_between or players))
                assert not any(state.sizes[one % players] for one in skipped), setup
                assert not skipped or state.ran_out, setup
        if action is PASS or state.stage == Stage.RESPOND:
            last = (seat if action.verb is Verb.COUP_FOURRE else state.seat, action)
        else:
            stays = state.frame.rules.top_choice and action.card and action.card.is_remedy
            last = None if stays or reaches_700(state, action) else (state.seat, action)


def is_safety(action: Action) -> bool:
    return action.verb is Verb.PLAY and action.card is not None and action.card.is_safety


def reaches_700(state: HandState, action: Action) -> bool:
    """Whether the same seat may be asked for the extension next."""
    return state.rules.extension and action.verb in (Verb.PLAY, Verb.COUP_FOURRE)


def end_is_right(setup: Setup) -> None:
    """R25, X15, X18, P11, R24: a hand that is over is over for the reason it gives."""
    state = played_out(setup)
    cards = [[card.name for card in cards_of(hand)] for hand in state.hands]
    km = [table.km for table in state.tables]
    if state.reason == Reason.TARGET:
        assert km[state.winner] >= state.target, setup
        return
    assert all(one < state.target for one in km), setup
    ahead = [team for team, one in enumerate(km) if one == max(km)]
    nobody = setup.rules.family is Family.CLASSIC or len(ahead) > 1
    assert state.winner == (NOBODY if nobody else ahead[0]), setup
    in_play = [*state.draw_pile(), *(card for hand in state.hands for card in cards_of(hand))]
    if state.reason == Reason.EXHAUSTED:
        no_distance = not any(card < Card.RED_LIGHT for card in in_play)
        assert not in_play or (setup.rules.family is Family.EXPRESS and no_distance), setup
        return
    assert not state.left, setup
    assert any(cards), setup
    tables = tables_of(state)
    for seat, hand in enumerate(cards):
        team = state.frame.seating.team_of[seat]
        assert not plays_of(setup.rules, state.target, tables, team, hand), setup


def tables_of(state: HandState) -> list[dict[str, object]]:
    """The tables as the reference reads them."""
    names = {card: card.name for card in CARDS}
    return [
        {
            "battle": [names[Card(card)] for card in table.battle],
            "speed": [names[Card(card)] for card in table.speed],
            "distance": [names[Card(card)] for card in table.distance],
            "safeties": [
                card.name for card in CARDS if card.is_safety and has(table.safeties, card)
            ],
            "bonus_km": table.bonus_km,
            "started": table.started,
        }
        for table in state.tables
    ]


def over_asks_nobody(setup: Setup) -> None:
    """Issue 2: a hand knows when it is over: nobody is asked, and every action is refused."""
    state = played_out(setup)
    assert state.over
    assert kind(state) is Stage.OVER
    assert asked(state) == ()
    refuses_everything_else(state, Random(setup.seed))
    assert all(view(state, seat).legal == () for seat in range(setup.players))


def events_only_grow(setup: Setup) -> None:
    """Issue 2, section 3: events are numbered; what has happened does not change."""
    log = b""
    move = None
    for move in play(setup):
        assert move.state.log.startswith(log), setup
        assert move.state.event_count == len(move.state.log) // 2
        log = move.state.log
    assert move is not None
    assert move.state.log.startswith(log), setup


def sheets_are_right(setup: Setup) -> None:
    """R28, R33, R35-R37: nine items, none negative, and their sum is the points."""
    state = played_out(setup)
    result = hand_result(state)
    assert result.km == tuple(table.km for table in state.tables)
    assert (result.reason, result.winner) == (state.reason, state.winner)
    if setup.rules.family is not Family.CLASSIC:
        assert not result.sheets + result.points
        return
    finisher = state.winner if state.reason == Reason.TARGET else NOBODY
    for team, (sheet, points) in enumerate(zip(result.sheets, result.points, strict=True)):
        assert set(sheet) == set(Item)
        assert min(sheet.values()) >= 0
        assert sum(sheet.values()) == points
        trip = {Item.COMPLETED, Item.EXTENSION, Item.SAFE_TRIP, Item.DELAYED_ACTION, Item.SHUTOUT}
        if setup.rules.failed_extension_bonus:
            trip.discard(Item.EXTENSION)  # R33
        if setup.rules.shutout_rule == "dujardin":
            trip.discard(Item.SHUTOUT)  # R37
        assert team == finisher or not any(sheet[item] for item in trip), setup
    expected = sheets_by_the_rules(state)
    assert [{item.value: n for item, n in one.items()} for one in result.sheets] == expected, setup


def every_other_action_is_refused(setup: Setup) -> None:
    """Issue 2, R23: each listed action applies, all others are refused without a trace."""
    rng = Random(setup.seed)
    for move in play(setup):
        if rng.random() < 0.04:
            accepts_what_it_lists(move.state)
            refuses_everything_else(move.state, rng)


def accepts_what_it_lists(state: HandState) -> None:
    before = state.copy()
    for seat in asked(state):
        for action in legal(state, seat):
            after = state.copy()
            apply(after, seat, action)
            passes_on = action is PASS and len(asked(state)) > 1
            assert passes_on or after.event_count > state.event_count or action is PASS
            assert after != state
    assert state == before


def refuses_everything_else(state: HandState, rng: Random) -> None:
    before, views = state.copy(), all_views(state)
    wrong = [
        (seat, action)
        for seat in range(state.players)
        for action in ACTIONS
        if action not in legal(state, seat)
    ]
    rng.shuffle(wrong)
    for seat, action in wrong:
        with pytest.raises(IllegalAction):
            apply(state, seat, action)
        assert (state.event_count, state.stage) == (before.event_count, before.stage), action
    assert state == before
    assert all_views(state) == views


def all_views(state: HandState) -> list[View]:
    return [public_view(state), *(view(state, seat) for seat in range(state.players))]


LAWS: Final[tuple[Law, ...]] = (
    cards_are_conserved,
    hands_are_full,
    asking_is_consistent,
    default_is_legal,
    km_stay_within_the_target,
    two_hundreds_are_limited,
    safeties_are_exposed_once,
    coup_fourre_needs_the_exact_safety_in_hand,
    turn_goes_to_the_left,
    end_is_right,
    over_asks_nobody,
    events_only_grow,
    sheets_are_right,
    every_other_action_is_refused,
)


@pytest.mark.parametrize("law", LAWS, ids=lambda law: law.__name__)
@pytest.mark.parametrize("hands", SCOPES)
def test_law(law: Law, hands: list[Setup]) -> None:
    for setup in hands:
        law(setup)
