"""What goes over the wire: whatever the referee says, a bot's SDK reads back the same."""

from __future__ import annotations

from dataclasses import fields, replace
from random import Random
from typing import TypeVar

import pytest

from arena.engine.actions import ACTIONS, Action
from arena.engine.cards import HAZARDS
from arena.engine.codes import Event, EventKind
from arena.engine.deal import Board, sub_key
from arena.engine.flow import start_hand
from arena.engine.rules import apply, asked, legal
from arena.engine.rulesets import OPTIONS, PRESETS, make_ruleset
from arena.engine.scoring import start_game
from arena.engine.seating import make_seating
from arena.engine.state import NOBODY, make_frame
from arena.engine.view import determinize, view
from arena.referee.events import (
    MALFORMED,
    HandOver,
    MatchOver,
    Message,
    OutcomeKind,
    Prompt,
    Rejection,
    RejectionReason,
    Welcome,
)
from arena.referee.limits import FaultBudget, WindowMode
from arena.referee.scripted import ScriptedSeat
from arena.transport.convert import (
    Answer,
    Join,
    MalformedMessage,
    Note,
    read_request,
    response_bytes,
)
from arena.transport.convert_hand import event_message
from arena_sdk._convert import action_message, prompt_from, rules_from
from millearena.v1 import actions_pb2, cards_pb2, match_service_pb2, rule_sets_pb2
from tests.referee.plans import TIME, at_random, make_plan, simulate

M = TypeVar("M", bound=Message)
TABLES = [
    ("classic", 2, {}),
    ("classic", 3, {"reshuffle": True}),
    ("classic", 4, {"discard_visible": True}),
    ("classic", 6, {"forced_play": True}),
    ("leaflet", 2, {}),
    ("express", 2, {"express_exhausted_draw": "reshuffle"}),
    ("express", 4, {"top_choice": True, "express_safety_draw": "choice"}),
    ("plateau", 3, {"plateau_exhaustion": "reshuffle"}),
]


def sent(message: Message) -> match_service_pb2.PlayResponse:
    return match_service_pb2.PlayResponse.FromString(response_bytes(message))


def messages(kind: type[M], preset: str = "classic", players: int = 2) -> list[M]:
    """What the seats of a match at random are told."""
    seats = [ScriptedSeat(at_random(number)) for number in range(players)]
    simulate(make_plan(preset, players, games=2, hands=None), *seats)
    return [message for seat in seats for message in seat.told if isinstance(message, kind)]


@pytest.mark.parametrize("striped", [False, True], ids=["shared", "striped"])
@pytest.mark.parametrize(("preset", "players", "options"), TABLES)
def test_a_view_comes_back_equal_at_every_decision(
    preset: str, players: int, options: dict[str, bool | str], striped: bool
) -> None:
    rules = make_ruleset(preset, options, players=players)
    seating = make_seating(rules, players)
    rng = Random(7)
    for number in range(6):
        board = Board(sub_key(bytes(32), f"{preset}/{number}"))
        dealer = start_game(rules, len(seating.teams), players).dealer
        state = start_hand(
            make_frame(rules, seating, dealer=dealer, scores=tuple(range(len(seating.teams)))),
            board.deck_order(0, rules.deck(players)),
            striped=striped,
            ask_all=True,
            chance=board.reshuffle_key(0),
        )
        while not state.over:
            seat = rng.choice(asked(state))
            seen = view(state, seat, since=max(0, state.event_count - 5))
            prompt = Prompt("id", 1, 0, 0, seen, seen.legal[0], TIME.turn, TIME.bank)
            back = prompt_from(sent(prompt).prompt)
            assert back.view == seen
            apply(state, seat, rng.choice(legal(state, seat)))


def test_a_bot_can_make_a_possible_state_from_what_it_was_sent() -> None:
    for prompt in messages(Prompt, "express", 3):
        back = prompt_from(sent(prompt).prompt)
        here = determinize(prompt.view, Random(3))
        there = determinize(back.view, Random(3))
        assert here == there
        assert legal(here, prompt.view.seat) == prompt.view.legal


def test_the_rest_of_a_prompt_comes_back_too() -> None:
    for prompt in messages(Prompt):
        message = sent(prompt).prompt
        back = prompt_from(message)
        assert message.prompt_id == prompt.prompt_id
        assert message.kind == message.view.stage == prompt.view.stage + 1
        assert (back.legal, back.default) == (prompt.view.legal, prompt.default)
        assert back.time_limit == prompt.free_time / 1e9
        assert back.bank_left == prompt.bank_left / 1e9
        assert (back.game, back.hand) == (prompt.game, prompt.hand)


def test_a_prompt_is_small() -> None:
    assert max(len(response_bytes(prompt)) for prompt in messages(Prompt, "classic", 6)) < 1000


@pytest.mark.parametrize("preset", PRESETS)
def test_rules_come_back_equal_with_every_option(preset: str) -> None:
    (welcome, *_) = messages(Welcome, preset)
    assert rules_from(sent(welcome).welcome.rule_set) == welcome.rules


def test_every_option_of_the_rules_has_the_field_of_its_name() -> None:
    there = {field.name for field in rule_sets_pb2.RuleSet.DESCRIPTOR.fields}
    assert there == {"preset", "family", *OPTIONS}


def test_every_value_that_an_option_can_have_goes_over() -> None:
    for preset, options in [
        ("classic", {"shutout_rule": "dujardin", "match_tie": "draw", "max_200": None}),
        ("classic", {"delayed_action_trigger": "empty_at_turn_start", "first_dealer": 0}),
        ("express", {"bonus_overflow": "allow", "express_exhausted_draw": "discard"}),
    ]:
        rules = make_ruleset(preset, options)  # type: ignore[arg-type]
        welcome = messages(Welcome)[0]
        other = replace(welcome, rules=rules)
        assert rules_from(sent(other).welcome.rule_set) == rules


def test_a_welcome_says_seat_teams_time_and_games() -> None:
    welcome = messages(Welcome, "classic", 4)[1]
    message = sent(welcome).welcome
    assert message.seat == welcome.seat
    assert [tuple(team.seats) for team in message.teams] == [(0, 2), (1, 3)]
    assert message.time_control.start_up.ToNanoseconds() == TIME.start_up
    assert message.time_control.turn.ToNanoseconds() == TIME.turn
    assert message.time_control.bank.ToNanoseconds() == TIME.bank
    assert message.time_control.response_window.ToNanoseconds() == TIME.response_window
    assert (message.game_number, message.game_count) == (1, 2)
    assert message.knowledge.discards_face_down
    assert message.knowledge.striped_draw
    for field in fields(FaultBudget):
        assert getattr(message.fault_budget, field.name) == getattr(
            welcome.limits.faults, field.name
        )


def test_every_window_mode_has_a_name_on_the_wire() -> None:
    welcome = messages(Welcome)[0]
    for mode in WindowMode:
        told = replace(welcome, limits=replace(welcome.limits, window=mode))
        name = match_service_pb2.WindowMode.Name(sent(told).welcome.window_mode)
        assert name == f"WINDOW_MODE_{mode.name}"


def test_a_card_taken_from_a_face_down_pile_is_hidden_from_the_others() -> None:
    taken = Event(EventKind.TAKEN, 1, None, None)
    assert event_message(taken).card_taken.card == cards_pb2.CARD_HIDDEN


def test_a_hand_that_is_over_says_what_it_brought() -> None:
    overs = messages(HandOver)
    for over in overs:
        message = sent(over).hand_over
        assert (message.game_number, message.hand_number) == (over.game, over.hand)
        assert message.end == over.result.reason + 1
        assert message.HasField("winner_team") == (over.result.winner != NOBODY)
        assert [team.km for team in message.results] == list(over.result.km)
        assert [team.points for team in message.results] == list(over.result.points)
        for team in message.results:
            assert sum(item.points for item in team.items) == team.points
        assert tuple(message.scores) == over.totals
        assert message.game_over == over.game_over
        assert message.HasField("game_winner_team") == (over.game_winner != NOBODY)
        assert len(message.events) == len(over.seen.events) // 2
    assert any(over.game_over for over in overs)


def test_a_rejection_and_the_end_of_a_match() -> None:
    for reason in RejectionReason:
        rejection = Rejection("id", reason, "why", ACTIONS[5], 2)
        message = sent(rejection).rejection
        name = match_service_pb2.RejectionReason.Name(message.reason)
        assert name == f"REJECTION_REASON_{reason.name}"
        assert (message.prompt_id, message.detail) == ("id", "why")
        assert message.played == action_message(ACTIONS[5])
        assert message.strikes == 2
    for kind in OutcomeKind:
        over = sent(MatchOver(5, 3, 1, kind, "why")).match_over
        assert (over.game_count, over.games_won, over.games_drawn) == (5, 3, 1)
        assert match_service_pb2.Outcome.Name(over.outcome) == f"OUTCOME_{kind.name}"
        assert over.detail == "why"


# -- what bots say ----------------------------------------------------------------------------


def request(**arm: object) -> bytes:
    return match_service_pb2.PlayRequest(**arm).SerializeToString()  # type: ignore[arg-type]


@pytest.mark.parametrize("action", ACTIONS, ids=str)
def test_every_action_can_be_answered(action: Action) -> None:
    answer = match_service_pb2.Answer(prompt_id="id", action=action_message(action))
    assert read_request(request(answer=answer)) == Answer("id", action)


def test_an_answer_may_be_an_index_the_first_one_too() -> None:
    for index in (0, 7):
        answer = match_service_pb2.Answer(prompt_id="id", legal_index=index)
        assert read_request(request(answer=answer)) == Answer("id", index)


@pytest.mark.parametrize(
    "action",
    [
        None,
        actions_pb2.Action(),
        actions_pb2.Action(play=actions_pb2.Play()),
        actions_pb2.Action(play=actions_pb2.Play(card=6)),  # type: ignore[arg-type] # no target
        actions_pb2.Action(play=actions_pb2.Play(card=6, target_team=9)),  # type: ignore[arg-type]
        actions_pb2.Action(play=actions_pb2.Play(card=1, target_team=1)),  # type: ignore[arg-type]
        actions_pb2.Action(discard=actions_pb2.Discard(card=20)),  # type: ignore[arg-type]
        actions_pb2.Action(discard=actions_pb2.Discard(card=99)),  # type: ignore[arg-type]
        actions_pb2.Action(coup_fourre=actions_pb2.CoupFourre(card=1)),  # type: ignore[arg-type]
        actions_pb2.Action(draw=actions_pb2.Draw()),
    ],
    ids=str,
)
def test_an_answer_without_a_readable_action_still_names_its_prompt(
    action: actions_pb2.Action | None,
) -> None:
    answer = match_service_pb2.Answer(prompt_id="id", action=action)
    assert read_request(request(answer=answer)) == Answer("id", MALFORMED)


def test_standing_orders_are_the_hazards_among_the_cards() -> None:
    cards = [card + 1 for card in HAZARDS]
    orders = [cards[0], cards[3], cards[3], 1, 19, 0, 999]
    answer = match_service_pb2.Answer(
        prompt_id="id",
        legal_index=0,
        coup_fourre_on=orders,  # type: ignore[arg-type] # what a stranger may send
    )
    read = read_request(request(answer=answer))
    assert read == Answer("id", 0, frozenset((HAZARDS[0], HAZARDS[3])))


def test_joins_and_notes_are_read() -> None:
    join = match_service_pb2.Join(protocol_version=1, bot_name="a", bot_version="b", sdk="c")
    assert read_request(request(join=join)) == Join(1, "a", "b", "c")
    assert read_request(request(note=match_service_pb2.Note(text="hm"))) == Note("hm")


@pytest.mark.parametrize("raw", [b"", b"\xff\xff", b"\x22\x00", b"\x0a\x01\x42"], ids=repr)
def test_what_is_no_request_is_malformed(raw: bytes) -> None:
    with pytest.raises(MalformedMessage):
        read_request(raw)


def test_a_field_that_is_newer_than_we_are_is_passed_over() -> None:
    raw = action_message(ACTIONS[3]).SerializeToString() + b"\xfa\x01\x03new"  # field 31
    answer = match_service_pb2.Answer(prompt_id="id", action=actions_pb2.Action.FromString(raw))
    assert read_request(request(answer=answer)) == Answer("id", ACTIONS[3])
