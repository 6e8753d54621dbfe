"""What a referee's message means to a bot, and what the SDK makes of messages that are newer."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import fields

import pytest

from arena.engine.actions import parse_action
from arena.engine.rulesets import make_ruleset
from arena.engine.scoring import Item
from arena.transport.convert_hand import event_message, rule_set_message, team_messages
from arena_sdk import (
    Card,
    EventKind,
    Outcome,
    Prompt,
    Reason,
    RejectionReason,
    Stage,
    WindowMode,
)
from arena_sdk._convert import NewerMessage, action_message, answer_message, prompt_from
from arena_sdk._convert_match import (
    hand_result_from,
    match_result_from,
    rejection_from,
    welcome_from,
)
from arena_sdk.testing import play_hand, prompts
from millearena.v1 import match_service_pb2 as pb
from millearena.v1 import rule_sets_pb2, views_pb2
from tests.sdk.bots import Chooses, wire_prompt

NEW = 77
"""A number that no enumeration has."""


# -- prompts and answers ----------------------------------------------------------------------


@pytest.mark.parametrize(
    ("rules", "players"),
    [
        *[("classic", 2), ("classic", 6), ("leaflet", 2), ("express", 3), ("plateau", 4)],
        (make_ruleset("express", {"top_choice": True, "discard_visible": False}), 2),
    ],
    ids=str,
)
def test_a_prompt_comes_back_equal(rules: str, players: int) -> None:
    for prompt in prompts(rules=rules, players=players, hands=3):
        read = prompt_from(wire_prompt(prompt), prompt.arrived)
        assert read.view.history == prompt.view.history
        assert read._replace(view=prompt.view) == prompt
        # Who else knows one's own cards is written down in an event's code, and is not sent.
        assert read.view._replace(events=b"") == prompt.view._replace(events=b"")


def test_an_answer_says_its_place_or_itself() -> None:
    prompt = next(prompts(Stage.PLAY))
    answer = answer_message("x", prompt, prompt.legal[2])
    assert (answer.prompt_id, answer.legal_index) == ("x", 2)
    assert answer.WhichOneof("choice") == "legal_index"
    assert answer_message("x", prompt, prompt.legal[0]).WhichOneof("choice") == "legal_index"
    extend = parse_action("extend")
    answer = answer_message("x", prompt, extend)
    assert answer.WhichOneof("choice") == "action"
    assert answer.action == action_message(extend)
    assert list(answer.coup_fourre_on) == []


def test_orders_are_cards_on_the_wire() -> None:
    prompt = next(prompts(Stage.PLAY))
    orders = (Card.SPEED_LIMIT, Card.ACCIDENT)
    answer = answer_message("x", prompt, prompt.default, orders)
    assert list(answer.coup_fourre_on) == [card + 1 for card in orders]


# -- what else is told ------------------------------------------------------------------------


def a_welcome() -> pb.Welcome:
    prompt = next(prompts(players=4))
    welcome = pb.Welcome(
        seat=3,
        teams=team_messages(prompt.view.seating),
        rule_set=rule_set_message(prompt.view.rules),
        window_mode=pb.WINDOW_MODE_SEALED,
        game_number=2,
        game_count=5,
        fault_budget=pb.FaultBudget(
            max_strikes=3, messages_per_prompt=4, surplus_messages=64, note_bytes=500
        ),
        knowledge=pb.Knowledge(discards_face_down=True, frozen_between_prompts=True),
    )
    welcome.time_control.start_up.FromSeconds(20)
    welcome.time_control.turn.FromMilliseconds(1500)
    welcome.time_control.bank.FromSeconds(30)
    welcome.time_control.response_window.FromMilliseconds(100)
    return welcome


def test_a_welcome_says_everything() -> None:
    message = a_welcome()
    welcome = welcome_from(message)
    assert (welcome.seat, welcome.team, welcome.game, welcome.games) == (3, 1, 2, 5)
    assert welcome.seating.teams == ((0, 2), (1, 3))
    assert welcome.rules == make_ruleset("classic", players=4)
    assert welcome.window_mode is WindowMode.SEALED
    time = welcome.time
    assert (time.start_up, time.turn, time.bank) == (20.0, 1.5, 30.0)
    assert time.response_window == pytest.approx(0.1)
    for part, sent in (
        (welcome.faults, message.fault_budget),
        (welcome.knowledge, message.knowledge),
    ):
        for field in fields(part):
            assert getattr(part, field.name) == getattr(sent, field.name)
    assert not hasattr(welcome, "__dict__")


def test_a_rejection_says_why_and_what_was_played() -> None:
    for reason in RejectionReason:
        if reason is RejectionReason.UNKNOWN:
            continue
        rejection = rejection_from(
            pb.Rejection(
                prompt_id="x",
                reason=getattr(pb, f"REJECTION_REASON_{reason.name}"),
                detail="no answer within 1,000 ms",
                played=action_message(parse_action("discard D25")),
                strikes=2,
            )
        )
        assert rejection.reason is reason
        assert rejection.detail == "no answer within 1,000 ms"
        assert rejection.played is parse_action("discard D25")
        assert rejection.strikes == 2


def test_the_end_of_a_hand_says_what_came_of_it() -> None:
    result = play_hand([Chooses(lambda prompt: prompt.legal[0]) for _ in range(2)], seed=1)
    message = pb.HandOver(
        game_number=1,
        hand_number=2,
        end=views_pb2.HAND_END_TARGET,
        winner_team=0,
        scores=[100, 200],
        game_over=True,
        game_winner_team=0,
        events=map(event_message, result.events),
    )
    for km, sheet in zip(result.km, result.sheets, strict=True):
        items = [
            pb.ScoreItem(kind=f"SCORE_KIND_{item.name}", points=points)
            for item, points in sheet.items()
        ]
        message.results.add(km=km, points=sum(sheet.values()), items=items)
    read = hand_result_from(message)
    assert (read.game, read.hand, read.reason) == (1, 2, Reason.TARGET)
    assert (read.winner, read.game_over, read.game_winner) == (0, True, 0)
    assert (read.km, read.points, read.scores) == (result.km, result.points, (100, 200))
    assert read.sheets == result.sheets
    assert read.events == result.events


def test_nobody_is_none_and_no_points_are_no_points() -> None:
    read = hand_result_from(pb.HandOver(results=[pb.TeamResult(km=5), pb.TeamResult(km=7)]))
    assert (read.winner, read.game_winner) == (None, None)
    assert (read.km, read.points, read.sheets) == ((5, 7), (), ())


def test_the_end_of_it_all_counts_the_games() -> None:
    read = match_result_from(
        pb.MatchOver(
            game_count=9, games_won=4, games_drawn=2, outcome=pb.OUTCOME_FORFEIT, detail="gone"
        )
    )
    assert (read.games, read.won, read.drawn, read.lost) == (9, 4, 2, 3)
    assert (read.outcome, read.detail) == (Outcome.FORFEIT, "gone")


# -- newer messages ---------------------------------------------------------------------------


def test_unknown_numbers_read_as_unknown() -> None:
    welcome = a_welcome()
    welcome.window_mode = NEW  # type: ignore[assignment]
    assert welcome_from(welcome).window_mode is WindowMode.UNKNOWN
    rejection = rejection_from(pb.Rejection(reason=NEW))  # type: ignore[arg-type]
    assert (rejection.reason, rejection.played) == (RejectionReason.UNKNOWN, None)
    over = match_result_from(pb.MatchOver(outcome=NEW))  # type: ignore[arg-type]
    assert over.outcome is Outcome.UNKNOWN
    item = pb.ScoreItem(kind=NEW, points=50)  # type: ignore[arg-type]
    known = pb.ScoreItem(kind=pb.SCORE_KIND_DISTANCE, points=25)
    hand = hand_result_from(
        pb.HandOver(
            end=NEW,  # type: ignore[arg-type]
            results=[pb.TeamResult(points=75, items=[known, item])],
        )
    )
    assert hand.reason is None
    assert hand.points == (75,)
    assert hand.sheets == ({Item.DISTANCE: 25},)


def with_unknown_field(message: bytes) -> bytes:
    """A message with a field of number 900 at its end."""
    return message + b"\xa0\x38\x01"


def test_unknown_fields_are_passed_over() -> None:
    prompt = next(prompts(Stage.PLAY))
    message = wire_prompt(prompt)
    message.view.MergeFromString(with_unknown_field(b""))
    message.view.rule_set.MergeFromString(with_unknown_field(b""))
    message.legal_actions[0].MergeFromString(with_unknown_field(b""))
    message.view.tables[0].MergeFromString(with_unknown_field(b""))
    read = prompt_from(pb.Prompt.FromString(with_unknown_field(message.SerializeToString())), 1.0)
    assert read == prompt._replace(arrived=1.0)


def test_an_event_of_a_new_kind_is_left_out() -> None:
    prompt = next(one for one in prompts(Stage.PLAY) if len(one.view.history) > 2)
    message = wire_prompt(prompt)
    message.view.events.insert(1, views_pb2.Event.FromString(with_unknown_field(b"\x08\x01")))
    assert prompt_from(message).view.history == prompt.view.history


def new_stage(message: pb.Prompt) -> None:
    message.view.stage = NEW  # type: ignore[assignment]


def new_kind(message: pb.Prompt) -> None:
    message.kind = NEW  # type: ignore[assignment]


def new_action(message: pb.Prompt) -> None:
    message.legal_actions[1].Clear()
    message.legal_actions[1].MergeFromString(with_unknown_field(b""))


def new_card_in_action(message: pb.Prompt) -> None:
    message.legal_actions[0].play.card = NEW  # type: ignore[assignment]


def new_card_in_hand(message: pb.Prompt) -> None:
    message.view.hand.append(NEW)  # type: ignore[arg-type]


def far_card_in_hand(message: pb.Prompt) -> None:
    message.view.hand.append(70_000)  # type: ignore[arg-type]


def no_card_in_hand(message: pb.Prompt) -> None:
    message.view.hand.append(0)  # type: ignore[arg-type]


def new_card_on_table(message: pb.Prompt) -> None:
    message.view.tables[0].battle_pile.append(NEW)  # type: ignore[arg-type]


def new_card_in_event(message: pb.Prompt) -> None:
    message.view.events.add(seat=0).card_played.card = NEW  # type: ignore[assignment]


def new_attack(message: pb.Prompt) -> None:
    message.view.attack = NEW  # type: ignore[assignment]


def new_family(message: pb.Prompt) -> None:
    message.view.rule_set.family = NEW  # type: ignore[assignment]


def new_option(message: pb.Prompt) -> None:
    message.view.rule_set.match_tie = NEW  # type: ignore[assignment]


def eight_players(message: pb.Prompt) -> None:
    message.view.teams.extend([views_pb2.Team(seats=[seat]) for seat in range(2, 8)])


def far_default(message: pb.Prompt) -> None:
    message.default_index = 500


@pytest.mark.parametrize(
    "renew",
    [
        *[new_stage, new_kind, new_action, new_card_in_action, new_card_in_hand, far_card_in_hand],
        *[no_card_in_hand, new_card_on_table, new_card_in_event, new_attack, new_family],
        *[new_option, eight_players, far_default],
    ],
)
def test_a_prompt_that_cannot_be_understood_is_refused(
    renew: Callable[[pb.Prompt], None],
) -> None:
    message = wire_prompt(next(prompts(Stage.PLAY)))
    prompt_from(message)
    renew(message)
    with pytest.raises(NewerMessage):
        prompt_from(message)


def test_other_messages_that_cannot_be_understood_are_refused() -> None:
    welcome = a_welcome()
    welcome.rule_set.shutout_rule = NEW  # type: ignore[assignment]
    with pytest.raises(NewerMessage):
        welcome_from(welcome)
    over = pb.HandOver()
    over.events.add(seat=0).card_played.card = NEW  # type: ignore[assignment]
    with pytest.raises(NewerMessage):
        hand_result_from(over)


def test_a_card_taken_from_a_face_down_pile_has_no_name() -> None:
    over = pb.HandOver()
    over.events.add(seat=1).card_taken.SetInParent()
    (event,) = hand_result_from(over).events
    assert (event.kind, event.seat, event.card) == (EventKind.TAKEN, 1, None)


def test_an_empty_message_is_refused_not_misread() -> None:
    with pytest.raises(NewerMessage):
        prompt_from(pb.Prompt())
    with pytest.raises(NewerMessage):
        welcome_from(pb.Welcome())
    assert rule_sets_pb2.RuleSet() == pb.Welcome().rule_set
    assert isinstance(next(prompts()), Prompt)
