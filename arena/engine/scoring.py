"""Points of a hand, item by item, and the game that hands add up to (R33, R35-R38).

Only the classic game makes points; in Express and Plateau a hand has km and perhaps a winner (X22).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Final

from arena.engine.cards import Card
from arena.engine.rulesets import RuleSet
from arena.engine.state import NOBODY, HandState, Reason, TableView


class Item(StrEnum):
    """A line of the score sheet; the value is its name in a case file."""

    DISTANCE = "distance"
    SAFETIES = "safeties"
    ALL_SAFETIES = "all_safeties"
    COUPS_FOURRES = "coups_fourres"
    COMPLETED = "completed"
    EXTENSION = "extension"
    SAFE_TRIP = "safe_trip"
    DELAYED_ACTION = "delayed_action"
    SHUTOUT = "shutout"


SAFETY_POINTS: Final = 100
COUP_FOURRE_POINTS: Final = 300
COMPLETED_POINTS: Final = 400
EXTENSION_POINTS: Final = 200
SAFE_TRIP_POINTS: Final = 300
DELAYED_ACTION_POINTS: Final = 300
SHUTOUT_POINTS: Final = 500
_ALL_SAFETIES: Final = 0b1111

Sheet = dict[Item, int]
"""One team's score sheet: points by item, every item present."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Ending:
    """How a hand ended, as far as points depend on it.

    Attributes:
        finisher: The team that completed the trip, else NOBODY.
        extended: The hand was extended from 700 to 1000 km.
        caller: The team that extended it, else NOBODY (also when it is not known).
        delayed: The finish came after the draw pile had run out (R28).
    """

    finisher: int
    extended: bool = False
    caller: int = NOBODY
    delayed: bool = False


@dataclass(frozen=True, slots=True)
class HandResult:
    """What a hand that is over brought.

    Attributes:
        reason: Why it ended.
        winner: The team that finished or, in Express and Plateau, was ahead; else NOBODY.
        km: Kilometres per team, bonus km included.
        sheets: Per team, its score sheet; empty where the game makes no points.
        points: Per team, the sum of its sheet; empty where the game makes no points.
    """

    reason: Reason
    winner: int
    km: tuple[int, ...]
    sheets: tuple[Sheet, ...]
    points: tuple[int, ...]


def score_sheets(rules: RuleSet, tables: Sequence[TableView], ending: Ending) -> tuple[Sheet, ...]:
    """The score sheet of every team (R33, R35-R37), points by item."""
    return tuple(_sheet(rules, tables, team, ending) for team in range(len(tables)))


def _sheet(rules: RuleSet, tables: Sequence[TableView], team: int, ending: Ending) -> Sheet:
    table = tables[team]
    sheet = dict.fromkeys(Item, 0)
    sheet[Item.DISTANCE] = table.km
    sheet[Item.SAFETIES] = SAFETY_POINTS * table.safeties.bit_count()
    if table.safeties == _ALL_SAFETIES:
        sheet[Item.ALL_SAFETIES] = rules.four_safeties_bonus
    sheet[Item.COUPS_FOURRES] = COUP_FOURRE_POINTS * table.coups_fourres.bit_count()
    if team == ending.finisher:
        sheet[Item.COMPLETED] = COMPLETED_POINTS
        if Card.D200 not in table.distance:
            sheet[Item.SAFE_TRIP] = SAFE_TRIP_POINTS
        if ending.delayed:
            sheet[Item.DELAYED_ACTION] = DELAYED_ACTION_POINTS
    if _earns_extension(rules, team, ending):
        sheet[Item.EXTENSION] = EXTENSION_POINTS
    if _earns_shutout(rules, tables, team, finished=team == ending.finisher):
        sheet[Item.SHUTOUT] = SHUTOUT_POINTS
    return sheet


def _earns_extension(rules: RuleSet, team: int, ending: Ending) -> bool:
    """Whether a team gets the extension's points, which nobody gets twice (R33)."""
    if not ending.extended:
        return False
    if team == ending.finisher:
        return True
    failed = ending.caller not in (NOBODY, ending.finisher)
    return rules.failed_extension_bonus and failed and team != ending.caller


def _earns_shutout(
    rules: RuleSet, tables: Sequence[TableView], team: int, *, finished: bool
) -> bool:
    """Whether a team gets the points for opponents without a distance card, once (R37)."""
    idle = [not table.distance for other, table in enumerate(tables) if other != team]
    if rules.shutout_rule == "dujardin":
        return any(idle)
    return finished and (any(idle) if rules.shutout_rule == "any" else all(idle))


def hand_result(state: HandState) -> HandResult:
    """The result of a hand that is over.

    Raises:
        ValueError: the hand is not over.
    """
    if not state.over:
        raise ValueError("the hand is not over")
    rules = state.rules
    tables = state.tables
    reason = Reason(state.reason)
    sheets: tuple[Sheet, ...] = ()
    if rules.is_scored:
        trigger_start = rules.delayed_action_trigger == "empty_at_turn_start"
        ending = Ending(
            finisher=state.winner if reason is Reason.TARGET else NOBODY,
            extended=state.extended_by != NOBODY,
            caller=max(state.extended_by, NOBODY),
            delayed=state.dry_start if trigger_start else state.ran_out,
        )
        sheets = score_sheets(rules, tables, ending)
    return HandResult(
        reason=reason,
        winner=state.winner,
        km=tuple(table.km for table in tables),
        sheets=sheets,
        points=tuple(sum(sheet.values()) for sheet in sheets),
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class GameState:
    """A game between hands: totals, the next dealer, and whether it is over (R02, R38).

    Attributes:
        totals: Match points per team; empty where the game makes no points.
        hands: Hands played so far.
        dealer: Seat that deals the next hand.
        over: No further hand is played.
        winner: The team that won, else NOBODY (not over, or a draw).
    """

    totals: tuple[int, ...]
    hands: int
    dealer: int
    over: bool
    winner: int


@dataclass(frozen=True, slots=True)
class Length:
    """How long a game lasts: to the rule set's match points, or a fixed number of hands.

    `hands` None plays to match points; Express and Plateau are single hands then (X22).
    """

    hands: int | None = None


def start_game(
    rules: RuleSet, teams: int, players: int, *, totals: Sequence[int] = ()
) -> GameState:
    """A game before its first hand; `totals` are match points made before it."""
    if rules.family.keeps_cards_on_table:
        dealer = players - 1 if rules.first_dealer is None else rules.first_dealer
    else:
        dealer = (rules.first_player - 1) % players
    return GameState(
        totals=tuple(totals) or (0,) * teams, hands=0, dealer=dealer, over=False, winner=NOBODY
    )


def after_hand(
    game: GameState, rules: RuleSet, players: int, result: HandResult, length: Length | None = None
) -> GameState:
    """The game after a hand: points added, the deal moved to the left, the end checked (R38).

    In a game without points `totals` counts the hands won.
    """
    if rules.is_scored:
        made = result.points
    else:
        made = tuple(int(team == result.winner) for team in range(len(game.totals)))
    totals = tuple(total + points for total, points in zip(game.totals, made, strict=True))
    hands = game.hands + 1
    leaders = [team for team, total in enumerate(totals) if total == max(totals)]
    over = _is_over(rules, totals, hands, tied=len(leaders) > 1, length=length or Length())
    return GameState(
        totals=totals,
        hands=hands,
        dealer=(game.dealer + 1) % players,
        over=over,
        winner=leaders[0] if over and len(leaders) == 1 else NOBODY,
    )


def _is_over(
    rules: RuleSet, totals: Sequence[int], hands: int, *, tied: bool, length: Length
) -> bool:
    if length.hands is not None:
        return hands >= length.hands
    if not rules.is_scored or hands >= rules.max_hands:
        return True
    return max(totals) >= rules.match_points and not (tied and rules.match_tie == "extra_hand")
