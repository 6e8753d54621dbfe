"""Aggregate facts of random play: what a rule set does when nobody thinks."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field

from arena.engine.codes import EventKind, decode_events
from arena.engine.deal import Board
from arena.engine.flow import start_hand
from arena.engine.randomplay import Uniform, play_randomly
from arena.engine.rulesets import RuleSet
from arena.engine.scoring import HandResult, hand_result, start_game
from arena.engine.seating import Seating
from arena.engine.state import Frame, HandState, Reason, make_frame


@dataclass(slots=True)
class Tally:
    """Sums over hands; `facts` turns them into means.

    Attributes:
        hands: Hands played.
        decisions: Decisions in all of them, one per answered question.
        shortest, longest: Decisions of the shortest and longest hand.
        reasons: Why hands ended.
        won: Hands with a winner.
        coups_fourres: Coups fourrés declared.
        safeties: Safeties exposed.
        km: Sum of all teams' km.
        points: Sum of all teams' points by item.
    """

    hands: int = 0
    decisions: int = 0
    shortest: int = 0
    longest: int = 0
    won: int = 0
    coups_fourres: int = 0
    safeties: int = 0
    km: int = 0
    reasons: Counter[str] = field(default_factory=Counter)
    points: Counter[str] = field(default_factory=Counter)

    def add(self, state: HandState, decisions: int) -> None:
        """Count a hand that is over."""
        result = hand_result(state)
        self.shortest = min(self.shortest or decisions, decisions)
        self.longest = max(self.longest, decisions)
        self.hands += 1
        self.decisions += decisions
        self.reasons[Reason(state.reason).name.lower()] += 1
        self.won += state.winner >= 0
        for event in decode_events(state.log):
            self.coups_fourres += event.kind is EventKind.COUP_FOURRE
        self.safeties += sum(table.safeties.bit_count() for table in state.tables)
        self.km += sum(result.km)
        self._add_points(result)

    def _add_points(self, result: HandResult) -> None:
        for sheet in result.sheets:
            for item, points in sheet.items():
                self.points[item.value] += points

    def facts(self, teams: int) -> dict[str, object]:
        """Means per hand, shares of hands and, with points, means per team and hand."""
        hands = max(self.hands, 1)
        return {
            "hands": self.hands,
            "decisions_per_hand": {
                "mean": self.decisions / hands,
                "shortest": self.shortest,
                "longest": self.longest,
            },
            "share_won": self.won / hands,
            "share_by_reason": {
                reason.name.lower(): self.reasons[reason.name.lower()] / hands for reason in Reason
            },
            "coups_fourres_per_hand": self.coups_fourres / hands,
            "safeties_per_hand": self.safeties / hands,
            "km_per_team": self.km / hands / teams,
            "points_per_team": {
                item: points / hands / teams for item, points in self.points.items()
            },
        }


class Simulation:
    """Hands of random play from one seed; hand number n is the same whatever was played before."""

    def __init__(self, rules: RuleSet, seating: Seating, seed: bytes) -> None:
        self.board = Board(seed)
        self.deck = rules.deck(seating.players)
        dealer = start_game(rules, len(seating.teams), seating.players).dealer
        self.frames: list[Frame] = [
            make_frame(rules, seating, dealer=(dealer + step) % seating.players)
            for step in range(seating.players)
        ]

    def play(self, number: int, rng: Uniform, tally: Tally) -> None:
        """Play hand `number` with `rng` as all players, and count it."""
        state = start_hand(
            self.frames[number % len(self.frames)],
            self.board.deck_order(number, self.deck),
            chance=self.board.reshuffle_key(number),
        )
        tally.add(state, play_randomly(state, rng))
